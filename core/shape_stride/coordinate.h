// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of a nested shape, integral and nested: their bounds, and the search for the coordinate of an offset.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the integral coordinate (colexicographic) of a coordinate in any form that Crd2Idx takes. Errors: a
// coordinate that does not fit the shape; overflow.
Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape);
// Returns the nested coordinate of an integral one. Its last integer is unbounded. Error: division by an extent of 0.
Expected<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape);
// Returns an error that names the mode unless each number c is in its part of the shape: 0 <= c < size of the part.
Expected<void> CheckCoordinate(const IntTuple& coordinate, const IntTuple& shape);

// Returns one integral coordinate per top-level mode of a coordinate that has as many parts. Errors: those of
// Crd2Integral.
Expected<std::vector<int64_t>> IntegralModes(const IntTuple& coordinate, const IntTuple& shape);

// Returns true if the origin shape holds the coordinate, or if there is no origin shape. Errors: those of Crd2Integral.
Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate);

// Returns a nested coordinate with this offset and 0 in modes of stride 0 (the only one if the layout is injective), or
// nothing if neither an element nor padding has the offset. Errors: basis strides, or more than 2^20 steps of the
// search among overlapping modes (unsupported); overflow.
Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset);
// Returns a coordinate with this offset among those below the limits, with one integer per top-level mode, or nothing.
// Requires as many limits as modes. Errors: those of FindCoordinate.
Expected<std::optional<std::vector<int64_t>>> FindCoordinateBelow(const ShapeStrideLayout& layout, int64_t offset,
                                                                  std::span<const int64_t> limits);

}  // namespace layoutcheck
