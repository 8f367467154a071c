// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The boxes as which memory is drawn: an allocation is boxes (tiles) of lines of cells, read like a page.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/pictures/picture_plan.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// An allocation cut into boxes. The linear index is row major over pages, rows and columns of boxes, lines of a box,
// and cells of a line, in the order of the fields. Cells are nested groups: 128 groups of 2 for T(8,128)(2,1).
struct MemoryBoxes final : CellPicture {
  // A leading dimension that is drawn page by page.
  struct Page {
    int64_t size = 1;
    std::optional<int64_t> dimension;  // logical dimension, or nothing if pages count tiles
  };

  std::vector<Page> pages;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t lines = 1;
  std::vector<int64_t> groups;
  int64_t tail = 0;            // padding after all boxes (L(n)), in elements
  std::optional<int64_t> end;  // first cell outside the allocation, if the last box is partly outside
  bool tiled = false;          // each box is a tile; otherwise each page is one box
  bool shared = false;         // elements may share an address, and `element` returns the first
  int64_t first_offset = 0;    // linear index of the first cell

  std::string empty_cell = "padding";  // what a cell without an element is

  // Sizes and names of the dimensions of the logical array.
  std::vector<int64_t> dimensions;
  std::vector<std::string> names;
  // Returns the coordinate stored at a linear index before the tail, or nothing for padding.
  std::function<std::optional<std::vector<int64_t>>(int64_t offset)> element;

  // Returns the number of cells on all pages, without the tail.
  int64_t Cells() const;

  bool IsTable() const override { return false; }
  PicturePlan Plan(const PictureMetrics& metrics) const override;
  PictureLegend Legend() const override;
  // Returns "tile 3" if a page is no whole dimension.
  std::string PageTitle(int64_t page) const override;
  size_t LabelWidth() const override;
  size_t ColumnNumberWidth() const override { return 0; }
  size_t LineNumberWidth() const override;
  int64_t NumberAt(const PicturePlan& plan, const CellPlace& place) const override;
  std::optional<PictureCell> CellAt(const PicturePlan& plan, const CellPlace& place) const override;

 private:
  int64_t PageCount() const;
  int64_t CellsInLine() const;
  int64_t CellsInBox() const { return lines * CellsInLine(); }
  int64_t CellsOfAllocation() const { return end.value_or(Cells()); }
  bool HasPadding() const;
  // Returns the dimensions whose coordinates are drawn in a cell: all that vary within a page.
  std::vector<size_t> CellDimensions() const;
};

// Returns the boxes of a tiled layout, one per tile of the largest tiling, without `element`. Requires a padded element
// count that fits int64.
MemoryBoxes BoxesOf(const TiledLayout& layout);

}  // namespace layoutcheck
