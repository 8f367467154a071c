// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first element that a reshape or transpose moves, compared with visiting every element of small arrays.
#include <gtest/gtest.h>
#include <algorithm>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/bitcast.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

// Returns the first element of `input`, in row-major order, whose linear index is not that of the element of `output`
// with the index corresponding(index).
template <class Corresponding>
std::optional<ElementMove> FirstMoveByEnumeration(const Shape& input, const Shape& output,
                                                  Corresponding corresponding) {
  const TiledIndex from = *MakeTiledIndex(input);
  const TiledIndex to = *MakeTiledIndex(output);
  std::optional<ElementMove> first;
  ForEachIndex(input.dimensions, [&](std::span<const int64_t> index) {
    const Numbers there = corresponding(index);
    if (first || from(index) == to(there)) return;
    first = ElementMove{{index.begin(), index.end()}, there, from(index), to(there), true};
  });
  return first;
}

std::optional<ElementMove> FirstMoveOfReshape(const Shape& input, const Shape& output) {
  return FirstMoveByEnumeration(input, output, [&](std::span<const int64_t> index) {
    int64_t number = 0;
    for (size_t d = 0; d < index.size(); ++d) number = number * input.dimensions[d] + index[d];
    Numbers there(output.dimensions.size());
    for (size_t d = there.size(); d-- > 0; number /= output.dimensions[d]) there[d] = number % output.dimensions[d];
    return there;
  });
}

std::optional<ElementMove> FirstMoveOfTranspose(const Shape& input, const Shape& output, const Numbers& permutation) {
  return FirstMoveByEnumeration(input, output, [&](std::span<const int64_t> index) {
    return *Permute(Numbers(index.begin(), index.end()), permutation);
  });
}

// Draws arrays of one element count with any order and some tiles.
class Drawing {
 public:
  explicit Drawing(uint32_t seed) : random_(seed) {}

  int64_t Below(int64_t limit) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit)); }
  Numbers Permutation(size_t rank) {
    Numbers order(rank);
    std::iota(order.begin(), order.end(), int64_t{0});
    std::ranges::shuffle(order, random_);
    return order;
  }
  // Returns sizes with this product, sizes of 1 among them.
  Numbers Dimensions(int64_t elements) {
    Numbers sizes(static_cast<size_t>(1 + Below(4)), 1);
    for (int64_t factor = 2; elements > 1; elements % factor == 0 ? elements /= factor : ++factor) {
      if (elements % factor == 0) sizes[static_cast<size_t>(Below(std::ssize(sizes)))] *= factor;
    }
    return sizes;
  }
  Shape Array(Numbers dimensions) {
    static const std::vector<std::vector<Tile>> kTiles = {
        {}, {}, {{{4}}}, {{{2, 4}}}, {{{4, 4}}, {{2, 1}}}, {{{Tile::kCombineDimension, 3}}}, {{{3, 2}}}};
    Layout layout(Permutation(dimensions.size()));
    layout.tiles = kTiles[static_cast<size_t>(Below(std::ssize(kTiles)))];
    for (const Tile& tile : layout.tiles) {
      if (tile.dimensions.size() > dimensions.size()) layout.tiles.clear();
      if (layout.tiles.empty()) break;
    }
    return Shape::Array(ElementType::kF32, std::move(dimensions), std::move(layout));
  }

 private:
  std::mt19937 random_;
};

TEST(ElementMove, OfRandomReshapesAndTransposes) {
  Drawing draw(1);
  int64_t moves = 0;
  int64_t stays = 0;
  for (int round = 0; round < 6000; ++round) {
    const Shape input = draw.Array(draw.Dimensions(draw.Below(48)));
    const Numbers permutation = draw.Permutation(input.dimensions.size());
    const bool is_reshape = round % 2 == 0;
    int64_t elements = 1;
    for (const int64_t size : input.dimensions) elements *= size;
    Shape output = draw.Array(is_reshape ? draw.Dimensions(elements) : *Permute(input.dimensions, permutation));
    if (round % 4 < 2) output.layout->tiles = input.layout->tiles;  // otherwise few arrays agree
    const auto expected =
        is_reshape ? FirstMoveOfReshape(input, output) : FirstMoveOfTranspose(input, output, permutation);
    const auto found =
        is_reshape ? FindElementMovedByReshape(input, output) : FindElementMovedByTranspose(input, output, permutation);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    ASSERT_EQ(*found, expected) << (is_reshape ? "reshape " : "transpose ") << ToString(input) << " -> "
                                << ToString(output);
    ++(expected ? moves : stays);
  }
  std::cout << moves << " move an element, " << stays << " move none\n";
  EXPECT_GT(stays, 500);
  EXPECT_GT(moves, 500);
}

TEST(ElementMove, OfLargeArraysWithoutVisitingThem) {
  // A row of 128 elements is followed by the next row of its tile.
  EXPECT_EQ(*FindElementMovedByReshape(*ParseShape("f32[65536,65536]{1,0:T(8,128)}"),
                                       *ParseShape("f32[4294967296]{0:T(1024)}")),
            (ElementMove{{0, 128}, {128}, 1024, 128, true}));
  // The last elements alone move: the tile of the operand's last row is not full.
  EXPECT_EQ(*FindElementMovedByReshape(*ParseShape("u8[3,1073741823]{1,0:T(1,1073741824)}"),
                                       *ParseShape("u8[3221225469]{0}")),
            (ElementMove{{1, 0}, {1073741823}, 1073741824, 1073741823, true}));
  EXPECT_EQ(*FindElementMovedByTranspose(*ParseShape("f32[65536,65536]{1,0}"), *ParseShape("f32[65536,65536]{1,0}"),
                                         Numbers{1, 0}),
            (ElementMove{{0, 1}, {1, 0}, 1, 65536, true}));
  EXPECT_EQ(*FindElementMovedByTranspose(*ParseShape("f32[65536,65536]{1,0:T(8,128)}"),
                                         *ParseShape("f32[65536,65536]{0,1:T(8,128)}"), Numbers{1, 0}),
            std::nullopt);
}

TEST(ElementMove, DimensionsThatTheOperationDoesNotGive) {
  EXPECT_EQ(FindElementMovedByReshape(*ParseShape("f32[6]{0}"), *ParseShape("f32[7]{0}")).error().message,
            "a reshape keeps the number of elements, found 6 and 7");
  EXPECT_EQ(FindElementMovedByTranspose(*ParseShape("f32[6,7]{1,0}"), *ParseShape("f32[6,7]{1,0}"), Numbers{1, 0})
                .error()
                .message,
            "the transpose has the dimensions 7,6, found 6,7");
  EXPECT_EQ(*FindElementMovedByReshape(*ParseShape("f32[0,7]{1,0}"), *ParseShape("f32[3,0]{0,1}")), std::nullopt);
}

}  // namespace
}  // namespace layoutcheck
