// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans which cells of a grid a picture shows, so that it fits. Drawings in text and in SVG share the plan.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/cli/pictures/cell_grid.h"

namespace layoutcheck {

// Lengths along one direction of a drawing, in characters or pixels.
struct GridLengths {
  double max = 0;       // of the whole drawing
  double overhead = 0;  // of a page without its cells
  double cell = 0;
  double border = 0;
  double fold = 0;
};

// A piece of a row or column of a drawn grid. Where pages are planned, a cell is a page.
struct GridSlot {
  enum class Kind { kCell, kBorder, kFold };
  Kind kind = Kind::kCell;
  // A cell's index along the axis, a border's value of GridAxis::BordersBefore, or the number of cells that a fold
  // leaves out.
  int64_t number = 0;
};

struct GridPlan {
  std::vector<GridSlot> pages;
  std::vector<GridSlot> rows;     // pieces of every page, from top to bottom
  std::vector<GridSlot> columns;  // pieces of every row, from left to right
  bool folded = false;
};

// Plans a picture that shows the corners of the grid, the surroundings of its focus, and as much else as fits. Requires
// at least one cell.
GridPlan PlanGrid(const CellGrid& grid, const GridLengths& across, const GridLengths& down);

// Returns the length of the slots without the overhead.
double LengthOf(const std::vector<GridSlot>& slots, const GridLengths& lengths);

}  // namespace layoutcheck
