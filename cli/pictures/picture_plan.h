// What of memory a picture shows, so that it fits: shared by the drawings in text and in SVG.
#ifndef LAYOUTCHECK_CLI_PICTURES_PICTURE_PLAN_H_
#define LAYOUTCHECK_CLI_PICTURES_PICTURE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layoutcheck/cli/pictures/fold.h"
#include "layoutcheck/cli/pictures/memory_boxes.h"

namespace layoutcheck {

// Widths and heights in the unit of the drawing: characters or pixels.
struct PictureMetrics {
  double max_width = 0;
  double max_height = 0;

  double cell = 0;       // width of a cell
  double gap = 0;        // between cells of an innermost group
  double group_gap = 0;  // between groups
  double fold = 0;       // mark of cells, and of boxes, that are left out
  double frame = 0;      // both sides of a box
  double box_gap = 0;    // between boxes
  double margin = 0;     // left of everything

  double line = 0;           // height of a line of cells
  double line_fold = 0;      // mark of lines, boxes or pages that are left out
  double box_overhead = 0;   // of a box beside its lines
  double page_overhead = 0;  // of a page beside its boxes
};

// A piece of a drawn line of cells.
struct LineSlot {
  enum class Kind { kCell, kGap, kFold };
  Kind kind = Kind::kCell;
  // A gap: 0 between cells of an innermost group, 1 between groups, 2 and more between groups of groups.
  size_t level = 0;
  // A cell: its number in the line.
  int64_t cell = 0;
};

struct PicturePlan {
  FoldedLevel pages;
  FoldedLevel rows;
  FoldedLevel columns;
  FoldedLevel lines;
  // Every line of every box is drawn as these, from left to right.
  std::vector<LineSlot> slots;
  // Cells in a line and in a box. A box of one line without groups is wrapped, so that its last line may be shorter.
  int64_t line_cells = 1;
  int64_t box_cells = 1;
  bool folded = false;

  // The linear index, counted from the first cell, of a box: its row is counted through all pages.
  int64_t FirstCell(int64_t row, int64_t column) const { return (row * columns.count + column) * box_cells; }
};

// Requires at least one cell.
PicturePlan PlanPicture(const MemoryBoxes& boxes, const PictureMetrics& metrics);

// The width of a drawn line of cells, without the frame of its box.
double SlotsWidth(const PicturePlan& plan, const PictureMetrics& metrics);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_PICTURE_PLAN_H_
