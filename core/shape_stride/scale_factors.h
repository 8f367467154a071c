// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout in which tensor cores of Blackwell take the scale factors of MXFP8, MXFP4 and NVFP4, by name:
//
//     layout = "sf128x4" "[" rows "," columns "]"        sf128x4[256,8]
//
// A row is one of the matrix that is scaled, a column one block of 32 or 16 of its elements. Scale factors lie in tiles
// of 128 x 4, of 512 elements each, row of tiles by row of tiles; within a tile, (r,c) is at r % 32 * 16 + r / 32 * 4 +
// c. Sources: cuBLAS 12.9, "1D Block Scaling Factors Layout"; CUTLASS, Sm1xxBlockScaledConfig.
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns true if the text looks like the name of the layout. Checks only the first characters.
bool IsScaleFactorText(std::string_view text);

// Returns the strides of a name. Errors: syntax, with the column; sizes that are no positive multiples of 128 and 4
// (invalid layout), because the allocation is padded to whole tiles; an offset that does not fit int64 (overflow).
Expected<ShapeStrideLayout> ParseScaleFactors(std::string_view text);

}  // namespace layoutcheck
