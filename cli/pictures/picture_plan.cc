// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/picture_plan.h"
#include <algorithm>

namespace layoutcheck {
namespace {

// The maximum number of items of one level that a picture shows.
constexpr int64_t kMostShown = 1024;

using Extent = std::function<double(std::span<const FoldedLevel>)>;

// Removes items from the level that shows the most, until the picture fits or no level shows more than two.
void Shrink(std::vector<FoldedLevel>& levels, double limit, const Extent& extent) {
  while (extent(levels) > limit) {
    const auto largest = std::ranges::max_element(levels, {}, &FoldedLevel::shown);
    if (largest == levels.end() || largest->shown <= 2) return;
    --largest->shown;
  }
}

// Reduces levels to one item until the picture fits, the outermost level last, because its two ends tell readers most.
void ShrinkToOne(std::vector<FoldedLevel>& levels, double limit, const Extent& extent) {
  for (size_t k = 1; k <= levels.size() && extent(levels) > limit; ++k) levels[k % levels.size()].shown = 1;
}

}  // namespace

std::vector<int64_t> FoldedLevel::Items() const {
  std::vector<int64_t> items;
  for (int64_t i = 0; i < shown; ++i) items.push_back(i < shown - shown / 2 ? i : count - shown + i);
  return items;
}

std::vector<FoldedLevel> FoldToFit(std::span<const int64_t> counts, double limit, const Extent& extent) {
  std::vector<FoldedLevel> levels;
  for (const int64_t count : counts) levels.push_back({count, std::min(count, kMostShown)});
  Shrink(levels, limit, extent);
  ShrinkToOne(levels, limit, extent);
  // Restores items that the last step removed without need, in the innermost level first.
  for (size_t k = levels.size(); k-- > 0;) {
    while (levels[k].shown < std::min(levels[k].count, kMostShown)) {
      ++levels[k].shown;
      if (extent(levels) <= limit) continue;
      --levels[k].shown;
      break;
    }
  }
  return levels;
}

double LengthOf(std::span<const Slot> slots, const SlotLengths& lengths) {
  double length = 0;
  for (const Slot& slot : slots) {
    if (length > 0) length += lengths.gap;
    switch (slot.kind) {
      case Slot::Kind::kItem: length += lengths.item; break;
      case Slot::Kind::kBorder: length += lengths.border; break;
      case Slot::Kind::kFold: length += lengths.fold; break;
    }
  }
  return length;
}

std::vector<Slot> SlotsOf(const FoldedLevel& level) {
  std::vector<Slot> slots;
  int64_t next = 0;
  for (const int64_t item : level.Items()) {
    if (item > next) slots.push_back({Slot::Kind::kFold, item - next});
    slots.push_back({Slot::Kind::kItem, item});
    next = item + 1;
  }
  if (next < level.count) slots.push_back({Slot::Kind::kFold, level.count - next});
  return slots;
}

}  // namespace layoutcheck
