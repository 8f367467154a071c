// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans which part of memory a picture shows, so that it fits. Drawings in text and in SVG share the plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include "layoutcheck/cli/pictures/fold.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// Measures of a drawing, in characters or pixels.
struct PictureMetrics {
  double max_width = 0;
  double max_height = 0;

  // Widths.
  double cell = 0;
  double gap = 0;        // between cells of an innermost group
  double group_gap = 0;  // between groups
  double fold = 0;       // mark for cells or boxes that are left out
  double frame = 0;      // both sides of a box together
  double box_gap = 0;    // between boxes
  double margin = 0;     // left of everything

  // Heights.
  double line = 0;           // line of cells
  double line_fold = 0;      // mark for lines, boxes or pages that are left out
  double box_overhead = 0;   // box without its lines
  double page_overhead = 0;  // page without its boxes
};

// A piece of a drawn line of cells.
struct LineSlot {
  enum class Kind { kCell, kGap, kFold };
  Kind kind = Kind::kCell;
  size_t level = 0;  // for gaps: 0 between cells of an innermost group, 1 between groups, 2 between groups of groups
  int64_t cell = 0;  // for cells: number of the cell in the line
};

struct PicturePlan {
  FoldedLevel pages;
  FoldedLevel rows;
  FoldedLevel columns;
  FoldedLevel lines;
  std::vector<LineSlot> slots;  // pieces of every line of every box, from left to right
  // Numbers of cells. A box of one line without groups is wrapped, and its last line may be shorter.
  int64_t line_cells = 1;
  int64_t box_cells = 1;
  bool folded = false;

  // Returns the number of cells before a box, over all pages. `row` counts through all pages.
  int64_t FirstCell(int64_t row, int64_t column) const { return (row * columns.count + column) * box_cells; }
};

// Plans a picture that keeps within the maximal width and height. Requires at least one cell.
PicturePlan PlanPicture(const MemoryBoxes& boxes, const PictureMetrics& metrics);

// Returns the width of a drawn line of cells, without the frame of its box.
double SlotsWidth(const PicturePlan& plan, const PictureMetrics& metrics);

}  // namespace layoutcheck
