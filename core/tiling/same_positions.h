// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exact comparison of two tiled layouts: do corresponding elements have the same positions? Visits no element where
// the positions are digit sums (digit_sum.h).
#pragma once

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
// dimension of both arrays once. Elements are numbered with the groups in memory order of `a`, in memory order of `b`,
// and as given. One of these numberings gives digit sums, unless a `*` combines dimensions that none of them makes
// neighbors. Then the first kMaxComparedElements elements are compared one by one, which decides if they differ or are
// all elements. Errors: overflow of a size; elements left over without a difference, and layouts that take too long to
// compare (unsupported).
Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups);
inline constexpr int64_t kMaxComparedElements = int64_t{1} << 22;

}  // namespace layoutcheck
