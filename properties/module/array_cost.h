// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/properties/module/module_facts.h"

namespace layoutcheck {

// One array that an instruction allocates.
struct ArrayCost {
  const ModuleComputation* computation = nullptr;
  const ModuleInstruction* instruction = nullptr;
  const Shape* shape = nullptr;  // the result's shape, or that of an element of a tuple
  int64_t bytes = 0;             // allocated
  int64_t needed_bytes = 0;      // bytes of the elements without padding

  int64_t padding() const { return bytes - needed_bytes; }
  // Returns the part of the allocation that is padding, in [0, 1].
  double waste() const { return bytes == 0 ? 0 : static_cast<double>(padding()) / static_cast<double>(bytes); }
};

// Returns the arrays of the computations that have memory of their own, in the order of the text. An instruction that
// only names memory of others allocates none: bitcast, tuple, get-tuple-element, while, and the ends of asynchronous
// operations. Arrays without a layout, or with an invalid one, are left out.
std::vector<ArrayCost> ArraysOf(ModuleFacts& facts);

}  // namespace layoutcheck
