// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of labelled cells, as which an array is drawn in its own order: a table with rows, columns and pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace layoutcheck {

// One place of a grid.
struct GridCell {
  std::string label;    // at most CellGrid::label_width characters; empty for a place that holds nothing
  std::string details;  // for the pointer that rests on the cell, such as "17: y=2 x=3"
  int color = 0;        // 0 to 7
  bool marked = false;
};

// One dimension of a grid.
struct GridAxis {
  std::string name;
  int64_t size = 1;
  // Lengths of the nested blocks between which borders are drawn, the largest first.
  std::vector<int64_t> blocks;

  // Returns how many borders meet before an index: 0 inside all blocks, more where larger blocks begin.
  size_t BordersBefore(int64_t index) const;
};

// A range of colors in a legend.
struct GridColor {
  int first = 0;
  int count = 1;
  bool marked = false;
  std::string meaning;
};

struct CellGrid {
  std::vector<GridAxis> axes;  // one per dimension, in the order of coordinates
  // The axes that run down and across. The others count pages, the last one fastest.
  std::optional<size_t> rows;
  std::optional<size_t> columns;

  std::string what;         // "Array", "Tile"
  std::string labels;       // what labels mean: "the linear index"
  std::string empty_cells;  // what a place without a label is, if there are any
  std::string marks;        // what marked cells are, if there are any
  std::vector<GridColor> colors;
  size_t label_width = 1;
  std::optional<std::vector<int64_t>> focus;  // coordinate of a cell that a folded picture keeps
  // Returns the cell at a coordinate within the axes.
  std::function<GridCell(std::span<const int64_t> coordinate)> cell;

  // Returns an axis, or one of size 1 if there is none.
  const GridAxis& RowAxis() const;
  const GridAxis& ColumnAxis() const;
  int64_t PageCount() const;
  // Returns the coordinate of a cell of a page.
  std::vector<int64_t> Coordinate(int64_t page, int64_t row, int64_t column) const;
  int64_t PageOf(std::span<const int64_t> coordinate) const;
  // Returns "z=0 y=3", or an empty text if no axis counts pages.
  std::string PageTitle(int64_t page) const;
  // Returns "y down and x across", or less for fewer dimensions.
  std::string Directions() const;
  // Returns "Array, y down and x across; in each cell the linear index". `directions` may be empty.
  std::string Description(const std::string& directions) const;

 private:
  bool IsPageAxis(size_t axis) const { return axis != rows && axis != columns; }
};

}  // namespace layoutcheck
