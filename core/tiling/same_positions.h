// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exact comparison of two tiled layouts: do corresponding elements have the same positions? Visits no element where
// the positions are digit sums (digit_sum.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/digit_sum.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Logical dimensions of two arrays whose sizes have the same product. An index of one array corresponds to an index of
// the other if in each group both have the same row-major index over the dimensions of the group, in this order.
struct DimensionGroup {
  std::vector<int64_t> a;
  std::vector<int64_t> b;
};

// An array whose elements have known positions.
struct PositionedArray {
  std::vector<int64_t> dimensions;      // each >= 1; their product fits int64
  std::vector<int64_t> major_to_minor;  // the order of the dimensions in memory, as far as there is one
  std::function<int64_t(std::span<const int64_t> index)> position;
  // Returns the distance of an element's position from that of element 0 as a function of its number, the sum of
  // weights[d] * index[d], or nothing if this function is no digit sum. The weights are as for PositionsAsDigitSum.
  std::function<Expected<std::optional<DigitSum>>(std::span<const int64_t> weights)> digit_sum;
};

// Returns the array of a tiled layout. Requires sizes >= 1. Error: overflow of a size.
Expected<PositionedArray> PositionedArrayOf(const TiledLayout& layout);

// Returns true if corresponding elements have the same linear index. Requires groups that contain each dimension of
// both arrays once. Elements are numbered with the groups in memory order of `a`, in memory order of `b`, and as given.
// One of these numberings gives digit sums, unless a `*` combines dimensions that none of them makes neighbors. Then
// the first kMaxComparedElements elements are compared one by one, which decides if they differ or are all elements.
// Errors: elements left over without a difference, and layouts that take too long to compare (unsupported).
Expected<bool> SamePositions(const PositionedArray& a, const PositionedArray& b,
                             std::span<const DimensionGroup> groups);
// Returns the same for tiled layouts. Requires sizes >= 1. Other error: overflow of a size.
Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups);
inline constexpr int64_t kMaxComparedElements = int64_t{1} << 22;

// An element that has different positions in two arrays.
struct MovedElement {
  std::vector<int64_t> a;  // index of the element in layout `a`
  std::vector<int64_t> b;  // index of the element in layout `b`
  // True if it is the first one that moves, with the elements numbered by the groups as given.
  bool is_first = true;

  bool operator==(const MovedElement&) const = default;
};

// Returns an element that moves, or nothing if SamePositions. It is the first one if the numbering as given makes digit
// sums, or if it is among the first kMaxComparedElements. Errors: as of SamePositions.
Expected<std::optional<MovedElement>> FindMovedElement(const PositionedArray& a, const PositionedArray& b,
                                                       std::span<const DimensionGroup> groups);

}  // namespace layoutcheck
