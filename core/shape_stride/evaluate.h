// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of shape:stride layouts: offsets of coordinates, the table of all offsets, and the codomain.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the offset of a coordinate (CuTe's crd2idx, TLA's crd2offset): an integer, or for basis strides the nested
// coordinate that they name. The coordinate is an integer (decomposed colexicographically), a tuple, or a tuple whose
// nesting stops above the integers of the shape. Coordinates are not bounded: the last integer of a mode takes the
// rest, and the offset of -c is minus the offset of c, because C++ division truncates. Errors: a tuple where the shape
// has an integer or another number of modes, an extent of 0 in a division (invalid argument); overflow.
Expected<IntTuple> Evaluate(const IntTuple& coordinate, const ShapeStrideLayout& layout);
// Returns the same for ordinary strides. Errors: those of Evaluate; basis strides (unsupported).
Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ShapeStrideLayout& layout);
// Returns the offsets of all integral coordinates in order; none if an extent is 0. Errors: those of RangeOfOffsets;
// more than `max_elements` offsets (unsupported).
Expected<std::vector<int64_t>> StridedOffsetTable(const ShapeStrideLayout& layout, int64_t max_elements);

// Returns, per axis of the codomain, 1 + the sum of (extent - 1) * |stride|: the span of the offsets, which is 1 + the
// largest offset if no stride is negative. It is an integer for ordinary strides, nested for basis strides, and 0 for a
// layout without coordinates, where CuTe's formula has no meaning. Errors: overflow; contradictory basis paths.
Expected<IntTuple> Coshape(const ShapeStrideLayout& layout);
// Returns the product of Coshape. Errors: those of Coshape.
Expected<int64_t> Cosize(const ShapeStrideLayout& layout);

}  // namespace layoutcheck
