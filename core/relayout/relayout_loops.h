// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that visit the elements of two layouts of one array at the same time.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Consecutive indices of one loop over which both offsets advance by the constant strides of the loop.
struct RelayoutSegment {
  int64_t source = 0;       // offset of the first index relative to index 0, in elements
  int64_t destination = 0;  // offset of the first index relative to index 0 in the destination
  int64_t length = 0;       // in indices
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

}  // namespace layoutcheck
