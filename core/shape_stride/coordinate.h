// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates of a nested shape: integral and nested ones, and their bounds.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_COORDINATE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_COORDINATE_H_

#include <cstdint>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the integral coordinate of a coordinate in any form that Crd2Idx takes, by Horner's scheme in colexicographic
// order. Errors: a coordinate that does not fit the shape; overflow.
Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape);
// Returns the coordinate at an integral one, with the structure of the shape. Its last integer is not reduced. Error:
// an extent of 0 that would divide.
Expected<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape);
// Returns an error that names the mode unless the coordinate is one of the shape: 0 <= c < size at every position where
// it stops.
Expected<void> CheckCoordinate(const IntTuple& coordinate, const IntTuple& shape);

// Returns true if the origin shape holds the coordinate, or if there is no origin shape. Errors: those of Crd2Integral.
Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_COORDINATE_H_
