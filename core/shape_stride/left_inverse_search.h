// Left inverses in radices that are not the layout's own.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_LEFT_INVERSE_SEARCH_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_LEFT_INVERSE_SEARCH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// A mode of a layout, and how much the layout's index grows by with each step in it.
struct IndexedMode {
  StridedMode mode;
  int64_t index_step = 1;
};

// The modes of a layout that takes each value of the modes to its index: the sum of digit * stride over the digits of
// the value in the mixed radix of the result's extents, the last one unbounded.
// Complete: every layout is one over the digits of some chain of primes, whose product need not exceed the largest
// value; all chains are walked, and for each the strides are the integer solutions of one equation for each value. A
// chain is left where the values that share all higher digits leave no solution. So an error of kind kInvalidArgument
// is a proof that there is no left inverse, and kUnavailable says that the search was given up, after 2^20 equations or
// for more than 2^12 values. Requires extents > 1 and strides > 0. Errors besides: two coordinates of one value
// (kInvalidArgument).
Expected<std::vector<StridedMode>> SearchLeftInverse(std::span<const IndexedMode> modes);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_LEFT_INVERSE_SEARCH_H_
