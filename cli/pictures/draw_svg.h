// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws memory and grids as SVG, and as an HTML page with the sizes. Neither needs scripts or other files.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/pictures/accessed_banks.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// The size that a picture may have and its left end, in pixels. A larger one is folded.
struct SvgRoom {
  double width = SvgCanvas::kWidth;
  double height = 1400;
  double left = SvgCanvas::kMargin;
};

// A layout to draw. Each pointer may be null, and all are if there is nothing to draw.
struct Picture {
  std::string title;  // text of the layout
  std::vector<Fact> summary;
  const MemoryBoxes* boxes = nullptr;  // memory in its order
  const CellGrid* grid = nullptr;      // the array in its order
  const AccessedBanks* banks = nullptr;
};

// Draws title, sizes, banks, grid and memory: a small array with coordinates in the cells; a larger one first as plain
// cells, colored by row, with padding hatched, and then with coordinates. Large pictures are folded.
std::string DrawSvg(const Picture& picture);

// Two arrays to draw beside each other. Both grids may be null if there is nothing to draw.
struct PicturePair {
  std::string title;
  std::vector<Fact> summary;
  std::string left_title;
  std::string right_title;
  const CellGrid* left = nullptr;
  const CellGrid* right = nullptr;
};

// Draws title, summary and both grids, of which each takes at most half of the width.
std::string DrawPairSvg(const PicturePair& pair);

// Draws only memory or a grid, as an <svg> element with `label` as its description.
std::string DrawCellsSvg(std::string_view label, const CellPicture& picture, const SvgRoom& room = {});

// Draws only the lanes and banks of an access, as an <svg> element with `label` as its description. The cells may be
// wider than `width` pixels, the text is not.
std::string DrawBanksSvg(std::string_view label, const AccessedBanks& banks, double width = SvgCanvas::kWidth);

// Draws a page with title, a table of the sizes, and banks, grid and memory as embedded SVG.
std::string DrawHtml(const Picture& picture);

}  // namespace layoutcheck
