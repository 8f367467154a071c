// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a layout as CATLASS TLA cuts them.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_TILE_LAYOUT_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_TILE_LAYOUT_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the layout of the tile of the parent that starts at `coordinate` (tla::GetTileLayout). It has the parent's
// strides and inner blocks, as many blocks as the tile needs, and an origin shape that ends where the parent's does:
// min(tile, max(origin - coordinate, 0)). TLA computes the origin shape in uint32, this function in int64.
//
// Law: at the parent's own coordinates the tile has the parent's offsets. Relative to the tile's start it has them if
// the start begins an inner block in each mode. Errors: a tile shape or a coordinate that is not one integer >= 0 per
// mode (invalid argument); a mode nested deeper than (inner,outer) (unsupported).
Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_TILE_LAYOUT_H_
