// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides of tiles, which JAX's Mosaic dialects write beside a tiling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"

namespace layoutcheck {

// Returns the largest k such that the tiles of the last k dimensions follow each other without gaps in row-major order.
// In Mosaic TPU's #tpu.tiled<tiles, [tile_strides]>, tile_strides[d] is the distance between neighboring tiles along
// dimension d, in tiles (in elements if the first tile does not cover d). The stride of a dimension of one tile does
// not matter. Shape::kUnboundedSize is a dynamic size; more major dimensions count only if they have one tile. Errors:
// not one stride per dimension; a negative size; a first tile of higher rank than the array or with an entry < 1.
Expected<int64_t> NumTrailingDimsWithContiguousTiles(std::span<const Tile> tiles, std::span<const int64_t> tile_strides,
                                                     std::span<const int64_t> shape);

// A row-major array stored tile after tile, as Mosaic GPU transforms a memref type: `shape` is the numbers of tiles
// followed by the tile, and `strides` are those of a row-major array of that shape.
struct TiledShape {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;

  bool operator==(const TiledShape&) const = default;
};

// Cuts a row-major array into tiles that cover its last dimensions. Errors: a tile of more dimensions than the array;
// an entry that is < 1 or does not divide its dimension (Mosaic GPU does not pad); a negative size; overflow.
Expected<TiledShape> TileRowMajorShape(std::span<const int64_t> shape, std::span<const int64_t> tile);

}  // namespace layoutcheck
