// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of array elements from one layout to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Consecutive indices of one loop over which both offsets advance by the constant strides of the loop.
struct RelayoutSegment {
  int64_t source = 0;       // offset of the first index relative to index 0, in elements
  int64_t destination = 0;  // offset of the first index relative to index 0 in the destination
  int64_t length = 0;       // number of indices
};

// A dimension of the array, or several that are visited as one (a tiled layout mixes dimensions only at a `*`). The
// offset of an element is the sum over all loops of the offset of the loop's index.
struct RelayoutLoop {
  std::vector<RelayoutSegment> segments;
  int64_t source_stride = 0;
  int64_t destination_stride = 0;
};

// Lengths to which the inner loops of blocks are cut. kGroupLength indices of a loop that is contiguous in the source
// are visited before the next rows: enough for long reads, few enough to keep written pages in the TLB.
inline constexpr int64_t kCacheLineBytes = 64;
inline constexpr int64_t kGroupLength = 1024;

// Calls move(begin, end) for consecutive ranges of segments. Each range has at most `length` indices, or one segment.
template <class Move>
void ForEachBand(const RelayoutLoop& loop, int64_t length, const Move& move) {
  for (size_t begin = 0, end = 0; begin < loop.segments.size(); begin = end) {
    int64_t indices = 0;
    do indices += loop.segments[end++].length;
    while (end < loop.segments.size() && indices + loop.segments[end].length <= length);
    move(begin, end);
  }
}

// Returns the loops of an array with the shape and layout `from`; each combination of loop indices is one element.
// `source` and `destination` are the linear indices of `from` and of another layout of the same dimensions, none of
// which is 0. Dimensions of size 1 have no loop. Error (unsupported): more than 2^27 segments before they are merged (3
// GiB).
Expected<std::vector<RelayoutLoop>> RelayoutLoops(const Shape& from, const TiledIndex& source,
                                                  const TiledIndex& destination);

// The way in which the inner loops are executed.
enum class RelayoutBody {
  kRuns,        // one inner loop, contiguous on both sides: runs are copied whole
  kRunStreams,  // as kRuns, but runs are written past the cache
  kStrided,     // one inner loop, element by element
  kBlocks,      // two inner loops, one contiguous in the source, the other in the destination: blocks are transposed
  kStreams,     // as kBlocks, but blocks are written past the cache
  kBits,        // one inner loop of elements of which at least one side has several in a byte
};

// A plan for moving the elements of an array between two layouts. It can run any number of times, also concurrently.
class Relayout {
 public:
  // Plans the move from the shape and layout `from` to the layout of `to`. Both must have the same element type and
  // dimensions, and store elements in the same number of bits: 8, 16, 32, 64, 128, or 1, 2 or 4, packed with element 0
  // in the low bits. 1, 2 or 4 bits on one side may also be 8 bits on the other, with zero high bits. Layout attributes
  // that place no element (memory space, metadata) are ignored. Offsets count from the first element.
  // A destination of `large_bytes` or more does not stay in the cache, so it may be written past it.
  // Errors: those of MakeTiledIndex and SizesOf; shapes that do not fit each other (invalid argument); other widths,
  // and layouts whose tables would be too large (unsupported).
  static Expected<Relayout> Create(const Shape& from, const Shape& to, int64_t large_bytes = int64_t{4} << 20);

  // Moves every element. `source` and `destination` are the arrays in memory: source_bytes() and destination_bytes()
  // long, of any alignment, without overlap. Allocates nothing. If `padding` is empty, the padding of the destination
  // stays as it is. Otherwise `padding` is one element as stored (one byte whose low bits count if elements are
  // packed): every cell without an element becomes `padding`, and unused high bits of the last byte become zero. Error
  // (invalid argument): a span of the wrong size.
  Expected<void> Run(std::span<const std::byte> source, std::span<std::byte> destination,
                     std::span<const std::byte> padding = {}) const;

  int64_t source_bytes() const { return source_bytes_; }
  int64_t destination_bytes() const { return destination_bytes_; }
  RelayoutBody body() const { return body_; }

 private:
  Relayout() = default;

  // Joins two loops without jumps if the stride of one is the length of the other, on both sides.
  void CoalesceLoops();
  // Joins neighbors into one wider element if they stay together and everything else moves by multiples of them.
  void WidenElements();
  void ChooseBody(int64_t large_bytes);
  void ScaleToBytes();
  void FillPadding(std::span<std::byte> destination, std::span<const std::byte> padding) const;

  int64_t elements_ = 0;
  int64_t padded_elements_ = 0;  // elements that the destination allocates, padding included
  int64_t source_bytes_ = 0;
  int64_t destination_bytes_ = 0;
  int64_t source_bits_ = 0;
  int64_t destination_bits_ = 0;
  int64_t move_bytes_ = 0;  // bytes moved at once: an element, or several that stay together

  RelayoutBody body_ = RelayoutBody::kStrided;
  // Offsets and strides of all loops are in bytes, but in elements for kBits.
  std::vector<RelayoutLoop> outer_;
  RelayoutLoop inner_;           // for kBlocks and kStreams: contiguous in the source
  RelayoutLoop inner_of_block_;  // for kBlocks and kStreams only: contiguous in the destination
};

}  // namespace layoutcheck
