// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the array that a text in HLO, fractal or shape:stride notation denotes, as an XLA shape with a layout that is
// the same map. The elements of a shape:stride layout are f32. Errors: those of the notation's parser, with the column;
// no array (invalid argument); a layout with a swizzle, an offset or strides that no XLA layout has (unsupported).
Expected<Shape> HloOfText(std::string_view text);

// Returns the XLA array with the tag's layout. Tiles are the same for all sizes: zN is {0,1:T(C0,16)(C0,1)}. Types of 4
// bits are packed, E(4). Errors: those of ShapeStrideOf.
Expected<Shape> HloOfFractal(const FractalLayout& fractal);

// Returns an array shape with the same offset for every element and as many allocated elements (the padded element
// count is the cosize). Its dimensions are the origin shape, or without one the sizes of the modes. Errors: a stride <=
// 0, a gap or an overlap (sorted by stride, each integer must begin where the previous one ends), basis strides, no
// element (unsupported, because no XLA layout is like that); no layout of at most two tiles found among those that cut
// where the integers of the modes do (unavailable). Every other layout is expressible with enough tiles.
Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type);

}  // namespace layoutcheck
