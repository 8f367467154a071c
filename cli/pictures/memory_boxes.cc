// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/memory_boxes.h"
#include <algorithm>
#include <utility>
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

}  // namespace

int64_t MemoryBoxes::PageCount() const {
  int64_t count = 1;
  for (const Page& page : pages) count *= page.size;
  return count;
}

int64_t MemoryBoxes::CellsInLine() const {
  int64_t cells = 1;
  for (const int64_t group : groups) cells *= group;
  return cells;
}

bool MemoryBoxes::HasPadding() const {
  int64_t elements = 1;
  for (const int64_t size : dimensions) elements *= size;
  return elements < Cells() || tail > 0;
}

std::vector<int64_t> MemoryBoxes::CellDimensions() const {
  std::vector<int64_t> result;
  for (int64_t d = 0; d < static_cast<int64_t>(dimensions.size()); ++d) {
    if (std::ranges::none_of(pages, [d](const Page& page) { return page.dimension == d; })) result.push_back(d);
  }
  return result;
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
