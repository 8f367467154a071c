// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/algebra/linear_generator.h"
#include "layoutcheck/properties/algebra/tag_generator.h"
#include "layoutcheck/properties/algebra/view_generator.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The arguments of one case. Each law takes the ones that its function needs.
struct AlgebraCase {
  ShapeStrideLayout a;
  ShapeStrideLayout b;  // composable with `a`: its values are coordinates of `a`
  int64_t number = 1;   // a factor, or the size of a codomain
  int64_t coordinate = 0;
  ShapeStrideLayout twin;  // a layout of the same shape as `a`
  // A shape whose modes are mostly those of `a` times 1 to 3, sometimes with one more mode, and the order in which `a`
  // is repeated along its modes.
  IntTuple tiled_shape = 1;
  IntTuple order = 0;
  Swizzle swizzle;
  Swizzle other_swizzle;  // mostly of the same shift as `swizzle`
  int64_t offset = 0;     // between swizzle and layout
  int64_t power = 1;      // a factor that is a power of two
  int64_t old_bits = 16;
  int64_t new_bits = 16;
  TlaTag tag = TlaTag::kRowMajor;
  int64_t element_bits = 16;
  // Mostly up to 70, about those of a fractal in the cases of families, and up to 2^33 in one case of four.
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t row = 0;  // a coordinate; it may be past the last row, which is then meant
  int64_t column = 0;
  DrawnTag made;  // of the question what a tag makes
  DrawnViews views;
  DrawnLinear linear;
};

// Draws a layout of one to three modes, some nested, with at most 256 coordinates. One third are tractable (compact in
// some order, perhaps with equal gaps between all elements), one third injective with irregular gaps, one third
// arbitrary with zeros, repetitions and negative strides. The first choice is always the simplest.
ShapeStrideLayout DrawShapeStrideLayout(Choices& choices);

// Draws `a` by DrawShapeStrideLayout, and the other arguments except `made`, views and layouts in bits to suit it.
AlgebraCase DrawAlgebraCase(Choices& choices);
// Draws `a` by another generator. It must have a coordinate, and few enough of them for a table.
AlgebraCase DrawAlgebraCaseOf(Choices& choices, const std::function<ShapeStrideLayout(Choices&)>& draw_a);

}  // namespace layoutcheck
