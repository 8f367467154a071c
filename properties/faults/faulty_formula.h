// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second implementation of the closed formula with a place for each common mistake.
#pragma once

#include <cstdint>
#include <span>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// The mistakes of a formula. By default there is none; a fault changes one member.
struct FormulaMistakes {
  int64_t (*count)(int64_t size, int64_t tile) = [](int64_t size, int64_t tile) { return CeilDiv(size, tile); };
  int64_t (*quotient)(int64_t i, int64_t tile) = [](int64_t i, int64_t tile) { return i / tile; };
  int64_t (*remainder)(int64_t i, int64_t tile) = [](int64_t i, int64_t tile) { return i % tile; };
  // Combines the index of a dimension of size `a` with that of the next more minor one of size `b`.
  int64_t (*combine)(int64_t i, int64_t j, int64_t a, int64_t b) = [](int64_t i, int64_t j, int64_t, int64_t b) {
    return i * b + j;
  };
  // Converts every stride and sum to a narrower type.
  int64_t (*narrow)(int64_t value) = [](int64_t value) { return value; };
  bool tile_on_prefix = false;            // tiles take the major-most dimensions
  bool later_tiles_on_counts = false;     // a later tile takes the tile counts in place of the tile
  bool remainders_swapped = false;        // the last two remainders of a tile change places
  bool inner_before_outer = false;        // remainders go to the major end
  bool quotients_reversed = false;        // quotients of a tile are in the opposite order
  bool missing_dimensions_minor = false;  // a longer tile adds dimensions of size 1 at the minor end
  bool combined_size_forgotten = false;   // a combined dimension keeps the size of its major part
  bool strides_of_unpadded = false;       // strides come from sizes that were not rounded up
  bool partial_tile_compact = false;      // the last tile of a dimension is stored with its own size
  bool last_stride_two = false;           // an odd minor-most size is rounded up to even
};

int64_t FormulaWith(const FormulaMistakes& mistakes, const TiledLayout& layout, std::span<const int64_t> index);

}  // namespace layoutcheck
