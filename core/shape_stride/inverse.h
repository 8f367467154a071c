// Inverses of layouts, and what is defined by them.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_INVERSE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_INVERSE_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/coalesce.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// In all of these an error says that an argument is not valid, has basis strides or no coordinate, or that a number
// does not fit int64.

// R with L(R(i)) = i for all i < size(R), every R(i) a coordinate of L. It is the largest such R where L is injective
// and no stride is negative (L has no more of 0, 1, 2, ... then); the first chain of modes in the order of strides
// otherwise. Modes that do not continue the chain are left out (as in CuTe's C++; pycute stops there). Never rejected:
// 1:0 always is one.
Expected<ShapeStrideLayout> RightInverse(const ShapeStrideLayout& layout);

// R with L(R(L(i))) = L(i) for all coordinates i of L, and R(L(i)) = i where L is injective. Modes of stride 0 are left
// out. Where each stride is a multiple of the next smaller one and modes do not reach into each other, R's integers
// follow the strides, as in CuTe (whose result for (2,2,2):(1,1,4) is wrong, and which rejects the strides 2 and 3);
// otherwise every mixed radix is looked at (left_inverse_search.h). So an injective L of strides >= 0 that is rejected
// has no left inverse, except where the error's kind is kUnavailable: L is too large for the search. Rejected besides:
// strides below 0, and layouts that take a value other than by stride 0 twice.
Expected<ShapeStrideLayout> LeftInverse(const ShapeStrideLayout& layout);

// K with L(K(i)) = 0: the modes of stride 0. Law: size(K) = size(L) / size(FilterZeros(L)).
Expected<ShapeStrideLayout> Nullspace(const ShapeStrideLayout& layout);

// R with A(R(i)) = B(R(i)) = i for all i < size(R); its size is MaxCommonVector's. Rejected where A o right_inverse(B)
// is no layout.
Expected<ShapeStrideLayout> MaxCommonLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& b);
// How many elements, counted from offset 0, A and B both store at consecutive offsets for the same coordinates. At
// least 1.
Expected<int64_t> MaxCommonVector(const ShapeStrideLayout& a, const ShapeStrideLayout& b);

// A layout of at most `count` indices of `shape`, strictly increasing, that divides the shape evenly: the greatest
// common divisor is taken from each extent in turn, and what is left of `count` goes to the next. Error: count below 1.
Expected<ShapeStrideLayout> DomainDistribute(const IntTuple& shape, int64_t count);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_INVERSE_H_
