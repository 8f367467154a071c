#include "layoutcheck/cli/pictures/fold.h"

#include <algorithm>

namespace layoutcheck {
namespace {

// No picture shows more items of one level.
constexpr int64_t kMostShown = 1024;

using Extent = std::function<double(std::span<const FoldedLevel>)>;

// Takes items away from the level that shows the most, until the picture fits or none shows more than two.
void Shrink(std::vector<FoldedLevel>& levels, double limit, const Extent& extent) {
  while (extent(levels) > limit) {
    const auto largest = std::ranges::max_element(levels, {}, &FoldedLevel::shown);
    if (largest == levels.end() || largest->shown <= 2) return;
    --largest->shown;
  }
}

// Leaves one item, of the outermost level last: that the ends of the outermost level are seen says the most.
void ShrinkToOne(std::vector<FoldedLevel>& levels, double limit, const Extent& extent) {
  for (size_t k = 1; k <= levels.size() && extent(levels) > limit; ++k) levels[k % levels.size()].shown = 1;
}

}  // namespace

std::vector<int64_t> FoldedLevel::Items() const {
  std::vector<int64_t> items;
  for (int64_t i = 0; i < shown; ++i) items.push_back(i < shown - shown / 2 ? i : count - shown + i);
  return items;
}

std::vector<FoldedLevel> FoldToFit(std::span<const int64_t> counts, double limit,
                                   const std::function<double(std::span<const FoldedLevel>)>& extent) {
  std::vector<FoldedLevel> levels;
  for (const int64_t count : counts) levels.push_back({count, std::min(count, kMostShown)});
  Shrink(levels, limit, extent);
  ShrinkToOne(levels, limit, extent);
  // What the last step took too much goes back, to the innermost level first.
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

}  // namespace layoutcheck
