// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of an SVG drawing with grids.
#pragma once

#include <string>
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"

namespace layoutcheck {

// The place of a grid in a picture and the size that it may have, in pixels. A larger grid is folded.
struct SvgGridPlace {
  double x = SvgCanvas::kMargin;
  double max_width = SvgCanvas::kWidth;
  double max_height = 1400;
};

// Returns true if the grid is too large to be drawn whole. Requires at least one cell.
bool IsFolded(const CellGrid& grid, const SvgGridPlace& place);

// Draws what the colors, labels and marks of the grid mean, where its axes run, and what dots mean if it is folded.
// Moves canvas.y to the end.
void DrawGridLegend(const CellGrid& grid, const std::string& directions, bool folded, SvgCanvas& canvas);

// Draws the grid with its row and column numbers at canvas.y, which it moves to the end. Returns the width. Requires at
// least one cell.
double DrawGrid(const CellGrid& grid, const SvgGridPlace& place, SvgCanvas& canvas);

}  // namespace layoutcheck
