// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section of an SVG drawing: the boxes of memory, with coordinates in the cells or as plain cells.
#pragma once

#include <string_view>
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"

namespace layoutcheck {

// The size that a drawing may have, in pixels. A larger one is folded.
struct SvgRoom {
  double width = SvgCanvas::kWidth;
  double height = 1400;
};

struct SvgSectionStyle {
  bool labels = false;    // coordinates in the cells
  double cell_width = 0;  // pixels
  double cell_height = 0;
  double group_gap = 0;  // between groups of cells
  SvgRoom room;
};

// Returns the style with coordinates in the cells, which are wide enough for the coordinates.
SvgSectionStyle LabelledSvgStyle(const MemoryBoxes& boxes, const SvgRoom& room);

struct SvgSectionSize {
  bool folded = false;
  double cells = 0;  // number of cells drawn
};
SvgSectionSize MeasureSvgSection(const MemoryBoxes& boxes, const SvgSectionStyle& style);

// Draws the section at canvas.y and moves canvas.y to its end. Requires at least one cell.
void DrawSvgSection(const MemoryBoxes& boxes, const SvgSectionStyle& style, SvgCanvas& canvas);

}  // namespace layoutcheck
