// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/coordinate.h"

namespace layoutcheck {
namespace {

// A depth-first search for digits with a given sum of digit * stride, by decreasing |stride|.
class DigitSearch {
 public:
  explicit DigitSearch(const StridedLayout& layout) {
    for (const auto& mode : layout.modes) leaves_.insert(leaves_.end(), mode.begin(), mode.end());
    for (StridedMode& leaf : leaves_) {
      if (leaf.extent == 1) leaf.stride = 0;  // its digit is 0, and its stride may be the minimum of int64
    }
    order_.resize(leaves_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater{}, [this](size_t i) { return std::abs(leaves_[i].stride); });
    digits_.assign(leaves_.size(), 0);
    smallest_.assign(leaves_.size() + 1, 0);
    largest_.assign(leaves_.size() + 1, 0);
    for (size_t i = leaves_.size(); i-- > 0;) {
      const StridedMode& leaf = leaves_[order_[i]];
      const int64_t span = (leaf.extent - 1) * leaf.stride;  // fits, because RangeOfOffsets did not overflow
      smallest_[i] = smallest_[i + 1] + std::min<int64_t>(span, 0);
      largest_[i] = largest_[i + 1] + std::max<int64_t>(span, 0);
    }
  }

  // Returns true if digits() have the sum `offset`, and false if no digits do or the search gave up.
  bool Find(int64_t offset) { return offset >= smallest_[0] && offset <= largest_[0] && FindFrom(0, offset); }
  bool exhausted() const { return steps_ >= kMaxSteps; }
  const std::vector<int64_t>& digits() const { return digits_; }

 private:
  static constexpr int64_t kMaxSteps = int64_t{1} << 20;

  bool FindFrom(size_t level, int64_t offset) {
    if (level == order_.size()) return offset == 0;
    if (++steps_ >= kMaxSteps) return false;
    const StridedMode& leaf = leaves_[order_[level]];
    int64_t first = 0;
    int64_t last = 0;
    if (leaf.stride != 0) {
      // The remaining modes must be able to reach the rest of the offset.
      const int64_t step = std::abs(leaf.stride);
      const int64_t low = leaf.stride > 0 ? offset - largest_[level + 1] : smallest_[level + 1] - offset;
      const int64_t high = leaf.stride > 0 ? offset - smallest_[level + 1] : largest_[level + 1] - offset;
      first = std::max<int64_t>(CeilDiv(low, step), 0);
      last = std::min(FloorDiv(high, step), leaf.extent - 1);
    }
    for (int64_t digit = first; digit <= last; ++digit) {
      digits_[order_[level]] = digit;
      if (FindFrom(level + 1, offset - digit * leaf.stride)) return true;
      if (steps_ >= kMaxSteps) return false;
    }
    return false;
  }

  std::vector<StridedMode> leaves_;
  std::vector<size_t> order_;
  std::vector<int64_t> digits_;
  std::vector<int64_t> smallest_;  // per level: the smallest sum that this level and the ones after it reach
  std::vector<int64_t> largest_;   // per level: the largest one
  int64_t steps_ = 0;
};

}  // namespace

Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset) {
  if (auto valid = ValidateLayout(layout); !valid) return std::unexpected(valid.error());
  if (HasNoCoordinate(layout)) return std::nullopt;
  const Expected<OffsetRange> range = RangeOfOffsets(layout);
  if (!range) return std::unexpected(range.error());
  if (offset < range->smallest || offset > range->largest) return std::nullopt;
  const Expected<StridedLayout> flat = StridedLayoutOf(layout);
  if (!flat) return std::unexpected(flat.error());
  DigitSearch search(*flat);
  if (!search.Find(offset)) {
    if (search.exhausted()) {
      return MakeError(ErrorKind::kUnsupported, StrCat("too many overlapping modes in ", ToString(layout)));
    }
    return std::nullopt;
  }
  const std::vector<IntTuple> digits(search.digits().begin(), search.digits().end());
  return Unflatten(layout.shape, digits);
}

}  // namespace layoutcheck
