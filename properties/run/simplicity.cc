// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/simplicity.h"
#include <algorithm>
#include <limits>

namespace layoutcheck {
namespace {

// Returns the sum, or the largest uint64_t if it does not fit.
uint64_t AddUpTo(uint64_t sum, int64_t number) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const auto added = static_cast<uint64_t>(number);
  return sum > most - added ? most : sum + added;
}

}  // namespace

Simplicity::Simplicity(const Shape& shape) : sizes(shape.dimensions), tiles(shape.layout->tiles) {
  const Layout& layout = *shape.layout;
  auto& [rank, tile_count, entries, combined, attributes, size_sum, tile_sum, attribute_sum] = counts;
  rank = shape.dimensions.size();
  tile_count = tiles.size();
  for (const Tile& tile : tiles) {
    entries += tile.dimensions.size();
    for (const int64_t size : tile.dimensions) {
      if (size == Tile::kCombineDimension) {
        ++combined;
      } else {
        tile_sum = AddUpTo(tile_sum, size - 1);
      }
    }
  }
  for (const int64_t size : sizes) size_sum = AddUpTo(size_sum, size == 1 ? 0 : std::max<int64_t>(size, 1));
  attributes = (shape.element_type != ElementType::kF32 ? 1u : 0u) +
               static_cast<uint64_t>(std::ranges::count(shape.dynamic_dimensions, true));
  for (const auto& [member, none] : kNumberAttributes) {
    attributes += layout.*member != none ? 1 : 0;
    attribute_sum += static_cast<uint64_t>(layout.*member);
  }
  for (const SplitConfig& split : layout.split_configs) attributes += 1 + split.split_indices.size();
  const auto last = static_cast<int64_t>(sizes.size()) - 1;
  for (size_t k = 0; k < sizes.size(); ++k) {
    order.push_back(last - static_cast<int64_t>(k) - layout.minor_to_major[k]);
  }
}

bool Simplicity::operator<(const Simplicity& other) const {
  if (counts != other.counts) return counts < other.counts;
  if (order != other.order) return order < other.order;
  if (sizes != other.sizes) return sizes < other.sizes;
  return std::ranges::lexicographical_compare(tiles, other.tiles, {}, &Tile::dimensions, &Tile::dimensions);
}

}  // namespace layoutcheck
