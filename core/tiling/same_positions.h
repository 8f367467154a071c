// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison of two tiled layouts: do corresponding elements have the same positions? It is decided on the layouts,
// without visiting the elements, wherever the positions are digit sums (digit_sum.h).
#ifndef LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_
#define LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Logical dimensions of two arrays whose sizes have the same product. An index of one array corresponds to an index of
// the other if in each group both have the same row-major index over the dimensions of the group, in this order.
struct DimensionGroup {
  std::vector<int64_t> a;
  std::vector<int64_t> b;
};

// Returns true if corresponding elements have the same linear index. Requires sizes >= 1, and groups that contain each
// dimension of both arrays once. Elements are numbered with the groups in the order in which they lie in the memory of
// `a`, of `b`, or as given. For one of these orders the positions are digit sums, unless a `*` combines dimensions that
// no such order brings together. Then the first kMaxComparedElements elements are compared one by one; a difference
// decides, and so does the absence of one among all elements. Errors: overflow of a size; elements left over without a
// difference, and layouts that take too long to compare (unsupported).
Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups);
inline constexpr int64_t kMaxComparedElements = int64_t{1} << 22;

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_SAME_POSITIONS_H_
