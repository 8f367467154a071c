// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recasts: the same memory seen as elements of another width.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {

// Returns the layout U over elements that hold `factor` elements of L. Modes of stride d with |d| < factor shrink to
// ceil(extent / (factor / d)); other strides are divided by the factor. Law: U(c') = floor(L(c) / factor), where c' is
// c with each number divided by as much as its mode shrank, rounded down. Errors (invalid argument): a stride that
// neither divides the factor nor is divided by it; a negative stride above -factor; modes that together leave an
// element before they are done (CuTe accepts (4,4):(1,2) by 4).
Expected<ShapeStrideLayout> Upcast(const ShapeStrideLayout& layout, int64_t factor);

// Returns the layout D over the `factor` parts of each element of L. The mode of stride 1 grows by the factor; other
// strides are multiplied by it. Law: D at factor * x + t in that mode is factor * L(c) + t, where x is the coordinate
// of c in that mode and 0 <= t < factor. Errors (invalid argument): no mode of stride 1, more than one (where CuTe
// makes layouts that overlap), or one of stride -1.
Expected<ShapeStrideLayout> Downcast(const ShapeStrideLayout& layout, int64_t factor);

// Recast swizzle, offset and L so that the laws above hold for the composed values. Additional errors: a swizzle that
// cannot be recast (swizzle.h); an upcast by a factor that does not divide the offset.
Expected<ComposedLayout> Upcast(const ComposedLayout& composed, int64_t factor);
Expected<ComposedLayout> Downcast(const ComposedLayout& composed, int64_t factor);

// Returns L, whose elements have `old_bits` bits, over elements of `new_bits` bits: upcast by n and then downcast by d,
// where new_bits / old_bits = n / d in lowest terms.
Expected<ShapeStrideLayout> RecastLayout(const ShapeStrideLayout& layout, int64_t old_bits, int64_t new_bits);

// Returns the number of elements per aligned vector by which the layout can be read: the greatest common divisor of the
// size of its contiguous part (right inverse) and all other strides, as in CuTe. Law: the values of the layout are
// whole aligned blocks of that many offsets. Upcast may accept more, contrary to CuTe's documentation:
// (2,(3,2)):(3,(1,8)).
Expected<int64_t> MaxAlignment(const ShapeStrideLayout& layout);

}  // namespace layoutcheck
