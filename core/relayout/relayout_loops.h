// The loops that walk the elements of two layouts of one array at the same time.
#ifndef LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_LOOPS_H_
#define LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_LOOPS_H_

#include <cstdint>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Consecutive indices of one loop over which both offsets advance by the loop's constant strides.
struct RelayoutSegment {
  int64_t source = 0;       // offset of the first index, from that of index 0
  int64_t destination = 0;  // the same on the other side
  int64_t length = 0;
};

// One dimension of the array, or several that are walked as one. An element's offset is the sum, over all loops, of the
// offset of that loop's index: a tiled layout mixes two dimensions only where a `*` combines them.
struct RelayoutLoop {
  std::vector<RelayoutSegment> segments;
  int64_t source_stride = 0;
  int64_t destination_stride = 0;
};

// What the inner loops are cut to. Indices of a loop that is contiguous in the source are walked before the next rows:
// enough for long reads, few enough that the pages written to stay in the translation buffer.
inline constexpr int64_t kCacheLineBytes = 64;
inline constexpr int64_t kGroupLength = 1024;

// The loops of an array with the shape and layout `from`: the offset of every element on each side is the sum of the
// loops' offsets, and every combination of the loops' indices is one element. `source` and `destination` are the linear
// indices of `from` and of another layout of the same dimensions, none of which is 0. Dimensions of size 1 have no
// loop. Error (unsupported): more segments than fit in memory.
Expected<std::vector<RelayoutLoop>> RelayoutLoops(const Shape& from, const TiledIndex& source,
                                                  const TiledIndex& destination);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_RELAYOUT_RELAYOUT_LOOPS_H_
