// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One step of cutting a dimension among devices, by closed formulas over any integer type. The other definition, in
// shard_arrays.h, cuts arrays.
#pragma once

#include <cstdint>
#include <optional>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// A step that cuts a dimension into `parts` parts. With one block, part p is the p-th of the chunks of ceil(size /
// parts) elements, as XLA's tile assignments and torch.chunk have them; the last parts may be shorter or empty. With
// more blocks, the dimension is first cut into chunks of ceil(size / blocks) elements, each of them into parts, and
// part p is the p-th part of every block, one after another. Source of the latter: DTensor's _StridedShard, whose
// split_factor is the number of blocks. With a length, there is one block, and part p is the p-th chunk of `length`
// elements, as tt-metal has it; the last parts may be shorter or empty, and together they hold the dimension.
template <class Int>
struct DimensionCut {
  int64_t dimension = 0;
  Int parts = 1;                             // >= 1
  Int blocks = 1;                            // >= 1
  std::optional<Int> length = std::nullopt;  // elements per part, >= 1
};

// The place of an element in one dimension: its part, and its index in that part.
template <class Int>
struct PartPlace {
  Int part;
  Int index;
};

// Returns the number of elements in the chunk with this number if `size` elements are cut into chunks of `full`.
// Requires 0 <= chunk.
template <class Int>
Int SizeInChunks(const Int& size, const Int& full, const Int& chunk) {
  const Int rest = size - chunk * full;
  if (rest < Int(0)) return Int(0);
  return rest < full ? rest : full;
}

// Returns the number of elements in the chunk with this number if `size` elements are cut into `count` chunks of
// ceil(size / count). Requires count >= 1 and 0 <= chunk < count.
template <class Int>
Int SizeOfChunk(const Int& size, const Int& count, const Int& chunk) {
  return SizeInChunks(size, CeilDiv(size, count), chunk);
}

// Returns the number of elements per part of a cut without blocks, of which the last ones may have fewer.
template <class Int>
Int LengthOfParts(const Int& size, const DimensionCut<Int>& cut) {
  return cut.length ? *cut.length : CeilDiv(size, cut.parts);
}

// The three functions ...InBlocks take a dimension in blocks of `block` elements. The last block may be shorter. Each
// block is cut into chunks of ceil(elements of the block / parts), and part p has the p-th chunk of every block, one
// after another. They require block >= 1.

// Returns the number of elements of a part.
template <class Int>
Int SizeInBlocks(const Int& size, const Int& block, const Int& parts, const Int& part) {
  const Int full_blocks = FloorDiv(size, block);
  return full_blocks * SizeOfChunk(block, parts, part) + SizeOfChunk(Mod(size, block), parts, part);
}

// Returns the part of the element at `index`, and its index there. Requires 0 <= index < size.
template <class Int>
PartPlace<Int> PlaceInBlocks(const Int& size, const Int& block, const Int& parts, const Int& index) {
  const Int number = FloorDiv(index, block);
  const Int begin = number * block;
  const Int rest = size - begin;
  const Int chunk = CeilDiv(rest < block ? rest : block, parts);
  const Int part = FloorDiv(index - begin, chunk);
  return {part, number * SizeOfChunk(block, parts, part) + Mod(index - begin, chunk)};
}

// Returns the index of the element at a place: the inverse of PlaceInBlocks. Requires a part in [0, parts) and an index
// in [0, SizeInBlocks).
template <class Int>
Int IndexInBlocks(const Int& size, const Int& block, const Int& parts, const PartPlace<Int>& place) {
  const Int full_blocks = FloorDiv(size, block);
  const Int in_block = SizeOfChunk(block, parts, place.part);
  Int number = full_blocks;
  if (place.index < full_blocks * in_block) number = FloorDiv(place.index, in_block);
  const Int rest = size - number * block;
  const Int chunk = CeilDiv(rest < block ? rest : block, parts);
  return number * block + place.part * chunk + (place.index - number * in_block);
}

// Returns the number of elements of a part of `size` elements.
template <class Int>
Int SizeOfPart(const Int& size, const DimensionCut<Int>& cut, const Int& part) {
  if (cut.blocks == Int(1)) return SizeInChunks(size, LengthOfParts(size, cut), part);
  if (size == Int(0)) return Int(0);
  return SizeInBlocks(size, CeilDiv(size, cut.blocks), cut.parts, part);
}

// Returns the part of the element at `index`, and its index there. Requires 0 <= index < size.
template <class Int>
PartPlace<Int> PlaceInPart(const Int& size, const DimensionCut<Int>& cut, const Int& index) {
  if (cut.blocks != Int(1)) return PlaceInBlocks(size, CeilDiv(size, cut.blocks), cut.parts, index);
  const Int length = LengthOfParts(size, cut);
  return {FloorDiv(index, length), Mod(index, length)};
}

// Returns the index of the element at a place: the inverse of PlaceInPart. Requires a part in [0, parts) and an index
// in [0, SizeOfPart).
template <class Int>
Int IndexOfPlace(const Int& size, const DimensionCut<Int>& cut, const PartPlace<Int>& place) {
  if (cut.blocks != Int(1)) return IndexInBlocks(size, CeilDiv(size, cut.blocks), cut.parts, place);
  return place.part * LengthOfParts(size, cut) + place.index;
}

}  // namespace layoutcheck
