// Strides of tiles, as JAX's Mosaic dialects write them beside a tiling.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"

namespace layoutcheck {

// Mosaic TPU, #tpu.tiled<tiles, [tile_strides]>: tile_strides[d] is the distance, counted in tiles, between neighboring
// tiles along dimension d (elements along a dimension that the first tile does not reach). The result is the largest k
// such that the tiles of the last k dimensions follow each other without gaps in row-major order. A dimension of one
// tile has no neighbors: its stride does not matter. Shape::kUnboundedSize is a dynamic size: nothing but dimensions of
// one tile can follow it. Errors: as many strides as dimensions are expected, sizes >= 0, a first tile of at most as
// many dimensions, its entries >= 1.
Expected<int64_t> NumTrailingDimsWithContiguousTiles(std::span<const Tile> tiles, std::span<const int64_t> tile_strides,
                                                     std::span<const int64_t> shape);

// A row-major array laid out tile after tile, as Mosaic GPU transforms a memref type: the shape is the counts of tiles
// and then the tile, the strides are those of a row-major array of that shape, whatever the ties between equal strides
// of the original are.
struct TiledShape {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;

  bool operator==(const TiledShape&) const = default;
};

// The tile covers the last dimensions. Errors: a tile of more dimensions than the array; an entry that is not >= 1 or
// does not divide its dimension (Mosaic GPU does not pad); a negative size; overflow.
Expected<TiledShape> TileRowMajorShape(std::span<const int64_t> shape, std::span<const int64_t> tile);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_TILE_STRIDES_H_
