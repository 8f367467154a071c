// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws grids as text for a terminal.
#pragma once

#include <string>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/cell_grid.h"

namespace layoutcheck {

// Draws a legend and the grid with its row and column numbers, folded to fit. Requires at least one cell.
std::string DrawGridText(const CellGrid& grid, const TextStyle& style);

// Draws a legend and two grids beside each other, each below its title. Requires at least one cell of each.
std::string DrawGridPairText(const CellGrid& left, const std::string& left_title, const CellGrid& right,
                             const std::string& right_title, const TextStyle& style);

}  // namespace layoutcheck
