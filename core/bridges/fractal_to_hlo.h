// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"

namespace layoutcheck {

// Returns the XLA array with the tag's layout. Tiles are the same for all sizes: zN is {0,1:T(C0,16)(C0,1)}. Types of 4
// bits are packed, E(4). Errors: those of ShapeStrideOf.
Expected<Shape> HloOfFractal(const FractalLayout& fractal);

}  // namespace layoutcheck
