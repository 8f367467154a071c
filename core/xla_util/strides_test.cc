// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/xla_util/byte_strides.h"
#include "layoutcheck/core/xla_util/index_util.h"
#include "layoutcheck/core/xla_util/tile_strides.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t kDynamic = Shape::kUnboundedSize;

Shape Parse(const char* text) { return *ParseShape(text); }

TEST(ByteStrides, AreTheLinearIndexTimesTheElementSize) {
  int64_t arrays = 0;
  for (size_t rank = 0; rank <= 4; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      ForEachTuple(rank, {0, 1, 2, 3}, [&](const Numbers& dimensions) {
        Shape shape = Shape::Array(ElementType::kF16, dimensions, Layout(order));
        const Numbers unpacked = *UnpackedByteStrides(shape);
        EXPECT_EQ(**ByteStrides(shape), unpacked);
        shape.layout->element_size_in_bits = 64;
        EXPECT_EQ(*UnpackedByteStrides(shape), unpacked);
        const Numbers wide = **ByteStrides(shape);
        for (size_t d = 0; d < rank; ++d) {
          EXPECT_EQ(unpacked[d], 2 * *GetDimensionStride(shape, static_cast<int64_t>(d)));
          EXPECT_EQ(wide[d], 4 * unpacked[d]);
        }
        ++arrays;
      });
    }
  }
  std::printf("%lld arrays\n", static_cast<long long>(arrays));
  EXPECT_EQ(*UnpackedByteStrides(Parse("f16[5,7,9]{2,1,0}")), (Numbers{126, 18, 2}));
  EXPECT_EQ(*ByteStrides(Parse("s4[10,20]{1,0:E(4)}")), std::nullopt);
  EXPECT_EQ(*UnpackedByteStrides(Parse("s4[10,20]{1,0:E(4)}")), (Numbers{20, 1}));
  EXPECT_EQ(UnpackedByteStrides(Parse("f32[?,2]")).error().kind, ErrorKind::kUnsupported);
  EXPECT_FALSE(UnpackedByteStrides(Parse("(f32[2])")).has_value());
  EXPECT_FALSE(ByteStrides(Shape::Array(ElementType::kF32, {2})).has_value());
  const int64_t huge = int64_t{1} << 62;
  EXPECT_EQ(ByteStrides(Shape::Array(ElementType::kF32, {2, huge}, Layout({1, 0}))).error().kind, ErrorKind::kOverflow);
}

TEST(TileStrides, NumTrailingDimsWithContiguousTiles) {
  const std::vector<Tile> tiles = {{{2, 2}}};
  const auto count = [&](const Numbers& strides, const Numbers& shape) {
    return NumTrailingDimsWithContiguousTiles(tiles, strides, shape).value_or(-1);
  };
  EXPECT_EQ(count({2, 1}, {4, 4}), 2);
  EXPECT_EQ(count({2, 1}, {kDynamic, 4}), 2);
  EXPECT_EQ(count({4, 2, 1}, {2, kDynamic, 4}), 2);
  EXPECT_EQ(count({4, 2, 1}, {1, kDynamic, 4}), 3);
  EXPECT_EQ(count({16, 1}, {2, 4}), 2);
  EXPECT_EQ(count({3, 1}, {4, 4}), 1);
  EXPECT_EQ(count({2, 2}, {4, 4}), 0);
  EXPECT_EQ(count({1, 7}, {4, 2}), 2);
  EXPECT_EQ(count({2, 1}, {4}), -1);
  EXPECT_EQ(count({1}, {4}), -1);
  EXPECT_EQ(count({2, 1}, {4, -4}), -1);
  EXPECT_EQ(NumTrailingDimsWithContiguousTiles({}, Numbers{3, 1}, Numbers{2, 3}), 2);
}

TEST(TileStrides, TileRowMajorShape) {
  EXPECT_EQ(*TileRowMajorShape(Numbers{128, 1}, Numbers{32, 1}), (TiledShape{{4, 1, 32, 1}, {32, 32, 1, 1}}));
  EXPECT_EQ(*TileRowMajorShape(Numbers{3, 8, 6}, Numbers{4, 2}), (TiledShape{{3, 2, 3, 4, 2}, {48, 24, 8, 2, 1}}));
  EXPECT_EQ(*TileRowMajorShape(Numbers{}, Numbers{}), (TiledShape{}));
  EXPECT_FALSE(TileRowMajorShape(Numbers{5}, Numbers{2}).has_value());
  EXPECT_FALSE(TileRowMajorShape(Numbers{4}, Numbers{0}).has_value());
  EXPECT_FALSE(TileRowMajorShape(Numbers{4}, Numbers{2, 2}).has_value());
  EXPECT_FALSE(TileRowMajorShape(Numbers{-4}, Numbers{2}).has_value());
  const int64_t huge = int64_t{1} << 62;
  EXPECT_EQ(TileRowMajorShape(Numbers{2, huge, huge}, Numbers{}).error().kind, ErrorKind::kOverflow);
}

}  // namespace
}  // namespace layoutcheck
