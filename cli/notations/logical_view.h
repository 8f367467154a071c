// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/cell_grid.h"

namespace layoutcheck {

// Returns the array in its own order, with the linear index in each cell and borders between tiles, fractals and the
// parts of nested modes. The last two dimensions of an array run down and across; of a shape:stride layout, modes 0
// and 1 do. Requires at least one element. The result refers to `layout`.
CellGrid LogicalGrid(const AnyLayout& layout);

// Chooses the axes of a grid that run down and across: `rows_first` takes axes 0 and 1, otherwise it is the last two. A
// single axis runs across.
void ArrangeAxes(CellGrid& grid, bool rows_first);

// Returns "17: y=2 x=3".
std::string CellDetails(std::string_view name, std::span<const GridAxis> axes, std::span<const int64_t> coordinate);

}  // namespace layoutcheck
