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
#include "layoutcheck/cli/pictures/picture_plan.h"

namespace layoutcheck {

// One dimension of a grid.
struct GridAxis {
  std::string name;
  int64_t size = 1;
  // Lengths of the nested blocks between which borders are drawn, the largest first.
  std::vector<int64_t> blocks;
  // Returns true if a border is drawn before an index > 0, for borders that are no multiples of one length. May be
  // null.
  std::function<bool(int64_t index)> has_border = {};

  // Returns how many borders meet before an index: 0 inside all blocks, more where larger blocks begin.
  size_t BordersBefore(int64_t index) const;
};

struct CellGrid final : CellPicture {
  std::vector<GridAxis> axes;  // one per dimension, in the order of coordinates
  // The axes that run down and across. The others count pages, the last one fastest.
  std::optional<size_t> rows;
  std::optional<size_t> columns;

  std::string what;         // "Array", "Tile"
  std::string labels;       // what labels mean: "the linear index"
  std::string empty_cells;  // what a place without a label is, if there are any
  std::string marks;        // what marked cells are, if there are any
  std::vector<ColorMeaning> colors;
  size_t label_width = 1;
  std::optional<std::vector<int64_t>> focus;  // coordinate of a cell that a folded picture keeps
  // Returns the cell at a coordinate within the axes.
  std::function<PictureCell(std::span<const int64_t> coordinate)> cell;

  // Returns an axis, or one of size 1 if there is none.
  const GridAxis& RowAxis() const;
  const GridAxis& ColumnAxis() const;
  int64_t PageCount() const;
  // Returns the coordinate of a cell of a page.
  std::vector<int64_t> Coordinate(int64_t page, int64_t row, int64_t column) const;
  // Returns "y down and x across", or less for fewer dimensions.
  std::string Directions() const;
  // Returns the legend with these directions, which may be empty.
  PictureLegend LegendOf(const std::string& directions) const;

  bool IsTable() const override { return true; }
  // Plans the corners of the grid, the surroundings of its focus, and as much else as fits.
  PicturePlan Plan(const PictureMetrics& metrics) const override;
  PictureLegend Legend() const override { return LegendOf(Directions()); }
  std::string PageTitle(int64_t page) const override;
  size_t LabelWidth() const override { return label_width; }
  size_t ColumnNumberWidth() const override;
  size_t LineNumberWidth() const override;
  int64_t NumberAt(const PicturePlan& /*plan*/, const CellPlace& place) const override { return place.line; }
  std::optional<PictureCell> CellAt(const PicturePlan& /*plan*/, const CellPlace& place) const override {
    return cell(Coordinate(place.page, place.line, place.cell));
  }

 private:
  bool IsPageAxis(size_t axis) const { return axis != rows && axis != columns; }
  // Returns the page with the focus, which must be there.
  int64_t PageOfFocus() const;
};

}  // namespace layoutcheck
