// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/shard_arrays.h"
#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {
namespace {

using Positions = std::vector<int64_t>;

// The array of a group of devices while it is cut.
struct Piece {
  std::vector<int64_t> sizes;
  std::vector<int64_t> elements;  // in row-major order
};

// Returns `count` lists: each takes `given` from the front, or as many as there are if they are dealt out to `count`
// evenly, rounded up, and the last ones what is left.
std::vector<Positions> Chunks(const Positions& positions, int64_t count, std::optional<int64_t> given = std::nullopt) {
  auto length = static_cast<size_t>(given.value_or(0));
  while (!given && static_cast<int64_t>(length) * count < static_cast<int64_t>(positions.size())) ++length;
  std::vector<Positions> chunks(static_cast<size_t>(count));
  size_t next = 0;
  for (Positions& chunk : chunks) {
    while (chunk.size() < length && next < positions.size()) chunk.push_back(positions[next++]);
  }
  return chunks;
}

// Returns the positions in a dimension that each part takes.
std::vector<Positions> PositionsOfParts(int64_t size, const DimensionCut<int64_t>& cut) {
  Positions all(static_cast<size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  std::vector<Positions> parts(static_cast<size_t>(cut.parts));
  for (const Positions& block : Chunks(all, cut.blocks)) {
    const std::vector<Positions> chunks = Chunks(block, cut.parts, cut.length);
    for (size_t p = 0; p < parts.size(); ++p) {
      parts[p].insert(parts[p].end(), chunks[p].begin(), chunks[p].end());
    }
  }
  return parts;
}

// Returns the elements at these positions of a dimension.
Piece Select(const Piece& piece, size_t dimension, const Positions& positions) {
  size_t inner = 1;
  for (size_t d = dimension + 1; d < piece.sizes.size(); ++d) inner *= static_cast<size_t>(piece.sizes[d]);
  const size_t row = inner * static_cast<size_t>(piece.sizes[dimension]);
  Piece selected{piece.sizes, {}};
  selected.sizes[dimension] = static_cast<int64_t>(positions.size());
  for (size_t begin = 0; begin < piece.elements.size(); begin += row) {
    for (const int64_t position : positions) {
      const auto first = piece.elements.begin() + static_cast<ptrdiff_t>(begin + static_cast<size_t>(position) * inner);
      selected.elements.insert(selected.elements.end(), first, first + static_cast<ptrdiff_t>(inner));
    }
  }
  return selected;
}

// Returns the element at each offset of each device, as a map.
Expected<std::map<std::pair<int64_t, int64_t>, int64_t>> MemoriesOf(const Sharding& sharding) {
  LAYOUTCHECK_TRY(const std::vector<ShardElements> shards, CutArray(sharding));
  std::map<std::pair<int64_t, int64_t>, int64_t> memories;
  for (const ShardElements& shard : shards) {
    const std::vector<int64_t> allocated = *sharding.LocalSizes(shard.device);
    std::vector<int64_t> coordinate(shard.sizes.size());
    for (const int64_t element : shard.elements) {
      int64_t offset = 0;
      for (size_t d = 0; d < coordinate.size(); ++d) offset = offset * allocated[d] + coordinate[d];
      memories[{shard.device, offset}] = element;
      for (size_t d = coordinate.size(); d-- > 0;) {  // the next coordinate
        if (++coordinate[d] < shard.sizes[d]) break;
        coordinate[d] = 0;
      }
    }
  }
  return memories;
}

}  // namespace

Expected<bool> AreSameMemories(const Sharding& a, const Sharding& b) {
  LAYOUTCHECK_TRY(const auto of_a, MemoriesOf(a));
  LAYOUTCHECK_TRY(const auto of_b, MemoriesOf(b));
  return of_a == of_b;
}

Expected<std::vector<ShardElements>> CutArray(const Sharding& sharding) {
  constexpr int64_t kMostElements = int64_t{1} << 24;
  const ShardCuts<int64_t>& cuts = sharding.cuts();
  const CheckedInt64 elements = ProductOfSizes(cuts.dimensions);
  const CheckedInt64 held = elements * CheckedInt64(sharding.replicas());
  if (held.overflow || held.value > kMostElements) return UnsupportedError("an array of more than 2^24 elements");
  Piece whole{cuts.dimensions, Positions(static_cast<size_t>(elements.value))};
  std::iota(whole.elements.begin(), whole.elements.end(), 0);
  std::vector<Piece> pieces{std::move(whole)};
  for (const DimensionCut<int64_t>& cut : cuts.cuts) {
    const auto dimension = static_cast<size_t>(cut.dimension);
    std::vector<Piece> cut_pieces;
    for (const Piece& piece : pieces) {
      for (const Positions& positions : PositionsOfParts(piece.sizes[dimension], cut)) {
        cut_pieces.push_back(Select(piece, dimension, positions));
      }
    }
    pieces = std::move(cut_pieces);
  }
  std::vector<ShardElements> shards;
  for (size_t k = 0; k < sharding.devices_by_part().size(); ++k) {
    const Piece& piece = pieces[k / static_cast<size_t>(sharding.replicas())];
    shards.push_back({sharding.devices_by_part()[k], piece.sizes, piece.elements});
  }
  std::ranges::sort(shards, {}, &ShardElements::device);
  return shards;
}

}  // namespace layoutcheck
