// Folding: which of many nested items are drawn, so that a picture fits.
#ifndef LAYOUTCHECK_CLI_PICTURES_FOLD_H_
#define LAYOUTCHECK_CLI_PICTURES_FOLD_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace layoutcheck {

// How many items of each nested level are drawn: the first and the last ones, a fold between them.
struct FoldedLevel {
  int64_t count = 1;
  int64_t shown = 1;  // 1 <= shown <= count

  bool folded() const { return shown < count; }
  // The items drawn, increasing; a step of more than 1 is the fold. A fold with one item shown is after it.
  std::vector<int64_t> Items() const;

  // Calls draw(item) for each of them, in order, and between them, and at the end, skip(count) for those left out.
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

// The largest choice for which `extent` (of levels from the outermost to the innermost; computed as a double, since
// products may be large) is at most `limit`. At least two items of a level stay while that can be; one item of each
// stays always. Requires counts >= 1 and an extent that does not shrink when more is shown.
std::vector<FoldedLevel> FoldToFit(std::span<const int64_t> counts, double limit,
                                   const std::function<double(std::span<const FoldedLevel>)>& extent);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_PICTURES_FOLD_H_
