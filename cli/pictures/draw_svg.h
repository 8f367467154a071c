// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws memory as SVG, and as an HTML page with the sizes. Neither needs scripts or other files.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// A layout to draw.
struct Picture {
  std::string title;  // text of the layout
  std::vector<Fact> summary;
  const MemoryBoxes* boxes = nullptr;  // null if there is nothing to draw
};

// Draws title, sizes and memory: a small array with coordinates in the cells; a larger one first as plain cells,
// colored by row, with padding hatched, and then with coordinates. Large pictures are folded.
std::string DrawSvg(const Picture& picture);

// Draws only the memory, as an <svg> element with `label` as its description.
std::string DrawMemorySvg(std::string_view label, const MemoryBoxes& boxes);

// Draws a page with title, a table of the sizes, and the memory as embedded SVG.
std::string DrawHtml(const Picture& picture);

}  // namespace layoutcheck
