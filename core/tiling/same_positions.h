// Whether two tiled layouts put corresponding elements at the same positions: decided on the layouts, not by visiting
// the elements, wherever their positions are sums of digits (digit_sum.h).
#ifndef LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_
#define LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Logical dimensions of two arrays whose sizes have the same product. An index of the one array corresponds to an index
// of the other if in every group both have the same row-major index over the group's dimensions in this order.
struct DimensionGroup {
  std::vector<int64_t> a;
  std::vector<int64_t> b;
};

// Whether corresponding elements have the same linear index. The groups contain every dimension of the one and of the
// other array once; sizes are >= 1. Elements are numbered with the groups in the order in which they stand in the one
// array's memory, or the other's, or as given: for one of these orders the positions are sums of digits, whatever the
// tiles, unless a `*` combines what no such order brings together. Then the first kMaxComparedElements elements are
// compared one by one: a difference decides, and so does the absence of one among all elements. Errors: overflow of a
// size; elements left over without a difference (unsupported); layouts that take too long to compare (unsupported).
Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups);
inline constexpr int64_t kMaxComparedElements = int64_t{1} << 22;

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_
