// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape:stride layouts composed with a swizzle and an offset (CuTe's ComposedLayout).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {

// A layout with an offset and a swizzle f: the value at c is f(offset + layout(c)).
struct ComposedLayout {
  std::optional<Swizzle> swizzle;
  int64_t offset = 0;
  ShapeStrideLayout layout;

  bool operator==(const ComposedLayout&) const = default;
};

// Returns an error unless the layout and the swizzle are valid.
Expected<void> ValidateComposedLayout(const ComposedLayout& composed);
// Returns the value at a coordinate. Errors: those of Crd2Idx for the layout; a negative offset under a swizzle
// (invalid argument).
Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ComposedLayout& composed);
// Returns 1 + the largest value, or 0 without coordinates. Counts the swizzle; CuTe's cosize ignores it and can be too
// small. Errors: more than 2^22 coordinates under a swizzle (unsupported); those of RangeOfOffsets.
Expected<int64_t> Cosize(const ComposedLayout& composed);
// Returns the coordinate with the value `offset`. Results and errors are those of FindCoordinate of the layout.
Expected<std::optional<IntTuple>> FindCoordinate(const ComposedLayout& composed, int64_t offset);
// Returns the coordinate below the limits with the value `offset`, as FindCoordinateBelow of the layout.
Expected<std::optional<std::vector<int64_t>>> FindCoordinateBelow(const ComposedLayout& composed, int64_t offset,
                                                                  std::span<const int64_t> limits);

// Returns "Sw<3,4,3> o 0 o (8,64):(64,1)", "16 o (8,64):(64,1)" without a swizzle, or just the layout without both.
std::string ToString(const ComposedLayout& composed);

}  // namespace layoutcheck
