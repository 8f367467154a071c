// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From XLA's tiled layouts to shape:stride layouts.
#ifndef LAYOUTCHECK_CORE_BRIDGES_HLO_TO_SHAPE_STRIDE_H_
#define LAYOUTCHECK_CORE_BRIDGES_HLO_TO_SHAPE_STRIDE_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the shape:stride layout of an array: the same offset for every element and the same number of elements
// allocated (padded element count and cosize). It has one mode per logical dimension, its integers without mergeable
// neighbors, and the dimensions as origin shape. f32[3,5]{1,0:T(2,2)} is ((2,2),(2,3)):((2,12),(1,4)).
//
// The offsets are decided exactly. Errors (unsupported, not expressible): a dimension of 0; a tile that neither divides
// what it cuts inside a dimension nor is divided by it, unless the strides join again; sizes that differ, as where a
// tile pads what another tile made, or with tail padding. Other errors: those of TiledLayoutOf; overflow.
Expected<ShapeStrideLayout> ShapeStrideOfHlo(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_BRIDGES_HLO_TO_SHAPE_STRIDE_H_
