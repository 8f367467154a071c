// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/cell_grid.h"

namespace layoutcheck {

// Reads the sizes of a tile: "16x8", or one or more than two sizes. Errors: kSyntax with a column, kOverflow.
Expected<std::vector<int64_t>> ReadTileSizes(std::string_view text);

// Returns the tile that a thread-value layout describes, with the thread and the value that hold an element in its
// cell. Mode 0 of a shape:stride layout counts threads, mode 1 the values of a thread; the linear index counts the
// elements of the tile with dimension 0 fastest, as CuTe does. Without sizes the tile is one row that holds all. In a
// layout in bits `register` counts values, all other inputs count threads, and the tile is that of the outputs.
// Requires at least one thread and one value. Errors: no such layout, sizes for a layout in bits, or an index outside
// the tile (invalid argument); more than 2^20 pairs of a thread and a value (unsupported).
Expected<CellGrid> ThreadGrid(const AnyLayout& layout, std::span<const int64_t> tile_sizes);

}  // namespace layoutcheck
