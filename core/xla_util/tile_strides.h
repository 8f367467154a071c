// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides of tiles, which JAX's Mosaic dialects write beside a tiling.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"

namespace layoutcheck {

// Returns the largest k such that the tiles of the last k dimensions follow each other without gaps in row-major order.
// In Mosaic TPU's #tpu.tiled<tiles, [tile_strides]>, tile_strides[d] is the distance between neighboring tiles along
// dimension d, in tiles (in elements along a dimension that the first tile does not cover). The stride of a dimension
// of one tile does not matter. Shape::kUnboundedSize is a dynamic size; more major than it, only dimensions of one tile
// count. Errors: not one stride per dimension; a negative size; a first tile with more dimensions than the array or an
// entry < 1.
Expected<int64_t> NumTrailingDimsWithContiguousTiles(std::span<const Tile> tiles, std::span<const int64_t> tile_strides,
                                                     std::span<const int64_t> shape);

// A row-major array that is stored tile after tile, as Mosaic GPU transforms a memref type. The shape is the numbers of
// tiles followed by the tile; the strides are those of a row-major array of that shape.
struct TiledShape {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;

  bool operator==(const TiledShape&) const = default;
};

// Cuts a row-major array of this shape into tiles that cover its last dimensions. Errors: a tile of more dimensions
// than the array; an entry that is < 1 or does not divide its dimension (Mosaic GPU does not pad); a negative size;
// overflow.
Expected<TiledShape> TileRowMajorShape(std::span<const int64_t> shape, std::span<const int64_t> tile);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_
