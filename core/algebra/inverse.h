// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of layouts, and the operations that are defined by inverses.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Errors of all functions below: an argument that is not valid, has basis strides or no coordinate; overflow.

// Returns R with L(R(i)) = i for all i < size(R), where every R(i) is a coordinate of L. If L is injective and no
// stride is negative, R is the largest such layout. Otherwise R is the first chain of modes in the order of strides,
// without the modes that do not continue the chain (as in CuTe's C++; pycute stops there). A result always exists: 1:0.
Expected<ShapeStrideLayout> RightInverse(const ShapeStrideLayout& layout);

// Returns R with L(R(L(i))) = L(i) for all coordinates i of L, and R(L(i)) = i if L is injective. Drops modes of stride
// 0. If each stride is a multiple of the next smaller one and no mode reaches the next one, the integers of R follow
// the strides, as in CuTe (whose result for (2,2,2):(1,1,4) is wrong, and which rejects the strides 2 and 3). Otherwise
// every mixed radix is tried. Errors: no left inverse, a stride below 0, or a value that L
// takes twice other than by stride 0 (invalid argument); too large a layout (unavailable).
Expected<ShapeStrideLayout> LeftInverse(const ShapeStrideLayout& layout);

// Returns K with L(K(i)) = 0: the modes of stride 0. Law: size(K) = size(L) / size(FilterZeros(L)).
Expected<ShapeStrideLayout> Nullspace(const ShapeStrideLayout& layout);

// Returns R with A(R(i)) = B(R(i)) = i for all i < size(R). Error besides: A o right_inverse(B) is no layout.
Expected<ShapeStrideLayout> MaxCommonLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& b);
// Returns the number of elements, at least 1, that A and B both store from offset 0 on for the same coordinates.
Expected<int64_t> MaxCommonVector(const ShapeStrideLayout& a, const ShapeStrideLayout& b);

// Returns a strictly increasing layout of at most `count` indices of `shape` that divides the shape evenly. Each extent
// in turn takes the greatest common divisor with what is left of `count`. Error besides: count below 1.
Expected<ShapeStrideLayout> DomainDistribute(const IntTuple& shape, int64_t count);

}  // namespace layoutcheck
