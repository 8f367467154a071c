// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/run/shrink.h"

namespace layoutcheck {
namespace {

class Shrinker {
 public:
  Shrinker(std::vector<uint64_t> choices, const DrawFailing& draw_failing, int64_t max_evaluations)
      : best_(std::move(choices)), draw_failing_(draw_failing), budget_(max_evaluations) {}

  std::vector<uint64_t> Run() {
    for (bool improved = true; improved && evaluations_ < budget_;) {
      improved = false;
      for (const size_t block : {16u, 8u, 7u, 6u, 5u, 4u, 3u, 2u, 1u}) improved |= DeleteBlocks(block);
      improved |= LowerEach();
      improved |= LowerAndDelete();
      improved |= LowerPairs();
    }
    return best_;
  }

 private:
  // Makes the candidate the best stream if it is simpler and fails.
  bool Try(const std::vector<uint64_t>& candidate) {
    if (evaluations_ >= budget_ || !IsSimpler(candidate, best_)) return false;
    ++evaluations_;
    std::optional<std::vector<uint64_t>> taken = draw_failing_(candidate);
    if (!taken || !IsSimpler(*taken, best_)) return false;
    best_ = *std::move(taken);
    return true;
  }

  bool DeleteBlocks(size_t block) {
    bool improved = false;
    for (size_t end = best_.size(); end >= block && end > 0; --end) {
      while (end <= best_.size() && end >= block && Try(Without(best_, end - block, block))) improved = true;
      if (end > best_.size()) end = best_.size() + 1;
    }
    return improved;
  }

  bool LowerEach() {
    bool improved = false;
    for (size_t i = 0; i < best_.size(); ++i) {
      if (best_[i] == 0) continue;
      if (TryAt(i, 0)) {
        improved = true;
        continue;
      }
      uint64_t passes = 0;  // largest value that is known to pass
      while (i < best_.size() && best_[i] > passes + 1) {
        const uint64_t middle = passes + (best_[i] - passes) / 2;
        if (TryAt(i, middle)) {
          improved = true;
        } else {
          passes = middle;
        }
      }
      // Failing is seldom monotone in a choice, so small values and the next lower ones are tried one by one.
      for (uint64_t value = 1; i < best_.size() && value < best_[i] && value <= 16; ++value)
        improved |= TryAt(i, value);
      for (uint64_t down = 1; down <= 4 && i < best_.size() && best_[i] > down; ++down)
        improved |= TryAt(i, best_[i] - down);
    }
    return improved;
  }

  // Lowers a choice and removes choices after it, in case it is their number.
  bool LowerAndDelete() {
    bool improved = false;
    for (size_t i = 0; i < best_.size(); ++i) {
      for (const uint64_t lowered : {uint64_t{0}, best_[i] / 2, best_[i] - 1}) {
        if (i >= best_.size() || lowered >= best_[i]) continue;
        for (const size_t block : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
          if (i + 1 + block > best_.size()) break;
          std::vector<uint64_t> candidate = Without(best_, i + 1, block);
          candidate[i] = lowered;
          if (Try(candidate)) {
            improved = true;
            break;
          }
        }
      }
    }
    return improved;
  }

  // Lowers one choice and raises a later one, or swaps them, in case only the pair fails.
  bool LowerPairs() {
    bool improved = false;
    for (size_t i = 0; i < best_.size(); ++i) {
      if (best_[i] == 0) continue;
      for (size_t j = i + 1; j < best_.size() && j <= i + 8; ++j) {
        std::vector<uint64_t> candidate = best_;
        --candidate[i];
        ++candidate[j];
        if (Try(candidate)) {
          improved = true;
          break;
        }
        candidate = best_;
        std::swap(candidate[i], candidate[j]);
        if (Try(candidate)) {
          improved = true;
          break;
        }
      }
    }
    return improved;
  }

  bool TryAt(size_t i, uint64_t value) {
    if (i >= best_.size()) return false;
    std::vector<uint64_t> candidate = best_;
    candidate[i] = value;
    return Try(candidate);
  }

  static std::vector<uint64_t> Without(const std::vector<uint64_t>& choices, size_t begin, size_t count) {
    std::vector<uint64_t> result = choices;
    const auto first = result.begin() + static_cast<std::ptrdiff_t>(begin);
    result.erase(first, first + static_cast<std::ptrdiff_t>(count));
    return result;
  }

  std::vector<uint64_t> best_;
  const DrawFailing& draw_failing_;
  int64_t budget_;
  int64_t evaluations_ = 0;
};

}  // namespace

std::vector<uint64_t> ShrinkChoices(std::vector<uint64_t> choices, const DrawFailing& draw_failing,
                                    int64_t max_evaluations) {
  return Shrinker(std::move(choices), draw_failing, max_evaluations).Run();
}

}  // namespace layoutcheck
