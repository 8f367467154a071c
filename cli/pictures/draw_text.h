// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The picture of memory for a terminal.
#ifndef LAYOUTCHECK_CLI_PICTURES_DRAW_TEXT_H_
#define LAYOUTCHECK_CLI_PICTURES_DRAW_TEXT_H_

#include <string>

#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// Draws the boxes of memory with the coordinates in their cells, padding shaded, folded to fit, below a line that says
// how to read the picture. Requires at least one cell.
std::string DrawText(const MemoryBoxes& boxes, const TextStyle& style);

// Draws all of memory as letters, a b c ... for the elements in logical order (the last dimension fastest) and
// `padding_symbol` elsewhere: "a d 0 b e 0 c f 0". Returns an empty text for more than 26 elements or a line wider than
// the style.
std::string DrawLetters(const MemoryBoxes& boxes, char padding_symbol, const TextStyle& style);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_DRAW_TEXT_H_
