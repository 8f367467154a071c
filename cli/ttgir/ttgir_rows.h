// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of `scan --kind ttgir` as JSON objects, from which text, pages and comparisons are made.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// The rows of one function. docs/scan.md says which members they have.
struct TtgirRows {
  Json function;
  std::vector<Json> buffers;
  std::vector<Json> converts;
  std::vector<Json> accesses;
  std::vector<Json> findings;
  std::vector<Json> tensors;  // one per type, with the names of its tensors
};

// Returns the rows of the functions of a module. `file` names its text, `requirements` the rules whose findings are
// errors.
std::vector<TtgirRows> RowsOfModule(const std::string& file, const TtirModule& module, const TtgirScan& scan,
                                    std::span<const std::string> requirements);

}  // namespace layoutcheck
