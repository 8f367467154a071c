// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/relayout.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

Expected<void> CheckWidths(int64_t source_bits, int64_t destination_bits) {
  const auto packed = [](int64_t bits) { return bits == 1 || bits == 2 || bits == 4; };
  const auto whole = [](int64_t bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128; };
  if (source_bits == destination_bits && (packed(source_bits) || whole(source_bits))) return {};
  if ((packed(source_bits) && destination_bits == 8) || (source_bits == 8 && packed(destination_bits))) return {};
  return UnsupportedError("moving elements of ", source_bits, " bits to elements of ", destination_bits, " bits");
}

// Bytes of the runs that are written past the cache: the lines at the ends of shorter runs would cost more than that
// saves, and memcpy does longer ones as fast.
constexpr int64_t kShortestStream = 4 * kCacheLineBytes;
constexpr int64_t kLongestStream = int64_t{64} << 10;

int64_t LongestSegment(const RelayoutLoop& loop) {
  int64_t longest = 0;
  for (const RelayoutSegment& segment : loop.segments) longest = std::max(longest, segment.length);
  return longest;
}

// Cuts segments into parts of at most `length` indices.
void CutSegments(RelayoutLoop& loop, int64_t length) {
  std::vector<RelayoutSegment> cut;
  for (const RelayoutSegment& segment : loop.segments) {
    for (int64_t i = 0; i < segment.length; i += length) {
      cut.push_back({segment.source + i * loop.source_stride, segment.destination + i * loop.destination_stride,
                     std::min(length, segment.length - i)});
    }
  }
  loop.segments = std::move(cut);
}

// Multiplies all offsets and strides by multiplier / divisor, which must be exact.
void ScaleLoop(RelayoutLoop& loop, int64_t multiplier, int64_t divisor = 1) {
  const auto scale = [&](int64_t& offset) { offset = offset * multiplier / divisor; };
  scale(loop.source_stride);
  scale(loop.destination_stride);
  for (RelayoutSegment& segment : loop.segments) {
    scale(segment.source);
    scale(segment.destination);
  }
}

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
    if (budget < 0) return UnsupportedError("the layouts' tables would have more than ", kMaxSegments, " entries");
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

Expected<Relayout> Relayout::Create(const Shape& from, const Shape& to, int64_t large_bytes) {
  LAYOUTCHECK_TRY(const auto source, MakeTiledIndex(from));
  LAYOUTCHECK_TRY(const auto destination, MakeTiledIndex(to));
  if (from.element_type != to.element_type) {
    return ArgumentError("the element types differ: ", ElementTypeName(from.element_type), " and ",
                         ElementTypeName(to.element_type));
  }
  if (from.dimensions != to.dimensions) {
    return ArgumentError("the dimensions differ: [", StrJoin(from.dimensions, ","), "] and [",
                         StrJoin(to.dimensions, ","), "]");
  }
  LAYOUTCHECK_TRY(const auto source_sizes, SizesOf(from));
  LAYOUTCHECK_TRY(const auto destination_sizes, SizesOf(to));

  Relayout plan;
  plan.elements_ = source_sizes.elements;
  plan.padded_elements_ = destination_sizes.padded_elements;
  plan.source_bytes_ = source_sizes.bytes;
  plan.destination_bytes_ = destination_sizes.bytes;
  plan.source_bits_ = ElementSizeInBits(from);
  plan.destination_bits_ = ElementSizeInBits(to);
  LAYOUTCHECK_RETURN_IF_ERROR(CheckWidths(plan.source_bits_, plan.destination_bits_));
  if (plan.elements_ == 0) return plan;

  LAYOUTCHECK_TRY(plan.outer_, RelayoutLoops(from, source, destination));
  const bool packed = plan.source_bits_ < 8 || plan.destination_bits_ < 8;
  plan.body_ = packed ? RelayoutBody::kBits : RelayoutBody::kStrided;
  plan.move_bytes_ = packed ? 1 : plan.source_bits_ / 8;
  plan.CoalesceLoops();
  if (!packed) plan.WidenElements();
  plan.ChooseBody(large_bytes);
  if (!packed) plan.ScaleToBytes();
  return plan;
}

void Relayout::CoalesceLoops() {
  const auto joins = [](const RelayoutLoop& outer, const RelayoutLoop& inner) {
    if (outer.segments.size() != 1 || inner.segments.size() != 1) return false;
    const int64_t length = inner.segments[0].length;
    return outer.source_stride == inner.source_stride * length &&
           outer.destination_stride == inner.destination_stride * length;
  };
  for (size_t inner = 0; inner < outer_.size();) {
    const auto outer =
        std::ranges::find_if(outer_, [&](const RelayoutLoop& loop) { return joins(loop, outer_[inner]); });
    if (outer == outer_.end()) {
      ++inner;
      continue;
    }
    outer_[inner].segments[0].length *= outer->segments[0].length;
    outer_.erase(outer);
    inner = 0;
  }
}

void Relayout::WidenElements() {
  const auto run = std::ranges::find_if(outer_, [](const RelayoutLoop& loop) {
    return loop.source_stride == 1 && loop.destination_stride == 1 && loop.segments.size() == 1;
  });
  if (run == outer_.end()) return;
  const int64_t length = run->segments[0].length;
  if (length * move_bytes_ > 16 || (length & (length - 1)) != 0) return;
  const auto multiple = [length](int64_t offset) { return offset % length == 0; };
  for (const RelayoutLoop& loop : outer_) {
    if (&loop == &*run) continue;
    if (!multiple(loop.source_stride) || !multiple(loop.destination_stride)) return;
    for (const RelayoutSegment& segment : loop.segments) {
      if (!multiple(segment.source) || !multiple(segment.destination)) return;
    }
  }
  outer_.erase(run);
  move_bytes_ *= length;
  for (RelayoutLoop& loop : outer_) ScaleLoop(loop, 1, length);
}

void Relayout::ChooseBody(int64_t large_bytes) {
  // The most distant writes go to the outermost loop.
  std::ranges::stable_sort(outer_, std::ranges::greater(), &RelayoutLoop::destination_stride);
  const auto take = [this](auto chosen) {
    RelayoutLoop loop = std::move(*chosen);
    outer_.erase(chosen);
    return loop;
  };
  const auto contiguous = [](const RelayoutLoop& loop) {
    return std::pair(loop.source_stride == 1, loop.destination_stride == 1);
  };
  if (outer_.empty()) {
    inner_ = {{{0, 0, 1}}, 1, 1};
    return;
  }
  const auto run = std::ranges::find(outer_, std::pair(true, true), contiguous);
  if (run != outer_.end()) {
    inner_ = take(run);
    if (body_ == RelayoutBody::kBits) return;
    // Runs use the cache better than blocks, so three times as much may go through it.
    const int64_t run_bytes = LongestSegment(inner_) * move_bytes_;
    const bool streams =
        destination_bytes_ / 3 >= large_bytes && run_bytes >= kShortestStream && run_bytes < kLongestStream;
    body_ = streams ? RelayoutBody::kRunStreams : RelayoutBody::kRuns;
    return;
  }
  const auto column = std::ranges::find(outer_, std::pair(true, false), contiguous);
  const auto row = std::ranges::find(outer_, std::pair(false, true), contiguous);
  if (column == outer_.end() || row == outer_.end() || body_ == RelayoutBody::kBits) {
    const auto longest = std::ranges::max_element(outer_, {}, LongestSegment);
    inner_ = take(row != outer_.end() ? row : column != outer_.end() ? column : longest);
    return;
  }
  body_ = RelayoutBody::kBlocks;
  inner_of_block_ = take(row);  // invalidates `column`
  inner_ = take(std::ranges::find(outer_, std::pair(true, false), contiguous));
  CutSegments(inner_, kGroupLength);
  const bool alternates = inner_of_block_.source_stride * move_bytes_ <= kCacheLineBytes ||
                          inner_.destination_stride * move_bytes_ <= kCacheLineBytes;
  if (destination_bytes_ >= large_bytes && move_bytes_ < 16 && !alternates && LongestSegment(inner_) >= 4 &&
      LongestSegment(inner_of_block_) >= kCacheLineBytes / move_bytes_) {
    body_ = RelayoutBody::kStreams;
    return;
  }
  // Rows are cut to a cache line of the destination, unless the blocks would become too small to be worth a call.
  if (LongestSegment(inner_) >= kCacheLineBytes / move_bytes_ / 2) {
    CutSegments(inner_of_block_, std::max<int64_t>(1, kCacheLineBytes / move_bytes_));
  }
}

void Relayout::ScaleToBytes() {
  for (RelayoutLoop& loop : outer_) ScaleLoop(loop, move_bytes_);
  ScaleLoop(inner_, move_bytes_);
  ScaleLoop(inner_of_block_, move_bytes_);
}

Expected<std::vector<RelayoutLoop>> RelayoutLoops(const Shape& from, const TiledIndex& source,
                                                  const TiledIndex& destination) {
  std::vector<RelayoutLoop> loops;
  LoopBuilder builder(source, destination, from.dimensions);
  int64_t budget = kMaxSegments;
  for (std::vector<size_t>& group : GroupCombinedDimensions({&source, &destination}, from.layout->minor_to_major)) {
    std::erase_if(group, [&](size_t d) { return from.dimensions[d] == 1; });
    if (group.empty()) continue;
    LAYOUTCHECK_TRY(auto loop, builder.Build(group, budget));
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace layoutcheck
