// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/relayout/relayout.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

Expected<void> CheckWidths(int64_t source_bits, int64_t destination_bits) {
  const auto packed = [](int64_t bits) { return bits == 1 || bits == 2 || bits == 4; };
  const auto whole = [](int64_t bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128; };
  if (source_bits == destination_bits && (packed(source_bits) || whole(source_bits))) return {};
  if ((packed(source_bits) && destination_bits == 8) || (source_bits == 8 && packed(destination_bits))) return {};
  return MakeError(ErrorKind::kUnsupported,
                   StrCat("moving elements of ", source_bits, " bits to elements of ", destination_bits, " bits"));
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

}  // namespace

Expected<Relayout> Relayout::Create(const Shape& from, const Shape& to, int64_t large_bytes) {
  const auto source = MakeTiledIndex(from);
  if (!source) return std::unexpected(source.error());
  const auto destination = MakeTiledIndex(to);
  if (!destination) return std::unexpected(destination.error());
  if (from.element_type != to.element_type) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the element types differ: ", ElementTypeName(from.element_type), " and ",
                            ElementTypeName(to.element_type)));
  }
  if (from.dimensions != to.dimensions) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the dimensions differ: [", StrJoin(from.dimensions, ","),
                                                         "] and [", StrJoin(to.dimensions, ","), "]"));
  }
  const auto source_sizes = SizesOf(from);
  if (!source_sizes) return std::unexpected(source_sizes.error());
  const auto destination_sizes = SizesOf(to);
  if (!destination_sizes) return std::unexpected(destination_sizes.error());

  Relayout plan;
  plan.elements_ = source_sizes->elements;
  plan.padded_elements_ = destination_sizes->padded_elements;
  plan.source_bytes_ = source_sizes->bytes;
  plan.destination_bytes_ = destination_sizes->bytes;
  plan.source_bits_ = ElementSizeInBits(from);
  plan.destination_bits_ = ElementSizeInBits(to);
  if (Expected<void> widths = CheckWidths(plan.source_bits_, plan.destination_bits_); !widths) {
    return std::unexpected(widths.error());
  }
  if (plan.elements_ == 0) return plan;

  auto loops = RelayoutLoops(from, *source, *destination);
  if (!loops) return std::unexpected(loops.error());
  plan.outer_ = *std::move(loops);
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

}  // namespace layoutcheck
