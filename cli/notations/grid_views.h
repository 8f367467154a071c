// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as grids, in their own order: one layout with its linear indices, two layouts that are compared, and the tile
// that a layout gives to threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/core/tiling/same_positions.h"

namespace layoutcheck {

// Returns the array in its own order, with the linear index in each cell and borders between tiles, fractals and the
// parts of nested modes. The last two dimensions of an array run down and across; of a shape:stride layout, modes 0
// and 1 do. Requires at least one element. The result refers to `layout`.
CellGrid LogicalGrid(const AnyLayout& layout);

struct GridPair {
  CellGrid a;
  CellGrid b;
};

// Returns both arrays in their own order, with the elements marked that have another linear index in the other array.
// Elements correspond as in Compare, whose requirements for `transpose` hold here, too; nothing is marked if the
// numbers of elements differ. Folded pictures keep the element `moved`. Requires at least one element of each. The
// result refers to the layouts.
GridPair ComparisonGrids(const AnyLayout& a, const AnyLayout& b, const std::optional<std::vector<int64_t>>& transpose,
                         const std::optional<MovedElement>& moved);

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
