// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/grid_plan.h"
#include <algorithm>
#include <optional>
#include <span>
#include "layoutcheck/cli/pictures/fold.h"

namespace layoutcheck {
namespace {

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

std::vector<GridSlot> SlotsOf(const GridAxis& axis, const FoldedLevel& level, std::optional<int64_t> focus) {
  std::vector<GridSlot> slots;
  int64_t next = 0;
  const auto fold_up_to = [&](int64_t index) {
    if (index > next) slots.push_back({GridSlot::Kind::kFold, index - next});
    next = index + 1;
  };
  for (const int64_t index : ShownItems(level, focus)) {
    fold_up_to(index);
    const size_t borders = index > 0 ? axis.BordersBefore(index) : 0;
    if (borders > 0) slots.push_back({GridSlot::Kind::kBorder, static_cast<int64_t>(borders)});
    slots.push_back({GridSlot::Kind::kCell, index});
  }
  fold_up_to(axis.size);
  return slots;
}

// Returns the coordinate of the focus along an axis.
std::optional<int64_t> FocusAlong(const CellGrid& grid, std::optional<size_t> axis) {
  if (!grid.focus || !axis) return std::nullopt;
  return (*grid.focus)[*axis];
}

}  // namespace

double LengthOf(const std::vector<GridSlot>& slots, const GridLengths& lengths) {
  double length = 0;
  for (const GridSlot& slot : slots) {
    switch (slot.kind) {
      case GridSlot::Kind::kCell: length += lengths.cell; break;
      case GridSlot::Kind::kBorder: length += lengths.border; break;
      case GridSlot::Kind::kFold: length += lengths.fold; break;
    }
  }
  return length;
}

GridPlan PlanGrid(const CellGrid& grid, const GridLengths& across, const GridLengths& down) {
  const GridAxis& rows = grid.RowAxis();
  const GridAxis& columns = grid.ColumnAxis();
  const GridAxis pages{"", grid.PageCount(), {}};
  const std::optional<int64_t> row = FocusAlong(grid, grid.rows);
  const std::optional<int64_t> column = FocusAlong(grid, grid.columns);
  std::optional<int64_t> page;
  if (grid.focus) page = grid.PageOf(*grid.focus);

  // Where the cells alone are too long, borders and folds, which take time to count, need not be added.
  const auto width = [&](std::span<const FoldedLevel> levels) {
    const double cells = static_cast<double>(levels[0].shown) * across.cell + across.overhead;
    return cells > across.max ? cells : LengthOf(SlotsOf(columns, levels[0], column), across) + across.overhead;
  };
  const auto height = [&](std::span<const FoldedLevel> levels) {
    const double cells = static_cast<double>(levels[1].shown) * down.cell + down.overhead;
    const double all_cells = static_cast<double>(levels[0].shown) * cells;
    if (all_cells > down.max) return all_cells;
    const double each = LengthOf(SlotsOf(rows, levels[1], row), down) + down.overhead;
    return LengthOf(SlotsOf(pages, levels[0], page), {0, 0, each, 0, down.fold});
  };
  const std::vector<int64_t> wide{columns.size};
  const std::vector<int64_t> high{pages.size, rows.size};
  const FoldedLevel columns_shown = FoldToFit(wide, across.max, width).front();
  const std::vector<FoldedLevel> shown = FoldToFit(high, down.max, height);
  return {SlotsOf(pages, shown[0], page), SlotsOf(rows, shown[1], row), SlotsOf(columns, columns_shown, column),
          columns_shown.folded() || shown[0].folded() || shown[1].folded()};
}

}  // namespace layoutcheck
