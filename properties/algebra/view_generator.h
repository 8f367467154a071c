// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The views of one case, as texts of core/shape_stride/view.h.
struct DrawnViews {
  std::string view;
  std::string tile_view;     // begins at a multiple of its tile in each mode
  std::string slice;         // keeps some modes whole and fixes the others
  std::string view_of_view;  // two views
};

// Draws views of `a` or of a fractal layout with up to 70 rows and columns, given modulo 70; one third of them with
// more than 2^32 rows or columns. Origins are at 0, at blocks, anywhere, at powers of two, and behind the end.
DrawnViews DrawViews(Choices& choices, const ShapeStrideLayout& a, TlaTag tag, int64_t element_bits, int64_t rows,
                     int64_t columns);

}  // namespace layoutcheck
