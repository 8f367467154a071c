// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the shape:stride layout of an array, which has the same offset for every element and allocates as many
// elements (cosize is the padded element count). It has one mode per logical dimension, without mergeable neighbors,
// and the dimensions as origin shape: f32[3,5]{1,0:T(2,2)} is ((2,2),(2,3)):((2,12),(1,4)). Offsets are decided
// exactly. Errors (unsupported, not expressible): a dimension of 0; a tile that neither divides what it cuts inside a
// dimension nor is divided by it, unless the strides join again; sizes that differ, because of tail padding or a tile
// that pads what another tile made. Other errors: those of TiledLayoutOf; overflow.
Expected<ShapeStrideLayout> ShapeStrideOfHlo(const Shape& shape);

}  // namespace layoutcheck
