// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding: choosing which nested items are drawn, so that a picture fits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace layoutcheck {

// The items of one nested level that are drawn: the first and the last ones, with a fold between them.
struct FoldedLevel {
  int64_t count = 1;
  int64_t shown = 1;  // 1 <= shown <= count

  bool folded() const { return shown < count; }
  // Returns the indices of the shown items, increasing. The fold is at a step of more than 1, or after an only item.
  std::vector<int64_t> Items() const;

  // Calls draw(item) for each shown item in order, and skip(count) for each run of items that are left out.
  template <class Draw, class Skip>
  void ForEach(Draw draw, Skip skip) const {
    int64_t next = 0;
    const auto up_to = [&](int64_t item) {
      if (item > next) skip(item - next);
      next = item + 1;
    };
    for (const int64_t item : Items()) {
      up_to(item);
      draw(item);
    }
    up_to(count);
  }
};

// Returns the largest choice of items whose `extent` is at most `limit`. `extent` takes the levels, outermost first,
// and returns a double, because products may be large. A level keeps two items if possible and always one. Requires
// counts >= 1 and an extent that does not shrink when more is shown.
std::vector<FoldedLevel> FoldToFit(std::span<const int64_t> counts, double limit,
                                   const std::function<double(std::span<const FoldedLevel>)>& extent);

}  // namespace layoutcheck
