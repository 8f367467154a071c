// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws memory and grids as text for a terminal.
#pragma once

#include <string>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// Draws a legend and the picture, folded to fit: of memory with coordinates in the cells and padding shaded, of a grid
// with its row and column numbers. Requires a cell.
std::string DrawText(const CellPicture& picture, const TextStyle& style);

// Draws a legend and two grids beside each other, each below its title. Requires at least one cell of each.
std::string DrawPairText(const CellGrid& left, const std::string& left_title, const CellGrid& right,
                         const std::string& right_title, const TextStyle& style);

// Draws memory as letters, a b c ... for the elements in logical row-major order and `padding_symbol` elsewhere: "a d 0
// b e 0 c f 0". Returns an empty text for more than 26 elements or a line wider than the style.
std::string DrawLetters(const MemoryBoxes& boxes, char padding_symbol, const TextStyle& style);

}  // namespace layoutcheck
