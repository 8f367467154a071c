// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A dimension of the list to which tiles are applied.
struct Place {
  int64_t size;
  std::optional<int64_t> dimension;  // logical dimension, if the place is a whole one
};

// Replaces the places that the tile covers by tile counts and tile sizes. Returns the first place that is inside tiles.
size_t ApplyTile(const std::vector<TileDimension<int64_t>>& tile, std::vector<Place>& places) {
  if (tile.size() > places.size()) places.insert(places.begin(), tile.size() - places.size(), Place{1, std::nullopt});
  const auto first = places.end() - static_cast<ptrdiff_t>(tile.size());
  const std::vector<Place> covered(first, places.end());
  places.erase(first, places.end());
  std::vector<Place> inner;
  int64_t combined = 1;
  for (size_t k = 0; k < tile.size(); ++k) {
    if (tile[k].combine) {
      combined *= covered[k].size;
      continue;
    }
    const bool whole = tile[k].size == 1 && (k == 0 || !tile[k - 1].combine);
    places.push_back({CeilDiv(combined * covered[k].size, tile[k].size), whole ? covered[k].dimension : std::nullopt});
    inner.push_back({tile[k].size, std::nullopt});
    combined = 1;
  }
  const size_t inside = places.size();
  places.insert(places.end(), inner.begin(), inner.end());
  return inside;
}

// Returns the first place on a page of an untiled layout: a page holds the two most minor dimensions larger than 1.
size_t FirstPlaceOnPage(const std::vector<Place>& places) {
  size_t first = places.size();
  for (int larger = 0; first > 0 && larger < 2; --first) {
    if (places[first - 1].size > 1) ++larger;
  }
  return first;
}

int64_t Product(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies());
}

// Returns the number of cells per wrapped line: a power of two, which makes the offsets at its start easy to read.
int64_t WrappedLine(int64_t cells, const PictureMetrics& metrics) {
  const double room = metrics.max_width - metrics.margin - metrics.frame;
  int64_t wrapped = 8;
  while (static_cast<double>(2 * wrapped) * (metrics.across.item + metrics.across.gap) <= room && wrapped < 64) {
    wrapped *= 2;
  }
  return std::min(cells, wrapped);
}

// Returns the width of a line whose groups are `levels`, outermost first.
double LineWidth(std::span<const FoldedLevel> levels, const SlotLengths& lengths) {
  double width = lengths.item;
  for (size_t k = levels.size(); k-- > 0;) {
    const double gap = k + 1 == levels.size() ? lengths.gap : lengths.border + 2 * lengths.gap;
    width = static_cast<double>(levels[k].shown) * (width + gap) - gap;
    if (levels[k].folded()) width += gap + lengths.fold;
  }
  return width;
}

// Appends the cells of nested groups, with borders between groups.
void AppendSlots(std::span<const FoldedLevel> levels, int64_t first_cell, std::vector<Slot>& slots) {
  if (levels.empty()) return slots.push_back({Slot::Kind::kItem, first_cell});
  int64_t inner = 1;
  for (const FoldedLevel& level : levels.subspan(1)) inner *= level.count;
  bool is_first = true;
  for (const Slot& slot : SlotsOf(levels.front())) {
    if (!is_first && levels.size() > 1) {
      slots.push_back({Slot::Kind::kBorder, static_cast<int64_t>(levels.size()) - 1});
    }
    is_first = false;
    if (slot.kind == Slot::Kind::kFold) {
      slots.push_back(slot);
    } else {
      AppendSlots(levels.subspan(1), first_cell + slot.number * inner, slots);
    }
  }
}

}  // namespace

int64_t MemoryBoxes::PageCount() const {
  int64_t count = 1;
  for (const Page& page : pages) count *= page.size;
  return count;
}

int64_t MemoryBoxes::CellsInLine() const { return Product(groups); }
int64_t MemoryBoxes::Cells() const { return PageCount() * rows * columns * CellsInBox(); }
bool MemoryBoxes::HasPadding() const { return Product(dimensions) < Cells() || tail > 0; }

std::vector<size_t> MemoryBoxes::CellDimensions() const {
  std::vector<size_t> result;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const auto counts_pages = [d](const Page& page) { return page.dimension == static_cast<int64_t>(d); };
    if (std::ranges::none_of(pages, counts_pages)) result.push_back(d);
  }
  return result;
}

size_t MemoryBoxes::LabelWidth() const {
  size_t width = 0;
  for (const size_t d : CellDimensions()) {
    width += DecimalWidth(std::max<int64_t>(dimensions[d], 1) - 1) + (width > 0 ? 1 : 0);
  }
  return width;
}

size_t MemoryBoxes::LineNumberWidth() const {
  if (columns != 1) return 0;
  return std::max(DecimalWidth(first_offset + (CellsOfAllocation() - 1)), DecimalWidth(first_offset));
}

int64_t MemoryBoxes::NumberAt(const PicturePlan& plan, const CellPlace& place) const {
  const int64_t box = (place.page * rows + place.row) * columns + place.column;
  return first_offset + box * CellsInBox() + place.line * plan.line_cells + place.cell;
}

std::optional<PictureCell> MemoryBoxes::CellAt(const PicturePlan& plan, const CellPlace& place) const {
  const int64_t offset = NumberAt(plan, place);
  if (place.line * plan.line_cells + place.cell >= CellsInBox() || offset - first_offset >= CellsOfAllocation()) {
    return std::nullopt;
  }
  PictureCell cell{.details = StrCat(offset, ":")};
  const auto coordinate = element(offset);
  if (!coordinate) return StrAppend(cell.details, " padding"), cell;
  for (size_t d = 0; d < coordinate->size(); ++d) StrAppend(cell.details, " ", names[d], "=", (*coordinate)[d]);
  const std::vector<size_t> labelled = CellDimensions();
  for (const size_t d : labelled) StrAppend(cell.label, cell.label.empty() ? "" : ",", (*coordinate)[d]);
  if (labelled.empty()) {
    cell.label = "()";
    cell.details += " ()";
  }
  if (labelled.size() > 1) cell.color = static_cast<int>((*coordinate)[labelled[labelled.size() - 2]] % 8);
  return cell;
}

PictureLegend MemoryBoxes::Legend() const {
  const std::vector<size_t> labelled = CellDimensions();
  std::string cell_names;
  for (const size_t d : labelled) StrAppend(cell_names, cell_names.empty() ? "" : ",", names[d]);
  const bool has_many = labelled.size() > 1;
  PictureLegend legend;
  legend.description =
      StrCat("Memory, ", tiled ? "tile by tile" : "line by line", cell_names.empty() ? "" : "; in each cell ",
             cell_names, columns == 1 ? ", at the left" : ", above each tile", " the linear index");
  if (shared) legend.remark = "of elements that share a cell, the first";
  if (HasPadding()) legend.empty_cells = empty_cell;
  if (tail > 0) {
    legend.tail = StrCat(Counted(tail, "element"), " of tail padding from ", first_offset + Cells());
  }
  legend.colors = {{0, has_many ? 8 : 1, false, cell_names.empty() ? "the element" : "element " + cell_names}};
  if (has_many) {
    StrAppend(legend.colors[0].meaning, ", colored by ", names[labelled[labelled.size() - 2]], " modulo 8");
  }
  if (!cell_names.empty()) {
    legend.notes.push_back(StrCat(cell_names,
                                  has_many ? " are the coordinates in dimensions " : " is the coordinate in dimension ",
                                  StrJoin(labelled, ","), " of the array."));
  }
  const std::string_view box = tiled ? "tile" : "block";
  legend.notes.push_back(StrCat("Memory runs from left to right, line by line, ", box, " by ", box, "."));
  if (shared) legend.notes.emplace_back("Of elements that share a cell, the first is shown.");
  legend.notes.push_back(StrCat("The number above a ", box, " is the linear index of its first cell."));
  return legend;
}

PicturePlan MemoryBoxes::Plan(const PictureMetrics& metrics) const {
  PicturePlan plan;
  std::vector<int64_t> across{columns};
  int64_t lines_of_box = lines;
  plan.line_cells = CellsInLine();
  if (lines == 1 && groups.size() == 1) {
    plan.line_cells = WrappedLine(CellsInBox(), metrics);
    lines_of_box = CeilDiv(CellsInBox(), plan.line_cells);
    across.push_back(plan.line_cells);
  } else {
    across.insert(across.end(), groups.begin(), groups.end());
  }
  const auto width = [&](std::span<const FoldedLevel> levels) {
    const double box = LineWidth(levels.subspan(1), metrics.across) + metrics.frame + metrics.box_gap;
    return metrics.margin + static_cast<double>(levels[0].shown) * box - metrics.box_gap +
           (levels[0].folded() ? metrics.across.fold + metrics.box_gap : 0);
  };
  const auto height = [&](std::span<const FoldedLevel> levels) {
    const auto folded = [&](size_t k) { return levels[k].folded() ? metrics.down.fold : 0; };
    const double box = static_cast<double>(levels[2].shown) * metrics.down.item + folded(2) + metrics.box_overhead;
    const double page = static_cast<double>(levels[1].shown) * box + folded(1) + metrics.page_overhead;
    return static_cast<double>(levels[0].shown) * page + folded(0);
  };
  const std::vector<int64_t> down{PageCount(), rows, lines_of_box};
  const std::vector<FoldedLevel> wide = FoldToFit(across, metrics.max_width, width);
  const std::vector<FoldedLevel> high = FoldToFit(down, metrics.max_height, height);
  plan.pages = SlotsOf(high[0]);
  plan.rows = SlotsOf(high[1]);
  plan.lines = SlotsOf(high[2]);
  plan.columns = SlotsOf(wide[0]);
  AppendSlots(std::span(wide).subspan(1), 0, plan.cells);
  plan.folded = std::ranges::any_of(wide, &FoldedLevel::folded) || std::ranges::any_of(high, &FoldedLevel::folded);
  return plan;
}

std::string MemoryBoxes::PageTitle(int64_t page) const {
  std::string title;
  for (size_t k = pages.size(); k-- > 0;) {
    const std::string name = pages[k].dimension ? names[static_cast<size_t>(*pages[k].dimension)] + "=" : "tile ";
    title = StrCat(name, page % pages[k].size, title.empty() ? "" : " ", title);
    page /= pages[k].size;
  }
  return title;
}

MemoryBoxes BoxesOf(const TiledLayout& layout) {
  std::vector<Place> places;
  for (int64_t p = 0; p < layout.rank(); ++p) {
    places.push_back({layout.dimensions[static_cast<size_t>(layout.Major(p))], layout.Major(p)});
  }
  // Places from `inside` on are in a box. A later tile that reaches beyond the box makes a new, larger box.
  size_t inside = places.size();
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const size_t added = std::max(layout.tiles[t].size(), places.size()) - places.size();
    const size_t reach = places.size() + added - layout.tiles[t].size();
    inside += added;
    const size_t first_inside = ApplyTile(layout.tiles[t], places);
    if (t == 0 || reach < inside) inside = first_inside;
  }

  MemoryBoxes boxes;
  boxes.tiled = !layout.tiles.empty();
  boxes.dimensions = layout.dimensions;
  for (int64_t d = 0; d < layout.rank(); ++d) boxes.names.push_back(DimensionName(d, layout.rank()));
  size_t outside = inside;
  if (!boxes.tiled) {
    inside = outside = FirstPlaceOnPage(places);
  } else {
    if (outside > 0) boxes.columns = places[--outside].size;
    if (outside > 0) boxes.rows = places[--outside].size;
  }
  for (size_t k = 0; k < outside; ++k) boxes.pages.push_back({places[k].size, places[k].dimension});
  for (size_t k = inside; k < places.size(); ++k) {
    if (places[k].size != 1) boxes.groups.push_back(places[k].size);
  }
  if (boxes.groups.size() > 1) {
    boxes.lines = boxes.groups.front();
    boxes.groups.erase(boxes.groups.begin());
  } else if (boxes.rows == 1) {
    std::swap(boxes.rows, boxes.columns);  // one-line boxes stand below each other
  }
  if (boxes.groups.empty()) boxes.groups.push_back(1);
  return boxes;
}

}  // namespace layoutcheck
