// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/digit_sum.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {
namespace {

// A part of a dimension's index during tiling: (n mod upper) div weight, or 0 if `weight` is 0. It counts as a number
// in [0, size), of which padding may leave some unused.
struct Segment {
  int64_t weight = 0;
  int64_t upper = 0;
  int64_t size = 1;
};

// A dimension: its segments from major to minor, combined in row-major order.
using Segments = std::vector<Segment>;

// Appends a segment at the minor end of an entry. Merges it with the last segment if the two are one.
Expected<void> AppendSegment(Segments& entry, const Segment& segment) {
  if (segment.weight == 0 && segment.size == 1) return {};
  if (!entry.empty()) {
    Segment& last = entry.back();
    const CheckedInt64 size = CheckedInt64(last.size) * segment.size;
    if (size.overflow) return OverflowError("the size of a dimension after tiling overflows int64");
    // A leading zero only makes the size larger, because the combined index is the minor one.
    if (last.weight == 0) {
      last = {segment.weight, segment.upper, size.value};
      return {};
    }
    // The two segments are neighboring digits of n, and the minor one has no padding.
    if (segment.weight != 0 && last.weight == segment.upper && segment.upper % segment.weight == 0 &&
        segment.upper / segment.weight == segment.size) {
      last = {segment.weight, last.upper, size.value};
      return {};
    }
  }
  entry.push_back(segment);
  return {};
}

// Returns the quotient and the remainder of a segment by t. Requires t <= size, or the most major segment of an entry.
std::pair<Segment, Segment> SplitSegment(const Segment& segment, int64_t t) {
  const int64_t quotient_size = CeilDiv(segment.size, t);
  if (t == 1) return {segment, Segment{}};
  if (segment.weight == 0) return {{0, 0, quotient_size}, {0, 0, t}};
  if (t >= CeilDiv(segment.upper, segment.weight)) return {{0, 0, quotient_size}, {segment.weight, segment.upper, t}};
  const int64_t middle = segment.weight * t;
  return {{middle, segment.upper, quotient_size}, {segment.weight, middle, t}};
}

// Returns the quotient and the remainder of an entry by t, or nothing if they are no lists of segments.
std::optional<std::pair<Segments, Segments>> SplitEntry(const Segments& entry, int64_t t) {
  Segments quotient = entry;
  Segments remainder;  // from minor to major, reversed at the end
  while (t > 1) {
    if (quotient.empty()) quotient.push_back(Segment{});
    const Segment last = quotient.back();
    quotient.pop_back();
    if (!quotient.empty() && t % last.size == 0) {
      remainder.push_back(last);
      t /= last.size;
      continue;
    }
    if (!quotient.empty() && last.size % t != 0) return std::nullopt;
    const auto [outer, inner] = SplitSegment(last, t);
    quotient.push_back(outer);
    remainder.push_back(inner);
    t = 1;
  }
  std::ranges::reverse(remainder);
  return std::pair{std::move(quotient), std::move(remainder)};
}

// Applies one tile to the list of dimensions. Returns false if the result is no list of segments.
Expected<bool> ApplyTile(const std::vector<TileDimension<int64_t>>& tile, std::vector<Segments>& list) {
  if (tile.size() > list.size()) list.insert(list.begin(), tile.size() - list.size(), Segments{});
  const auto first = list.end() - static_cast<std::ptrdiff_t>(tile.size());
  const std::vector<Segments> tiled(first, list.end());
  list.erase(first, list.end());
  std::vector<Segments> inner;
  Segments combined;
  for (size_t k = 0; k < tile.size(); ++k) {
    for (const Segment& segment : tiled[k]) {
      if (auto appended = AppendSegment(combined, segment); !appended) return std::unexpected(appended.error());
    }
    if (tile[k].combine) continue;
    auto split = SplitEntry(combined, tile[k].size);
    if (!split) return false;
    list.push_back(std::move(split->first));
    inner.push_back(std::move(split->second));
    combined.clear();
  }
  list.insert(list.end(), inner.begin(), inner.end());
  return true;
}

class GrowthQuestion {
 public:
  explicit GrowthQuestion(const std::vector<WeightedDigit>& digits) : digits_(digits) {}

  // Returns true if f(x + shift) - f(x) == growth for every x in [0, count), where f is the sum of the digits below
  // `level`. Requires shift >= 0, and shift + count <= the weight of digit `level` (at the top: the function's size).
  // Values of f are in [0, 2^63), so a growth that does not fit int64 is never a difference.
  bool Grows(size_t level, int64_t shift, CheckedInt64 growth, int64_t count) {
    if (count <= 0) return true;
    if (growth.overflow || ++steps_ > kDigitSumSteps) return false;
    if (shift == 0) return growth.value == 0;
    // There is a digit: the limit is above 1, because shift >= 1 and count >= 1.
    const auto [weight, stride] = digits_[level - 1];
    const int64_t quotient = shift / weight;
    const int64_t rest = shift % weight;
    const CheckedInt64 without_carry = growth - CheckedInt64(stride) * quotient;
    const int64_t remainders = std::min(weight, count);  // x mod weight takes the values in [0, remainders)
    if (!Grows(level - 1, rest, without_carry, std::min(weight - rest, remainders))) return false;
    // With a carry, x moves back to x - (weight - rest), so f of the remainder decreases.
    return Grows(level - 1, weight - rest, CheckedInt64(stride) - without_carry, remainders - (weight - rest));
  }

  bool gave_up() const { return steps_ > kDigitSumSteps; }

 private:
  const std::vector<WeightedDigit>& digits_;
  int64_t steps_ = 0;
};

}  // namespace

int64_t DigitSum::operator()(int64_t n) const {
  int64_t value = 0;
  for (size_t k = digits.size(); k-- > 0;) {
    value += n / digits[k].weight * digits[k].stride;
    n %= digits[k].weight;
  }
  return value;
}

Expected<std::optional<DigitSum>> PositionsAsDigitSum(const TiledLayout& layout, std::span<const int64_t> weights) {
  DigitSum sum;
  std::vector<Segments> list;
  CheckedInt64 elements = 1;
  for (int64_t p = 0; p < layout.rank(); ++p) {
    const auto d = static_cast<size_t>(layout.Major(p));
    const int64_t size = layout.dimensions[d];
    elements = elements * size;
    Segments& entry = list.emplace_back();
    const CheckedInt64 upper = CheckedInt64(weights[d]) * size;
    if (elements.overflow || upper.overflow) return OverflowError("the number of elements overflows int64");
    if (size > 1) entry.push_back({weights[d], upper.value, size});
  }
  sum.size = elements.value;
  for (const auto& tile : layout.tiles) {
    LAYOUTCHECK_TRY(const auto applied, ApplyTile(tile, list));
    if (!applied) return std::nullopt;
  }
  int64_t stride = 1;
  for (size_t k = list.size(); k-- > 0;) {
    for (size_t s = list[k].size(); s-- > 0;) {
      const Segment& segment = list[k][s];
      if (segment.weight != 0) sum.digits.push_back({segment.weight, stride});
      if (__builtin_mul_overflow(stride, segment.size, &stride)) {
        return OverflowError("the padded element count overflows int64");
      }
    }
  }
  std::ranges::sort(sum.digits, {}, &WeightedDigit::weight);
  return sum;
}

Expected<bool> SameFunction(const DigitSum& a, const DigitSum& b) {
  if (a.size != b.size) return false;
  GrowthQuestion of_a(a.digits);
  GrowthQuestion of_b(b.digits);
  // Invariant: the functions agree on [0, size) if and only if their digits below the levels agree on [0, limit).
  int64_t limit = a.size;
  size_t level_a = a.digits.size();
  size_t level_b = b.digits.size();
  while (level_a > 0 && level_b > 0) {
    const WeightedDigit& top_a = a.digits[level_a - 1];
    const WeightedDigit& top_b = b.digits[level_b - 1];
    bool same = true;
    if (top_a.weight == top_b.weight) {
      same = top_a.stride == top_b.stride;
      limit = top_a.weight;
      --level_a;
      --level_b;
    } else if (top_a.weight > top_b.weight) {
      same = of_b.Grows(level_b, top_a.weight, top_a.stride, limit - top_a.weight);
      limit = top_a.weight;
      --level_a;
    } else {
      same = of_a.Grows(level_a, top_b.weight, top_b.stride, limit - top_b.weight);
      limit = top_b.weight;
      --level_b;
    }
    if (of_a.gave_up() || of_b.gave_up()) {
      return UnsupportedError("comparing the layouts takes more than ", kDigitSumSteps,
                              " steps: too many tile sizes that do not divide each other");
    }
    if (!same) return false;
  }
  // Both functions are 0 at 0, and a function with more than one value has a digit of weight 1.
  return true;
}

}  // namespace layoutcheck
