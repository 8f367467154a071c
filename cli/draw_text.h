// The picture of memory for a terminal.
#ifndef LAYOUTCHECK_CLI_DRAW_TEXT_H_
#define LAYOUTCHECK_CLI_DRAW_TEXT_H_

#include <cstdint>
#include <string>

#include "layoutcheck/cli/memory_boxes.h"

namespace layoutcheck {

struct TextStyle {
  bool utf8 = true;     // box drawing characters; otherwise ASCII
  int64_t width = 100;  // columns; a picture that is wider is folded
  int64_t height = 40;  // lines, likewise
};

// The boxes of memory with the coordinates that they hold, padding shaded, folded to fit, after a line that says how to
// read it. Requires at least one cell.
std::string DrawText(const MemoryBoxes& boxes, const TextStyle& style);

// All of memory as letters, a b c ... for the elements in logical order (the last dimension fastest) and
// `padding_symbol` elsewhere: "a d 0 b e 0 c f 0". Empty where there are more than 26 elements or the line is wider
// than the style.
std::string DrawLetters(const MemoryBoxes& boxes, char padding_symbol, const TextStyle& style);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_DRAW_TEXT_H_
