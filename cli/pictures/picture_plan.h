// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of cells, which one writer draws as text and another as SVG: memory (MemoryBoxes), or an array in its own
// order (CellGrid). A picture has pages of rows of boxes, and a box has lines of cells. It shows as many of them as
// fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace layoutcheck {

// The items of one nested level that are drawn: the first and the last ones, with a fold between them.
struct FoldedLevel {
  int64_t count = 1;
  int64_t shown = 1;  // 1 <= shown <= count

  bool folded() const { return shown < count; }
  // Returns the indices of the shown items, increasing. The fold is at a step of more than 1, or after an only item.
  std::vector<int64_t> Items() const;
};

// Returns the largest choice of items whose `extent` is at most `limit`. `extent` takes the levels, outermost first,
// and returns a double, because products may be large. A level keeps two items if possible and always one. Requires
// counts >= 1 and an extent that does not shrink when more is shown.
std::vector<FoldedLevel> FoldToFit(std::span<const int64_t> counts, double limit,
                                   const std::function<double(std::span<const FoldedLevel>)>& extent);

// A piece of what is drawn along one direction.
struct Slot {
  enum class Kind { kItem, kBorder, kFold };
  Kind kind = Kind::kItem;
  // The index of an item; the level of a border, 1 for the smallest groups; the number of items that a fold leaves out.
  int64_t number = 0;
};

// Lengths of the pieces, in characters or pixels. `gap` lies between each two of them.
struct SlotLengths {
  double item = 0;
  double border = 0;
  double fold = 0;
  double gap = 0;
};
double LengthOf(std::span<const Slot> slots, const SlotLengths& lengths);

// Returns the items of the level as slots without borders.
std::vector<Slot> SlotsOf(const FoldedLevel& level);

// Measures of a drawing, in characters or pixels.
struct PictureMetrics {
  double max_width = 0;
  double max_height = 0;
  SlotLengths across;        // pieces of a line of cells
  double frame = 0;          // both sides of a box together
  double box_gap = 0;        // between boxes
  double margin = 0;         // left of everything
  SlotLengths down;          // lines of a box; its fold also stands for rows and pages that are left out
  double box_overhead = 0;   // height of a box without its lines
  double page_overhead = 0;  // height of a page without its boxes
};

// The part of a picture that is drawn, from the outside in.
struct PicturePlan {
  std::vector<Slot> pages;
  std::vector<Slot> rows;     // rows of boxes of every page
  std::vector<Slot> columns;  // boxes of every row
  std::vector<Slot> lines;    // lines of every box
  std::vector<Slot> cells;    // pieces of every line
  int64_t line_cells = 1;     // number of cells of a line, where a long one is wrapped
  bool folded = false;
};

// The place of a cell in a picture. Each number counts within what the one before names.
struct CellPlace {
  int64_t page = 0;
  int64_t row = 0;
  int64_t column = 0;
  int64_t line = 0;
  int64_t cell = 0;
};

// A drawn cell.
struct PictureCell {
  std::string label;    // at most LabelWidth() characters; empty for a place that holds nothing
  std::string details;  // text that SVG shows where the pointer rests on the cell, such as "17: y=2 x=3"
  int color = 0;        // 0 to 7
  bool marked = false;
};

// A range of colors in a legend.
struct ColorMeaning {
  int first = 0;
  int count = 1;
  bool marked = false;
  std::string meaning;
};

// The explanation beside a picture.
struct PictureLegend {
  std::string description;         // heading in text: "Array, y down and x across; in each cell the linear index"
  std::string marks;               // what marked cells are, if there are any
  std::string remark;              // another part of the text, or empty
  std::vector<std::string> notes;  // the same as sentences for SVG, one per line
  std::vector<ColorMeaning> colors;
  std::string empty_cells;  // what a place without a label is, if there are any
  std::string tail;         // "8 elements of tail padding from 24", which follow all cells
};

// A picture that the writers can draw.
class CellPicture {
 public:
  virtual ~CellPicture() = default;

  // Returns true for one box per page with indices along both axes. Otherwise the linear index stands above each box.
  virtual bool IsTable() const = 0;
  // Plans a picture that keeps within the maximal width and height. Requires at least one cell.
  virtual PicturePlan Plan(const PictureMetrics& metrics) const = 0;
  virtual PictureLegend Legend() const = 0;
  // Returns "z=0 y=3", or an empty text if there are no pages.
  virtual std::string PageTitle(int64_t page) const = 0;
  virtual size_t LabelWidth() const = 0;
  // Return the number of digits of the largest number above the cells and left of the lines; 0 where none stands. In
  // SVG only lines of tables are numbered.
  virtual size_t ColumnNumberWidth() const = 0;
  virtual size_t LineNumberWidth() const = 0;
  // Returns the number of a table's line, or the linear index of the cell.
  virtual int64_t NumberAt(const PicturePlan& plan, const CellPlace& place) const = 0;
  // Returns nothing where the allocation has ended.
  virtual std::optional<PictureCell> CellAt(const PicturePlan& plan, const CellPlace& place) const = 0;
};

}  // namespace layoutcheck
