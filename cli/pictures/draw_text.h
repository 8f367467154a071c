// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws memory as text for a terminal.
#pragma once

#include <string>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// Draws a legend and the boxes of memory, coordinates in the cells, padding shaded, folded to fit. Requires a cell.
std::string DrawText(const MemoryBoxes& boxes, const TextStyle& style);

// Draws memory as letters, a b c ... for the elements in logical row-major order and `padding_symbol` elsewhere: "a d 0
// b e 0 c f 0". Returns an empty text for more than 26 elements or a line wider than the style.
std::string DrawLetters(const MemoryBoxes& boxes, char padding_symbol, const TextStyle& style);

}  // namespace layoutcheck
