// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/relayout_loops.h"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// largest number of segments over all loops before they are merged (3 GiB)
constexpr int64_t kMaxSegments = int64_t{1} << 27;

// Returns a number n of indices of a dimension such that the linear index is linear within every block [k * n, (k + 1)
// * n): 0 if it is linear over the whole dimension, and 1, which is always right, if a `*` mixes or scales digits of
// the dimension. Saves 2^30 evaluations for a dimension of 2^30 elements.
int64_t LinearBlock(const TiledIndex& index, size_t dimension) {
  // The dependence of a value of the program on the dimension. The value is constant on blocks of `unit` indices and
  // goes up by 1 from one block to the next, except at multiples of `jump` (0: nowhere), a multiple of unit. It is
  // congruent to floor(index / unit) modulo jump / unit. If unit is 0, the value does not depend on the dimension.
  struct Digit {
    int64_t unit = 0;
    int64_t jump = 0;
  };
  std::vector<Digit> digits(index.program().value_count);
  digits[dimension] = {1, 0};
  for (const auto& step : index.program().steps) {
    const Digit& a = digits[step.a];
    if (step.combine) {
      const bool scaled = a.unit != 0 && step.size != 1;
      if (scaled || (a.unit != 0 && digits[step.b].unit != 0)) return 1;
      digits[step.result] = a.unit != 0 ? a : digits[step.b];
      continue;
    }
    if (a.unit == 0) continue;
    const int64_t period = a.unit * step.size;
    const int64_t block = std::gcd(period, a.jump);
    const bool exact = a.jump % period == 0;
    const Digit quotient = {block, exact ? a.jump : block};
    const Digit remainder = step.size == 1 ? Digit{} : Digit{a.unit, block};  // mod 1 is 0
    digits[step.result] = quotient;
    digits[step.result + 1] = remainder;
  }
  int64_t block = 0;
  for (const auto& [value, stride] : index.program().summands) {
    const Digit& digit = digits[value];
    if (digit.unit != 0) block = std::gcd(block, digit.unit == 1 ? digit.jump : digit.unit);
  }
  return block;
}

// Builds the loop over a group of dimensions. The most minor dimension of the source layout is the fastest.
class LoopBuilder {
 public:
  LoopBuilder(const TiledIndex& source, const TiledIndex& destination, std::span<const int64_t> dimensions)
      : source_(source), destination_(destination), dimensions_(dimensions), index_(dimensions.size(), 0) {}

  // `group` lists dimensions from major to minor. Subtracts the segments used from `budget`. Error (unsupported):
  // budget exceeded.
  Expected<RelayoutLoop> Build(std::span<const size_t> group, int64_t& budget) {
    RelayoutLoop loop;
    CheckedInt64 product = 1;
    for (const size_t d : group) product = product * dimensions_[d];
    const int64_t count = product.value;  // fits: a divisor of the element count
    int64_t block = 1;
    if (group.size() == 1) {
      block = std::gcd(LinearBlock(source_, group[0]), LinearBlock(destination_, group[0]));
      if (block == 0) block = count;
    }
    budget -= CeilDiv(count, block);
    if (budget < 0) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("the layouts' tables would have more than ", kMaxSegments, " entries"));
    }
    const auto [second_source, second_destination] = At(group, 1);
    loop.source_stride = second_source;
    loop.destination_stride = second_destination;
    for (int64_t first = 0; first < count; first += block) {
      const auto [source, destination] = At(group, first);
      const int64_t length = std::min(block, count - first);
      if (!loop.segments.empty()) {
        RelayoutSegment& last = loop.segments.back();
        if (source == last.source + last.length * loop.source_stride &&
            destination == last.destination + last.length * loop.destination_stride) {
          last.length += length;
          continue;
        }
      }
      loop.segments.push_back({source, destination, length});
    }
    return loop;
  }

 private:
  // Returns both offsets at row-major index `position` of the group.
  std::pair<int64_t, int64_t> At(std::span<const size_t> group, int64_t position) {
    for (size_t k = group.size(); k > 0; --k) {
      const size_t d = group[k - 1];
      index_[d] = position % dimensions_[d];
      position /= dimensions_[d];
    }
    const std::pair<int64_t, int64_t> offsets = {source_(index_), destination_(index_)};
    for (const size_t d : group) index_[d] = 0;
    return offsets;
  }

  const TiledIndex& source_;
  const TiledIndex& destination_;
  std::span<const int64_t> dimensions_;
  std::vector<int64_t> index_;
};

}  // namespace

Expected<std::vector<RelayoutLoop>> RelayoutLoops(const Shape& from, const TiledIndex& source,
                                                  const TiledIndex& destination) {
  std::vector<RelayoutLoop> loops;
  LoopBuilder builder(source, destination, from.dimensions);
  int64_t budget = kMaxSegments;
  for (std::vector<size_t>& group : GroupCombinedDimensions({&source, &destination}, from.layout->minor_to_major)) {
    std::erase_if(group, [&](size_t d) { return from.dimensions[d] == 1; });
    if (group.empty()) continue;
    auto loop = builder.Build(group, budget);
    if (!loop) return std::unexpected(loop.error());
    loops.push_back(*std::move(loop));
  }
  return loops;
}

}  // namespace layoutcheck
