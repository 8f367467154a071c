// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/cell_grid.h"
#include <algorithm>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

const GridAxis& AxisAt(const CellGrid& grid, std::optional<size_t> axis) {
  static const GridAxis kNone;
  return axis ? grid.axes[*axis] : kNone;
}

// Returns the indices that are shown, increasing: the first, the last, and those around `focus`, if there is one.
std::vector<int64_t> ShownItems(const FoldedLevel& level, std::optional<int64_t> focus) {
  std::vector<int64_t> items = level.Items();
  if (!focus || std::ranges::binary_search(items, *focus)) return items;
  const int64_t ends = level.shown / 3;
  const int64_t middle = level.shown - 2 * ends;
  const int64_t start = std::clamp(*focus - middle / 2, ends, level.count - ends - middle);
  items.clear();
  for (int64_t k = 0; k < ends; ++k) items.push_back(k);
  for (int64_t k = 0; k < middle; ++k) items.push_back(start + k);
  for (int64_t k = ends; k > 0; --k) items.push_back(level.count - k);
  return items;
}

// The pieces along an axis, with the borders of its blocks and the surroundings of the focus.
struct AxisSlots {
  const GridAxis& axis;
  std::optional<int64_t> focus;

  std::vector<Slot> Of(const FoldedLevel& level) const {
    std::vector<Slot> slots;
    int64_t next = 0;
    const auto fold_up_to = [&](int64_t index) {
      if (index > next) slots.push_back({Slot::Kind::kFold, index - next});
      next = index + 1;
    };
    for (const int64_t index : ShownItems(level, focus)) {
      fold_up_to(index);
      const size_t borders = index > 0 ? axis.BordersBefore(index) : 0;
      if (borders > 0) slots.push_back({Slot::Kind::kBorder, static_cast<int64_t>(borders)});
      slots.push_back({Slot::Kind::kItem, index});
    }
    fold_up_to(axis.size);
    return slots;
  }
};

}  // namespace

size_t GridAxis::BordersBefore(int64_t index) const {
  int64_t place = index;  // in the block around
  for (size_t k = 0; k < blocks.size(); ++k) {
    place %= blocks[k];
    if (place == 0) return blocks.size() - k;
  }
  return has_border && has_border(index) ? 1 : 0;
}

const GridAxis& CellGrid::RowAxis() const { return AxisAt(*this, rows); }
const GridAxis& CellGrid::ColumnAxis() const { return AxisAt(*this, columns); }
size_t CellGrid::ColumnNumberWidth() const { return columns ? DecimalWidth(ColumnAxis().size - 1) : 0; }
size_t CellGrid::LineNumberWidth() const { return rows ? DecimalWidth(RowAxis().size - 1) : 0; }

int64_t CellGrid::PageCount() const {
  int64_t count = 1;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) count *= axes[k].size;
  }
  return count;
}

std::vector<int64_t> CellGrid::Coordinate(int64_t page, int64_t row, int64_t column) const {
  std::vector<int64_t> coordinate(axes.size());
  for (size_t k = axes.size(); k-- > 0;) {
    if (IsPageAxis(k)) {
      coordinate[k] = page % axes[k].size;
      page /= axes[k].size;
    } else {
      coordinate[k] = rows == k ? row : column;
    }
  }
  return coordinate;
}

int64_t CellGrid::PageOfFocus() const {
  int64_t page = 0;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) page = page * axes[k].size + (*focus)[k];
  }
  return page;
}

std::string CellGrid::PageTitle(int64_t page) const {
  const std::vector<int64_t> coordinate = Coordinate(page, 0, 0);
  std::string title;
  for (size_t k = 0; k < axes.size(); ++k) {
    if (IsPageAxis(k)) StrAppend(title, title.empty() ? "" : " ", axes[k].name, "=", coordinate[k]);
  }
  return title;
}

std::string CellGrid::Directions() const {
  const std::string across = columns ? ColumnAxis().name + " across" : "";
  return rows ? StrCat(RowAxis().name, " down and ", across) : across;
}

PictureLegend CellGrid::LegendOf(const std::string& directions) const {
  const std::string description = StrCat(what, directions.empty() ? "" : ", ", directions, "; in each cell ", labels);
  return {description, marks, "", {description + "."}, colors, empty_cells};
}

PicturePlan CellGrid::Plan(const PictureMetrics& metrics) const {
  const auto focus_along = [this](std::optional<size_t> axis) {
    return focus && axis ? std::optional((*focus)[*axis]) : std::nullopt;
  };
  const GridAxis page_axis{"", PageCount(), {}};
  const AxisSlots across{ColumnAxis(), focus_along(columns)};
  const AxisSlots down{RowAxis(), focus_along(rows)};
  const AxisSlots pages{page_axis, focus ? std::optional(PageOfFocus()) : std::nullopt};

  // Where the cells alone are too long, borders and folds, which take time to count, need not be added.
  const double left = metrics.margin + metrics.frame;
  const auto width = [&](std::span<const FoldedLevel> levels) {
    const SlotLengths& lengths = metrics.across;
    const double cells = static_cast<double>(levels[0].shown) * (lengths.item + lengths.gap) - lengths.gap + left;
    return cells > metrics.max_width ? cells : LengthOf(across.Of(levels[0]), lengths) + left;
  };
  const double overhead = metrics.box_overhead + metrics.page_overhead;
  const auto height = [&](std::span<const FoldedLevel> levels) {
    const double cells = static_cast<double>(levels[1].shown) * metrics.down.item + overhead;
    const double all_cells = static_cast<double>(levels[0].shown) * cells;
    if (all_cells > metrics.max_height) return all_cells;
    const double each = LengthOf(down.Of(levels[1]), metrics.down) + overhead;
    return LengthOf(pages.Of(levels[0]), {.item = each, .fold = metrics.down.fold});
  };
  const std::vector<int64_t> wide{across.axis.size};
  const std::vector<int64_t> high{page_axis.size, down.axis.size};
  const FoldedLevel columns_shown = FoldToFit(wide, metrics.max_width, width).front();
  const std::vector<FoldedLevel> shown = FoldToFit(high, metrics.max_height, height);
  return {.pages = pages.Of(shown[0]),
          .rows = {Slot()},
          .columns = {Slot()},
          .lines = down.Of(shown[1]),
          .cells = across.Of(columns_shown),
          .folded = columns_shown.folded() || shown[0].folded() || shown[1].folded()};
}

}  // namespace layoutcheck
