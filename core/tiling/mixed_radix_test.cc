// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/mixed_radix.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <numeric>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/testing/tiled_layouts.h"
#include "layoutcheck/core/tiling/address_walk.h"

namespace layoutcheck {
namespace {

MixedRadix<int64_t> Chain(const TiledLayout& layout) {
  auto made = MakeMixedRadix(layout);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().ToString());
  return *made;
}

std::vector<int64_t> Expanded(const MixedRadix<int64_t>& chain) {
  return {chain.expanded_sizes().begin(), chain.expanded_sizes().end()};
}

std::optional<std::vector<int64_t>> CoordinateOf(const MixedRadix<int64_t>& chain, int64_t address, size_t rank) {
  std::vector<int64_t> index(rank);
  if (!chain.Coordinate(address, index)) return std::nullopt;
  return index;
}

std::vector<int64_t> Table(const MixedRadix<int64_t>& chain, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> table;
  ForEachIndex(sizes, [&](std::span<const int64_t> index) { table.push_back(chain.Index(index)); });
  return table;
}

using Sizes = std::vector<int64_t>;

TEST(MixedRadix, DocumentExample) {
  const auto chain = Chain(MakeTiled({3, 5}, {1, 0}, {{2, 2}}));
  EXPECT_EQ(chain.Index(Sizes{2, 3}), 17);
  EXPECT_EQ(chain.padded_elements(), 24);
  EXPECT_EQ(CoordinateOf(chain, 17, 2), (Sizes{2, 3}));
  EXPECT_EQ(CoordinateOf(chain, 9, 2), std::nullopt);   // column 5 of row 0
  EXPECT_EQ(CoordinateOf(chain, 14, 2), std::nullopt);  // row 3
  EXPECT_EQ(CoordinateOf(chain, 24, 2), std::nullopt);
  EXPECT_EQ(CoordinateOf(chain, -1, 2), std::nullopt);
}

TEST(MixedRadix, RepeatedTile) {
  const auto chain = Chain(MakeTiled({4, 8}, {1, 0}, {{2, 4}, {2, 1}}));
  EXPECT_EQ(Table(chain, {4, 8}), (Sizes{0,  2,  4,  6,  8,  10, 12, 14, 1,  3,  5,  7,  9,  11, 13, 15,
                                         16, 18, 20, 22, 24, 26, 28, 30, 17, 19, 21, 23, 25, 27, 29, 31}));
}

TEST(MixedRadix, ThreeTilesInOneDimension) {
  const auto chain = Chain(MakeTiled({2048}, {0}, {{1024}, {128}, {2, 1}}));
  EXPECT_EQ(chain.Index(Sizes{0}), 0);
  EXPECT_EQ(chain.Index(Sizes{128}), 1);
  EXPECT_EQ(chain.Index(Sizes{1}), 2);
  EXPECT_EQ(Expanded(chain), (Sizes{2, 4, 128, 2, 1}));
  EXPECT_EQ(CoordinateOf(chain, 1, 1), Sizes{128});
}

TEST(MixedRadix, TileLongerThanTheArray) {
  const auto chain = Chain(MakeTiled({8}, {0}, {{2, 2}}));
  EXPECT_EQ(Table(chain, {8}), (Sizes{0, 1, 4, 5, 8, 9, 12, 13}));
  EXPECT_EQ(chain.padded_elements(), 16);
  EXPECT_EQ(CoordinateOf(chain, 9, 1), Sizes{5});
  EXPECT_EQ(CoordinateOf(chain, 2, 1), std::nullopt);  // the second row that padding adds
}

TEST(MixedRadix, LaterTileLongerThanItsInput) {
  EXPECT_EQ(Expanded(Chain(MakeTiled({8, 8}, {1, 0}, {{2, 2}, {2, 2, 2, 2, 2}}))),
            (Sizes{1, 2, 2, 1, 1, 2, 2, 2, 2, 2}));
  EXPECT_EQ(Table(Chain(MakeTiled({2, 2}, {1, 0}, {{2}, {2, 2, 2, 2}})), {2, 2}), (Sizes{0, 1, 4, 5}));
}

TEST(MixedRadix, CombinedDimensions) {
  const auto chain = Chain(MakeTiled({2, 7, 8, 11, 10}, {4, 3, 2, 1, 0}, {{kStar, kStar, 2, kStar, 3}}));
  EXPECT_EQ(Expanded(chain), (Sizes{56, 37, 2, 3}));
  EXPECT_EQ(chain.padded_elements(), 12432);
  EXPECT_EQ(Table(chain, {2, 7, 8, 11, 10}), Table(Chain(MakeTiled({112, 110}, {1, 0}, {{2, 3}})), {112, 110}));

  const auto second = Chain(MakeTiled({2, 3, 1004}, {2, 1, 0}, {{2, kStar, 128}}));
  EXPECT_EQ(Expanded(second), (Sizes{1, 24, 2, 128}));
  EXPECT_EQ(second.Index(Sizes{1, 2, 1003}), 6083);
  EXPECT_EQ(Table(Chain(MakeTiled({4, 4}, {1, 0}, {{2, 2}, {kStar, kStar, 2, 1}})), {4, 4}),
            (Sizes{0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15}));
}

TEST(MixedRadix, TileThatPadsAgain) {
  const auto chain = Chain(MakeTiled({8, 128}, {1, 0}, {{8, 128}, {3, 1}}));
  EXPECT_EQ(Expanded(chain), (Sizes{1, 1, 3, 128, 3, 1}));
  EXPECT_EQ(chain.padded_elements(), 1152);
  EXPECT_EQ(CoordinateOf(chain, 1151, 2), std::nullopt);  // row 8 of the tile
}

TEST(MixedRadix, ScalarsAndEmptyArrays) {
  const auto scalar = Chain(MakeTiled({}, {}, {}));
  EXPECT_EQ(scalar.Index(Sizes{}), 0);
  EXPECT_EQ(scalar.padded_elements(), 1);
  EXPECT_EQ(CoordinateOf(scalar, 0, 0), Sizes{});
  const auto tiled = Chain(MakeTiled({}, {}, {{128}}));
  EXPECT_EQ(Expanded(tiled), (Sizes{1, 128}));
  EXPECT_EQ(CoordinateOf(tiled, 0, 0), Sizes{});
  EXPECT_EQ(CoordinateOf(tiled, 1, 0), std::nullopt);
  const auto empty = Chain(MakeTiled({0, 3}, {1, 0}, {{8, 128}}));
  EXPECT_EQ(empty.padded_elements(), 0);
  EXPECT_EQ(CoordinateOf(empty, 0, 2), std::nullopt);
  // The other sizes of an empty array may be arbitrarily large.
  EXPECT_EQ(Chain(MakeTiled({0, int64_t{1} << 62, 8}, {0, 1, 2}, {})).padded_elements(), 0);
}

TEST(MixedRadix, LargeArray) {
  const auto chain = Chain(MakeTiled({8, 1, 1280, 16384}, {3, 2, 0, 1}, {{8, 128}, {2, 1}}));
  EXPECT_EQ(chain.padded_elements(), 167772160);
  EXPECT_EQ(chain.Index(Sizes{4, 0, 1085, 950}), 101588589);
  EXPECT_EQ(CoordinateOf(chain, 101588589, 4), (Sizes{4, 0, 1085, 950}));
}

TEST(MixedRadix, RejectsWhatIsNoLayout) {
  const auto kind = [](const TiledLayout& layout) { return MakeMixedRadix(layout).error().kind; };
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1, 1}, {})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1}, {})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1, 2}, {})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, -5}, {1, 0}, {})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1, 0}, {{2, -1}})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1, 0}, {{2, kStar}})), ErrorKind::kInvalidLayout);
  EXPECT_EQ(kind(MakeTiled({3, 5}, {1, 0}, {{}})), ErrorKind::kInvalidLayout);
  const int64_t large = int64_t{1} << 32;
  EXPECT_EQ(kind(MakeTiled({large, large}, {1, 0}, {})), ErrorKind::kOverflow);
  EXPECT_EQ(kind(MakeTiled({large, large}, {1, 0}, {{kStar, 1}})), ErrorKind::kOverflow);
  EXPECT_EQ(kind(MakeTiled({3}, {0}, {{int64_t{1} << 40, int64_t{1} << 40}})), ErrorKind::kOverflow);
  EXPECT_EQ(kind(MakeTiled({std::numeric_limits<int64_t>::max()}, {0}, {{2}})), ErrorKind::kOverflow);
}

// Checks that each index has an address of its own, that the inverse finds it there, and that the rest is padding.
struct Scope {
  int64_t layouts = 0;
  int64_t addresses = 0;
};

void CheckLaws(const TiledLayout& layout, Scope& scope) {
  const auto chain = Chain(layout);
  ++scope.layouts;
  std::vector<int64_t> used(static_cast<size_t>(chain.padded_elements()), 0);
  int64_t elements = 0;
  std::vector<int64_t> back(layout.dimensions.size());
  ForEachIndex(layout.dimensions, [&](std::span<const int64_t> index) {
    const int64_t address = chain.Index(index);
    ASSERT_GE(address, 0);
    ASSERT_LT(address, chain.padded_elements());
    ASSERT_EQ(used[static_cast<size_t>(address)]++, 0);
    ASSERT_TRUE(chain.Coordinate(address, back));
    ASSERT_TRUE(std::ranges::equal(back, index));
    ++elements;
  });
  int64_t stored = 0;
  std::optional<AddressWalk> walk;
  if (chain.padded_elements() > 0) walk.emplace(chain);
  for (int64_t address = 0; address < chain.padded_elements(); ++address) {
    ++scope.addresses;
    walk->MoveTo(address);
    const bool is_element = chain.Coordinate(address, back);
    ASSERT_EQ(walk->is_padding(), !is_element);
    if (!is_element) continue;
    ASSERT_TRUE(std::ranges::equal(walk->index(), back));
    ++stored;
    for (size_t d = 0; d < back.size(); ++d) ASSERT_TRUE(0 <= back[d] && back[d] < layout.dimensions[d]);
    ASSERT_EQ(chain.Index(back), address);
  }
  ASSERT_EQ(stored, elements);
}

TEST(MixedRadix, InverseBothWaysOverSmallLayouts) {
  const std::vector<std::vector<int64_t>> tiles = {
      {}, {1}, {2}, {3}, {2, 1}, {2, 2}, {3, 2}, {4}, {1, 3}, {kStar, 2}, {2, kStar, 3}, {kStar, kStar, 2}, {2, 2, 2}};
  Scope scope;
  for (size_t rank = 0; rank <= 3; ++rank) {
    ForEachIndex(Sizes(rank, rank == 3 ? 4 : 6), [&](std::span<const int64_t> sizes) {
      const Sizes dimensions(sizes.begin(), sizes.end());
      Sizes order(rank);
      std::iota(order.begin(), order.end(), 0);
      do {
        for (const auto& first : tiles) {
          for (const auto& second : tiles) {
            if (first.empty() && !second.empty()) continue;
            std::vector<std::vector<int64_t>> list;
            if (!first.empty()) list.push_back(first);
            if (!second.empty()) list.push_back(second);
            CheckLaws(MakeTiled(dimensions, order, list), scope);
          }
        }
      } while (std::next_permutation(order.begin(), order.end()) && !testing::Test::HasFatalFailure());
    });
  }
  std::printf(
      "scope: rank <= 3, sizes 0..5 (0..3 at rank 3), every dimension order, up to two of %zu tiles: %lld layouts, "
      "%lld addresses\n",
      tiles.size() - 1, static_cast<long long>(scope.layouts), static_cast<long long>(scope.addresses));
}

}  // namespace
}  // namespace layoutcheck
