// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of which array belongs at each element of an output, as --source says it: "out[r,n]=in[idx[r],n]".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/kernel/array_layout.h"
#include "layoutcheck/llvm/kernel/kernel_tensor.h"

namespace layoutcheck {

// An element of an array: a formula per dimension.
struct ElementFormulas {
  size_t array = 0;
  std::vector<Formula> index;
};

struct SourceMap {
  size_t to = 0;                         // number of the output
  std::vector<std::string> index;        // names of the output's indices
  std::vector<ElementFormulas> lookups;  // elements whose numbers later formulas name "lookup_0", "lookup_1", ...
  ElementFormulas from;
};

// Parses "NAME[NAME,...]=NAME[FORMULA,...]". A formula may have the indices of the output, `names`, and elements of
// arrays of integers, such as "idx[r]". Errors: syntax; an unknown array or name, another number of indices than the
// array has dimensions, an element of an array of no integers (invalid argument).
Expected<SourceMap> ParseSourceMap(const std::string& text, std::span<const std::string> arrays,
                                   std::span<const ArrayLayout> layouts, std::span<const std::string> names);

// Returns the place in bytes of the element that belongs at element `index` of the output. Throws FunctionUnknown if
// the number of an element is not known.
SymbolicInteger SourcePlace(const SourceMap& map, std::span<const KernelTensor> tensors, SymbolicValues values,
                            std::span<const SymbolicInteger> index, const ElementReader& numbers);

}  // namespace layoutcheck
