// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains the bitcasts of a module as reshapes and transposes, and what its reshapes and transposes move.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/module_scan.h"

namespace layoutcheck {

// Returns a row {"type":OPCODE,"file":...,"operand":...,"shape":...,"explanation":...} for each bitcast, reshape and
// transpose of this name between arrays with layouts, in any computation of the module.
std::vector<Json> ExplainInstructions(const ModuleScan& scan, std::string_view name);
// Returns the rows as text.
std::string ExplanationText(const std::vector<Json>& rows);

}  // namespace layoutcheck
