// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension order of an array that wastes the least memory.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_
#define LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_

#include <optional>

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the same array, with the same tiles and attributes, in the dimension order whose allocation is smallest.
// Among equal orders it is the first in lexicographic order of minor_to_major. Returns nothing if the array's own order
// is as small, for ranks above 6 (720 orders are tried), and for layouts without sizes.
std::optional<Shape> TightestOrder(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_
