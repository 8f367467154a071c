// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complements: the layout of what a layout leaves out.
#pragma once

#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the complement R of L up to the size of `cotarget`. With F = filter(L):
//     * R is strictly increasing, and (F, R) is injective: no value of R but 0 is the difference of two values of F.
//     * If HasExactComplement(L), (F, R) is a bijection onto 0..K-1 with K >= size(cotarget).
//     * Otherwise holes stay, and cosize((L,R)) may be below size(cotarget), contrary to CuTe's documentation.
// A tuple is divided mode by mode (CeilDivShape), as in CuTe: the result may be larger than for its size as an integer.
// Errors: a stride below 0; modes of F that overlap (a stride below extent * stride of the mode with the next smaller
// stride); not valid, basis strides, no coordinate, a cotarget below 1; overflow.
Expected<ShapeStrideLayout> Complement(const ShapeStrideLayout& layout, const IntTuple& cotarget);
// Returns the complement up to cosize(filter(L)).
Expected<ShapeStrideLayout> Complement(const ShapeStrideLayout& layout);

// Returns true if shifted copies of the filtered layout can cover 0, 1, 2, ... without a hole: sorted by stride, the
// extent * stride of each mode divides the next stride. Errors: those of Complement.
Expected<bool> HasExactComplement(const ShapeStrideLayout& layout);

}  // namespace layoutcheck
