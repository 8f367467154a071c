// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The picture of memory as SVG, and as an HTML page with the sizes. Neither needs scripts or other files.
#ifndef LAYOUTCHECK_CLI_PICTURES_DRAW_SVG_H_
#define LAYOUTCHECK_CLI_PICTURES_DRAW_SVG_H_

#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// A layout to be drawn.
struct Picture {
  std::string title;  // the layout's text
  std::vector<Fact> summary;
  const MemoryBoxes* boxes = nullptr;  // null if there is nothing to draw
};

// Draws title, sizes and memory. A small array is drawn cell by cell with coordinates. A larger one is drawn first as
// tiles of plain cells, colored by row, with padding hatched, and then with coordinates. Large pictures are folded.
std::string DrawSvg(const Picture& picture);

// Draws the memory alone, as an <svg> element with `label` as its description.
std::string DrawMemorySvg(std::string_view label, const MemoryBoxes& boxes);

// Draws title, sizes and memory as a page: the sizes as a table, the picture as SVG in the page.
std::string DrawHtml(const Picture& picture);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_DRAW_SVG_H_
