// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the three definitions of a tiled layout are equal: the closed formula, pad-reshape-transpose on a real
// array, and mixed-radix digits with their inverse.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/core/testing/tiled_layouts.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using TileEntries = std::vector<TileDimension<int64_t>>;

// Compares the definitions over many layouts and reuses its buffers.
struct Comparison {
  std::vector<int64_t> elements;
  std::vector<int64_t> index;
  std::vector<int64_t> back;
  // If true, each element is also followed through PadReshapeTransposeIndex, which allocates.
  bool follow_elements = false;
  int64_t layouts = 0;
  int64_t indices = 0;

  // Returns true if all three put every element at the same place, have as many places, and pad all other places.
  bool Agree(const TiledLayout& layout) {
    ++layouts;
    const auto formula = MakeTiledIndex(layout);
    const auto digits = MakeMixedRadix(layout);
    if (!formula || !digits) return false;
    int64_t count = 1;
    for (const int64_t size : layout.dimensions) count *= size;
    elements.resize(static_cast<size_t>(count));
    std::iota(elements.begin(), elements.end(), 0);
    const auto memory = PadReshapeTranspose<int64_t>(layout, elements, -1);
    if (!memory || static_cast<int64_t>(memory->size()) != formula->padded_elements() ||
        formula->padded_elements() != digits->padded_elements()) {
      return false;
    }
    index.assign(layout.dimensions.size(), 0);
    back.assign(layout.dimensions.size(), 0);
    for (int64_t element = 0; element < count; ++element) {
      ++indices;
      const int64_t place = (*formula)(index);
      if (digits->Index(index) != place) return false;
      if (follow_elements && PadReshapeTransposeIndex<int64_t>(layout, index) != place) return false;
      if (place < 0 || place >= formula->padded_elements() || (*memory)[static_cast<size_t>(place)] != element)
        return false;
      if (!digits->Coordinate(place, back) || back != index) return false;
      NextIndex(index, layout.dimensions);
    }
    for (size_t place = 0; place < memory->size(); ++place) {
      if ((*memory)[place] < 0 && digits->Coordinate(static_cast<int64_t>(place), back)) return false;
    }
    return true;
  }
};

// Returns every tile of up to `max_rank` entries 1 to 4 and `*` whose last entry is a number.
std::vector<TileEntries> AllTiles(size_t max_rank) {
  std::vector<TileEntries> tiles;
  std::vector<TileEntries> of_rank = {{}};
  for (size_t rank = 1; rank <= max_rank; ++rank) {
    std::vector<TileEntries> longer;
    for (const TileEntries& tile : of_rank) {
      for (int64_t size = 0; size <= 4; ++size) {
        TileEntries next = {size == 0 ? TileDimension<int64_t>{true, 1} : TileDimension<int64_t>{false, size}};
        if (tile.empty() && size == 0) continue;
        next.insert(next.end(), tile.begin(), tile.end());
        longer.push_back(next);
      }
    }
    tiles.insert(tiles.end(), longer.begin(), longer.end());
    of_rank = std::move(longer);
  }
  return tiles;
}

#if defined(LAYOUTCHECK_SANITIZED)
constexpr int64_t kMaxExtent = 2;  // sanitizers run the same checks over a smaller scope
constexpr size_t kMaxTileRank = 2;
constexpr size_t kShards = 16;  // of which ./test asks all
#else
constexpr int64_t kMaxExtent = 5;
constexpr size_t kMaxTileRank = 3;
constexpr size_t kShards = 192;  // of which ./test asks one
#endif

class Definitions : public testing::TestWithParam<size_t> {};

TEST_P(Definitions, AgreeOnEverySmallLayout) {
  const std::vector<TileEntries> tiles = AllTiles(kMaxTileRank);
  std::vector<std::vector<TileEntries>> lists = {{}};
  for (const TileEntries& first : tiles) lists.push_back({first});
  for (const TileEntries& first : tiles) {
    for (const TileEntries& second : tiles) lists.push_back({first, second});
  }
  Comparison comparison;
  int64_t disagreements = 0;
  size_t number = 0;
  for (size_t rank = 0; rank <= 3; ++rank) {
    std::vector<int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<int64_t> dimensions(rank, 0);
      const std::vector<int64_t> extents(rank, kMaxExtent + 1);
      do {
        if (number++ % kShards == GetParam()) {
          for (const auto& list : lists) {
            const TiledLayout layout{dimensions, order, list};
            if (comparison.Agree(layout)) continue;
            if (++disagreements <= 5) ADD_FAILURE() << "the definitions disagree on " << Describe(layout);
          }
        }
      } while (NextIndex(dimensions, extents));
    } while (std::ranges::next_permutation(order).found);
  }
  EXPECT_EQ(disagreements, 0);
  std::printf(
      "shard %zu of %zu, rank <= 3, extents <= %lld, every order, up to two tiles of up to %zu entries 1..4 and *: "
      "%lld "
      "layouts, %lld disagreements, %lld indices\n",
      GetParam(), kShards, static_cast<long long>(kMaxExtent), kMaxTileRank, static_cast<long long>(comparison.layouts),
      static_cast<long long>(disagreements), static_cast<long long>(comparison.indices));
}

INSTANTIATE_TEST_SUITE_P(Shard, Definitions, testing::Range<size_t>(0, kShards, EveryNth(kShards, 1)));

TEST(DefinitionsAtRandom, AgreeOnLargerLayouts) {
  std::mt19937_64 random(20261120);
  const auto below = [&](uint64_t bound) { return static_cast<int64_t>(random() % bound); };
  Comparison comparison;
  comparison.follow_elements = true;
  const size_t layouts = 20000 / EveryNth(4, 10);
  for (size_t k = 0; k < layouts; ++k) {
    TiledLayout layout;
    const auto rank = static_cast<size_t>(below(6));
    int64_t budget = 600;
    for (size_t d = 0; d < rank; ++d) {
      layout.dimensions.push_back(below(static_cast<uint64_t>(std::min<int64_t>(budget, 24)) + 1));
      budget /= std::max<int64_t>(layout.dimensions.back(), 1);
      layout.minor_to_major.push_back(static_cast<int64_t>(d));
    }
    std::ranges::shuffle(layout.minor_to_major, random);
    const auto tile_count = below(4);
    for (int64_t t = 0; t < tile_count; ++t) {
      TileEntries tile;
      const int64_t entries = 1 + below(rank + 1);
      for (int64_t e = 0; e < entries; ++e) {
        const bool combine = e + 1 < entries && below(5) == 0;
        tile.push_back({combine, combine ? 1 : 1 + below(below(4) == 0 ? 20 : 5)});
      }
      layout.tiles.push_back(std::move(tile));
    }
    const auto formula = MakeTiledIndex(layout);
    if (formula && formula->padded_elements() > 100000) continue;
    ASSERT_TRUE(comparison.Agree(layout)) << Describe(layout);
  }
  EXPECT_GT(comparison.layouts, static_cast<int64_t>(layouts * 3 / 4));
  std::printf("random, rank <= 5, up to three tiles: %lld layouts, 0 disagreements, %lld indices\n",
              static_cast<long long>(comparison.layouts), static_cast<long long>(comparison.indices));
}

}  // namespace
}  // namespace layoutcheck
