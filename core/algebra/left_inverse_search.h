// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search for left inverses in mixed radices other than the one of the strides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// A mode of a layout, and the growth of the layout's index per step in it.
struct IndexedMode {
  StridedMode mode;
  int64_t index_step = 1;
};

// Returns the modes of a layout that maps each value of the given modes to its index: the sum of digit * stride over
// the value's digits in the mixed radix of the result's extents. The last digit is unbounded. Requires extents > 1 and
// strides > 0.
//
// The search is complete, because every such layout is one over the digits of some chain of primes whose product need
// not exceed the largest value. The strides for a chain are the integer solutions of one equation per value. A chain is
// abandoned if the values that share all higher digits leave no solution. Errors: a proof that there is no left
// inverse, or two coordinates of one value (invalid argument); more than 2^20 equations or 2^12 values (unavailable).
Expected<std::vector<StridedMode>> SearchLeftInverse(std::span<const IndexedMode> modes);

}  // namespace layoutcheck
