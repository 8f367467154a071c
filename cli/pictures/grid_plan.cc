// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/grid_plan.h"
#include <span>

namespace layoutcheck {
namespace {

std::vector<GridSlot> SlotsOf(const GridAxis& axis, const FoldedLevel& level) {
  std::vector<GridSlot> slots;
  level.ForEach(
      [&](int64_t index) {
        const size_t borders = index > 0 ? axis.BordersBefore(index) : 0;
        if (borders > 0) slots.push_back({GridSlot::Kind::kBorder, static_cast<int64_t>(borders)});
        slots.push_back({GridSlot::Kind::kCell, index});
      },
      [&](int64_t) { slots.push_back({GridSlot::Kind::kFold, 0}); });
  return slots;
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
  const std::vector<int64_t> wide{columns.size};
  const FoldedLevel columns_shown = FoldToFit(wide, across.max, [&](std::span<const FoldedLevel> levels) {
                                      return LengthOf(SlotsOf(columns, levels[0]), across) + across.overhead;
                                    }).front();
  const std::vector<int64_t> high{grid.PageCount(), rows.size};
  const std::vector<FoldedLevel> shown = FoldToFit(high, down.max, [&](std::span<const FoldedLevel> levels) {
    const double page = LengthOf(SlotsOf(rows, levels[1]), down) + down.overhead;
    return static_cast<double>(levels[0].shown) * page + (levels[0].folded() ? down.fold : 0);
  });
  return {shown[0], SlotsOf(rows, shown[1]), SlotsOf(columns, columns_shown),
          columns_shown.folded() || shown[0].folded() || shown[1].folded()};
}

}  // namespace layoutcheck
