// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns an array shape with the same offset for every element and as many allocated elements (the padded element
// count is the cosize). Its dimensions are the origin shape, or without one the sizes of the modes. Errors: a stride <=
// 0, a gap or an overlap (sorted by stride, each integer must begin where the previous one ends), basis strides, no
// element (unsupported, because no XLA layout is like that); no layout of at most two tiles found among those that cut
// where the integers of the modes do (unavailable). Every other layout is expressible with enough tiles.
Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type);

}  // namespace layoutcheck
