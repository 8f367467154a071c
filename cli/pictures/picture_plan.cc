// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/picture_plan.h"
#include <algorithm>
#include <span>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {
namespace {

// Returns the number of cells per wrapped line: a power of two, which makes the offsets at its start easy to read.
int64_t WrappedLine(int64_t cells, const PictureMetrics& metrics) {
  const double room = metrics.max_width - metrics.margin - metrics.frame;
  int64_t wrapped = 8;
  while (static_cast<double>(2 * wrapped) * (metrics.cell + metrics.gap) <= room && wrapped < 64) wrapped *= 2;
  return std::min(cells, wrapped);
}

// Returns the width of a line whose groups are `levels`, outermost first.
double LineWidth(std::span<const FoldedLevel> levels, const PictureMetrics& metrics) {
  double width = metrics.cell;
  for (size_t k = levels.size(); k-- > 0;) {
    const double gap = k + 1 == levels.size() ? metrics.gap : metrics.group_gap;
    width = static_cast<double>(levels[k].shown) * (width + gap) - gap;
    if (levels[k].folded()) width += gap + metrics.fold;
  }
  return width;
}

void AppendSlots(std::span<const FoldedLevel> levels, int64_t first_cell, std::vector<LineSlot>& slots) {
  if (levels.empty()) {
    slots.push_back({LineSlot::Kind::kCell, 0, first_cell});
    return;
  }
  const LineSlot gap{LineSlot::Kind::kGap, levels.size() - 1, 0};
  const LineSlot fold{LineSlot::Kind::kFold, levels.size() - 1, 0};
  int64_t inner = 1;
  for (const FoldedLevel& level : levels.subspan(1)) inner *= level.count;
  int64_t next = 0;
  for (const int64_t item : levels.front().Items()) {
    if (item > 0) slots.push_back(gap);
    if (item > next) slots.insert(slots.end(), {fold, gap});
    AppendSlots(levels.subspan(1), first_cell + item * inner, slots);
    next = item + 1;
  }
  if (next < levels.front().count) slots.insert(slots.end(), {gap, fold});
}

}  // namespace

PicturePlan PlanPicture(const MemoryBoxes& boxes, const PictureMetrics& metrics) {
  PicturePlan plan;
  std::vector<int64_t> across{boxes.columns};
  int64_t lines = boxes.lines;
  plan.line_cells = boxes.CellsInLine();
  plan.box_cells = boxes.CellsInBox();
  if (lines == 1 && boxes.groups.size() == 1) {
    plan.line_cells = WrappedLine(plan.box_cells, metrics);
    lines = CeilDiv(plan.box_cells, plan.line_cells);
    across.push_back(plan.line_cells);
  } else {
    across.insert(across.end(), boxes.groups.begin(), boxes.groups.end());
  }

  const std::vector<FoldedLevel> wide =
      FoldToFit(across, metrics.max_width, [&metrics](std::span<const FoldedLevel> levels) {
        const double box = LineWidth(levels.subspan(1), metrics) + metrics.frame + metrics.box_gap;
        return metrics.margin + static_cast<double>(levels[0].shown) * box - metrics.box_gap +
               (levels[0].folded() ? metrics.fold + metrics.box_gap : 0);
      });
  const std::vector<int64_t> down{boxes.PageCount(), boxes.rows, lines};
  const std::vector<FoldedLevel> high = FoldToFit(down, metrics.max_height, [&](std::span<const FoldedLevel> levels) {
    const auto folded = [&](size_t k) { return levels[k].folded() ? metrics.line_fold : 0; };
    const double box = static_cast<double>(levels[2].shown) * metrics.line + folded(2) + metrics.box_overhead;
    const double page = static_cast<double>(levels[1].shown) * box + folded(1) + metrics.page_overhead;
    return static_cast<double>(levels[0].shown) * page + folded(0);
  });

  plan.columns = wide[0];
  plan.pages = high[0];
  plan.rows = high[1];
  plan.lines = high[2];
  AppendSlots(std::span(wide).subspan(1), 0, plan.slots);
  plan.folded = std::ranges::any_of(wide, &FoldedLevel::folded) || std::ranges::any_of(high, &FoldedLevel::folded);
  return plan;
}

double SlotsWidth(const PicturePlan& plan, const PictureMetrics& metrics) {
  double width = 0;
  for (const LineSlot& slot : plan.slots) {
    switch (slot.kind) {
      case LineSlot::Kind::kCell: width += metrics.cell; break;
      case LineSlot::Kind::kGap: width += slot.level == 0 ? metrics.gap : metrics.group_gap; break;
      case LineSlot::Kind::kFold: width += metrics.fold; break;
    }
  }
  return width;
}

}  // namespace layoutcheck
