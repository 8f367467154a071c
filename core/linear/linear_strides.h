// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape:stride layouts, perhaps with a swizzle, as linear layouts, and the other way.
#pragma once

#include <cstdint>
#include <span>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"

namespace layoutcheck {

// Returns the linear layout with the same offset at every coordinate: one input dim0, dim1, ... per top-level mode, and
// one output of the smallest size that holds all offsets. A sum of strides is linear if and only if every extent is a
// power of two and no two bits of the coordinate share a bit of the offset, so that no sum carries. Error
// (unsupported): this is not so, an offset that is not 0, an origin shape with padding, or a negative stride.
Expected<LinearLayout> LinearOfStrides(const ComposedLayout& composed);

// Returns a shape:stride layout with the same linear index at every coordinate, with one mode per input. If images
// share bits, the layout has the first swizzle Sw<B,M,S> in the order of B, |S| and M that separates them. Error
// (unsupported): there is none.
Expected<ComposedLayout> StridesOfLinear(const LinearLayout& layout);

// Returns the mode with these strides of the bits of its coordinate, lowest bit first. Bits whose strides double are
// one integer. Requires at most 62 strides.
ShapeStrideLayout ModeOfBits(std::span<const uint64_t> strides);

}  // namespace layoutcheck
