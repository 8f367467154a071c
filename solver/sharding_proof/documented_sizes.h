// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of shards as XLA, DTensor and tt-metal document them. They share no formula with core/sharding, which is
// proved equal to them.
#pragma once

#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/sharding/dimension_cut.h"

namespace layoutcheck {

struct DocumentedShardSizes {
  // Returns the number of elements per chunk, of which the last ones may be shorter: ceil(size / count).
  template <class Int>
  static Int ChunkLength(const Int& size, const Int& count) {
    return FloorDiv(size + count - Int(1), count);
  }
  // Returns the size of a chunk: it goes from chunk * length to (chunk + 1) * length, but not beyond the end.
  template <class Int>
  static Int Chunk(const Int& size, const Int& count, const Int& chunk) {
    return ChunkOf(size, ChunkLength(size, count), chunk);
  }
  template <class Int>
  static Int ChunkOf(const Int& size, const Int& length, const Int& chunk) {
    const Int begin = chunk * length;
    const Int end = begin + length;
    return (end < size ? end : size) - (begin < size ? begin : size);
  }
  // Returns the size of a part of blocks: the sum over the blocks of the sizes of its chunks in them.
  template <class Int>
  static Int InBlocks(const Int& size, const Int& block, const Int& parts, const Int& part) {
    const Int number = FloorDiv(size, block);
    return number * Chunk(block, parts, part) + Chunk(size - number * block, parts, part);
  }
  template <class Int>
  static Int Part(const Int& size, const DimensionCut<Int>& cut, const Int& part) {
    if (cut.length) return ChunkOf(size, *cut.length, part);
    if (cut.blocks == Int(1)) return Chunk(size, cut.parts, part);
    if (size == Int(0)) return Int(0);
    return InBlocks(size, ChunkLength(size, cut.blocks), cut.parts, part);
  }
};

}  // namespace layoutcheck
