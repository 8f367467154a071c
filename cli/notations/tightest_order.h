// Which dimension order would waste the least memory.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_
#define LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_

#include <optional>

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The same array with the same tiles and attributes, its dimensions in the order whose allocation is smallest; of equal
// ones the first in lexicographic order of minor_to_major. Nothing where the array's own order is as small, for ranks
// above 6 (720 orders are tried), and for layouts without sizes.
std::optional<Shape> TightestOrder(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_TIGHTEST_ORDER_H_
