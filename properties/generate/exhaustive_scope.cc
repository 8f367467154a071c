// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace layoutcheck {
namespace {

int64_t Power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (int64_t k = 0; k < exponent; ++k) result *= base;
  return result;
}

int64_t DrawOne(Choices& choices, const std::vector<int64_t>& values) { return values[choices.Choose(values.size())]; }

}  // namespace

int64_t ExhaustiveScope::layouts() const {
  const auto tile_size_count = static_cast<int64_t>(tile_sizes.size());
  int64_t tiles = 0;
  for (int64_t entries = 1; entries <= max_tile_entries; ++entries) {  // every entry but the last may be `*`
    tiles += Power(tile_size_count + 1, entries - 1) * tile_size_count;
  }
  int64_t lists = 0;
  for (int64_t count = 0; count <= max_tiles; ++count) lists += Power(tiles, count);
  int64_t arrays = 0;
  int64_t orders = 1;
  for (int64_t rank = 0; rank <= max_rank; ++rank) {
    orders *= rank > 0 ? rank : 1;
    arrays += Power(static_cast<int64_t>(sizes.size()), rank) * orders;
  }
  return arrays * lists;
}

std::string ExhaustiveScope::ToString() const {
  return fmt::format("rank <= {}, sizes {}, every order, up to {} tiles of up to {} entries {} and *: {} layouts",
                     max_rank, fmt::join(sizes, " "), max_tiles, max_tile_entries, fmt::join(tile_sizes, " "),
                     layouts());
}

std::span<const ExhaustiveScope> ExhaustiveLadder() {
  static const std::vector<ExhaustiveScope> ladder = {
      {1, {0, 1, 2, 3, 4}, 1, 2, {1, 2, 3}},       {2, {0, 1, 2, 3}, 1, 2, {1, 2, 3}},
      {2, {0, 1, 2, 3, 4, 5}, 2, 2, {1, 2, 3}},    {3, {0, 1, 2, 3}, 2, 2, {1, 2, 3}},
      {3, {0, 1, 2, 3, 4, 5}, 2, 3, {1, 2, 3, 4}}, {3, {1, 7, 8, 9, 31, 32, 33}, 2, 2, {2, 8, 32}},
      {4, {0, 1, 2, 3}, 2, 2, {1, 2, 3}},
  };
  return ladder;
}

Shape DrawFromScope(Choices& choices, const ExhaustiveScope& scope) {
  const auto rank = static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(scope.max_rank) + 1));
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < rank; ++d) dimensions.push_back(DrawOne(choices, scope.sizes));
  // Choosing among the remaining dimensions draws each permutation once; sort keys would repeat some.
  std::vector<int64_t> remaining(static_cast<size_t>(rank));
  std::iota(remaining.rbegin(), remaining.rend(), 0);
  std::vector<int64_t> order;
  while (!remaining.empty()) {
    const auto next = remaining.begin() + static_cast<std::ptrdiff_t>(choices.Choose(remaining.size()));
    order.push_back(*next);
    remaining.erase(next);
  }
  std::vector<Tile> tiles(choices.Choose(static_cast<uint64_t>(scope.max_tiles) + 1));
  for (Tile& tile : tiles) {
    const uint64_t entries = 1 + choices.Choose(static_cast<uint64_t>(scope.max_tile_entries));
    for (uint64_t k = 0; k + 1 < entries; ++k) {
      const uint64_t entry = choices.Choose(scope.tile_sizes.size() + 1);
      tile.dimensions.push_back(entry == scope.tile_sizes.size() ? Tile::kCombineDimension : scope.tile_sizes[entry]);
    }
    tile.dimensions.push_back(DrawOne(choices, scope.tile_sizes));
  }
  return Shape::Array(ElementType::kF32, std::move(dimensions), Layout(std::move(order), std::move(tiles)));
}

}  // namespace layoutcheck
