// How memory is drawn: an allocation as boxes (tiles) of lines of cells, read like a page.
#ifndef LAYOUTCHECK_CLI_PICTURES_MEMORY_BOXES_H_
#define LAYOUTCHECK_CLI_PICTURES_MEMORY_BOXES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// The linear index is row major over all of these sizes, in the order of the fields: pages, rows and columns of boxes,
// the lines of a box, and the cells of a line, which are nested groups: 128 groups of 2 for T(8,128)(2,1).
struct MemoryBoxes {
  // A leading dimension that is drawn page by page.
  struct Page {
    int64_t size = 1;
    // The logical dimension that it is, where it is a whole one; otherwise it counts tiles.
    std::optional<int64_t> dimension;
  };

  std::vector<Page> pages;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t lines = 1;
  std::vector<int64_t> groups;
  // Elements of padding after all boxes: what L(n) adds.
  int64_t tail = 0;
  // The last box may not be in the allocation as a whole: cells from this one on are not. Absent: all are.
  std::optional<int64_t> end;
  // Whether the boxes are tiles; an untiled layout has one box a page.
  bool tiled = false;
  // Whether an address may hold several elements, of which `element` knows the first.
  bool shared = false;
  // The linear index of the first cell.
  int64_t first_offset = 0;

  // The logical array: sizes and the names of the dimensions.
  std::vector<int64_t> dimensions;
  std::vector<std::string> names;
  // The coordinate stored at a linear index before the tail; nothing for padding.
  std::function<std::optional<std::vector<int64_t>>(int64_t offset)> element;

  int64_t PageCount() const;
  int64_t CellsInLine() const;
  int64_t CellsInBox() const { return lines * CellsInLine(); }
  int64_t CellsInPage() const { return rows * columns * CellsInBox(); }
  // Cells of all pages, without the tail.
  int64_t Cells() const { return PageCount() * CellsInPage(); }

  // Whether some cell holds no element.
  bool HasPadding() const;

  // The dimensions whose coordinates are written in a cell: all that are not the same on a whole page.
  std::vector<int64_t> CellDimensions() const;
  // "z=0 y=3", or "tile 3" for a page that is no whole dimension; empty where there are no pages.
  std::string PageTitle(int64_t page) const;
};

// The boxes of a tiled layout: one for each tile of the largest tiling, without the element function. Requires a layout
// whose padded element count fits int64.
MemoryBoxes BoxesOf(const TiledLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_MEMORY_BOXES_H_
