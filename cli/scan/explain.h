// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains the bitcasts of a module as reshapes and transposes.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/module_scan.h"

namespace layoutcheck {

// Returns a row {"type":"bitcast","file":...,"operand":...,"shape":...,"explanation":...} for each bitcast of this name
// between arrays, in any computation of the module.
std::vector<Json> ExplainBitcasts(const ModuleScan& scan, std::string_view name);
// Returns the rows as text.
std::string ExplanationText(const std::vector<Json>& rows);

}  // namespace layoutcheck
