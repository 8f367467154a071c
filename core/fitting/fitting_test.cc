// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/fitting/element_offsets.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

ElementOffsets TableOf(const Shape& shape) {
  ElementOffsets table{shape.dimensions, {}};
  const TiledIndex index = MakeTiledIndex(shape).value();
  ForEachIndex(table.sizes, [&](std::span<const int64_t> coordinate) { table.offsets.push_back(index(coordinate)); });
  return table;
}

ElementOffsets TableOf(std::vector<int64_t> sizes, const ComposedLayout& layout) {
  ElementOffsets table{std::move(sizes), {}};
  ForEachIndex(table.sizes, [&](std::span<const int64_t> coordinate) {
    std::vector<IntTuple> leaves(coordinate.begin(), coordinate.end());
    table.offsets.push_back(Crd2Idx(IntTuple::Tuple(std::move(leaves)), layout).value());
  });
  return table;
}

std::vector<std::string> TextsOfFits(const char* text) {
  const Shape shape = ParseShape(text).value();
  std::vector<std::string> texts;
  for (const Layout& layout : FitTiles(TableOf(shape), 8).layouts) {
    texts.push_back(ToString(Shape::Array(shape.element_type, shape.dimensions, layout)));
  }
  return texts;
}

class FitTilesOf : public testing::TestWithParam<const char*> {};

TEST_P(FitTilesOf, IsTheLayoutItself) { EXPECT_EQ(TextsOfFits(GetParam()).at(0), GetParam()); }

// Each dimension is larger than its tile and no multiple of it, which leaves little open.
INSTANTIATE_TEST_SUITE_P(Layouts, FitTilesOf,
                         testing::Values("f32[5]{0}", "f32[3,5]{1,0}", "f32[3,5]{0,1}", "f32[2,3,5]{1,2,0}",
                                         "f32[3,5]{1,0:T(2,2)}", "f32[37,300]{1,0:T(8,128)}",
                                         "f32[300,37]{0,1:T(8,128)}", "f32[5,19,270]{2,1,0:T(8,128)}",
                                         "f32[3,2,18,140]{3,2,1,0:T(8,128)}", "bf16[37,300]{1,0:T(8,128)(2,1)}",
                                         "s8[70,300]{1,0:T(8,128)(4,1)}", "bf16[300,37]{0,1:T(8,128)(2,1)}"));

INSTANTIATE_TEST_SUITE_P(CombinedDimensions, FitTilesOf,
                         testing::Values("f32[2,3,5]{2,1,0:T(*,4,2)}", "f32[5,3,2]{0,1,2:T(*,4,2)}",
                                         "f32[3,5,7]{2,1,0:T(2,*,4)}", "bf16[3,5,7]{2,1,0:T(*,4,4)(2,1)}"));

// One wrong offset leaves no tiling that fits, and the strides of four dimensions allow more of them than can be tried.
TEST(FitTiles, SaysIfNotAllWereTried) {
  ElementOffsets table = TableOf(ParseShape("f32[2,3,5,7]{3,2,1,0:T(*,*,4,2)}").value());
  EXPECT_EQ(FitTiles(table, 8).layouts.size(), 1u);
  ++table.offsets.back();
  const TileFits fits = FitTiles(table, 8, 1'000'000);
  EXPECT_TRUE(fits.layouts.empty());
  EXPECT_FALSE(fits.is_complete);
  EXPECT_TRUE(FitTiles({{2, 2}, {0, 1, 2, 4}}, 4).is_complete);
}

TEST(FitTiles, LeavesOpenWhatTheOffsetsDoNotSay) {
  EXPECT_EQ(TextsOfFits("f32[1,5]{1,0}"), (std::vector<std::string>{"f32[1,5]{1,0}", "f32[1,5]{0,1}"}));
  // One column of tiles is row major.
  EXPECT_EQ(TextsOfFits("f32[16,128]{1,0:T(8,128)}"), std::vector<std::string>{"f32[16,128]{1,0}"});
}

TEST(FitTiles, NothingFitsWhatIsNoTiling) {
  EXPECT_TRUE(FitTiles({{2, 2}, {0, 1, 2, 4}}, 4).layouts.empty());
  EXPECT_TRUE(FitTiles({{3}, {1, 2, 3}}, 4).layouts.empty());
  EXPECT_TRUE(FitTiles({{3}, {0, -1, -2}}, 4).layouts.empty());
}

class FitStridesOf : public testing::TestWithParam<const char*> {};

TEST_P(FitStridesOf, IsTheLayoutItself) {
  const ComposedLayout layout = ParseComposedLayout(GetParam()).value();
  const auto fit = FitStrides(TableOf(LogicalSizes(layout.layout).value(), layout));
  ASSERT_TRUE(fit);
  EXPECT_EQ(ToString(*fit), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Layouts, FitStridesOf,
                         testing::Values("(3,5):(5,1)", "(3,5):(0,-1)", "((4,2),(4,3)):((4,32),(1,64))",
                                         "7 o (3,5):(9,1)"));

TEST(FitStrides, AreNoLayoutOfTilesThatASizeDoesNotFill) {
  EXPECT_FALSE(FitStrides(TableOf(ParseShape("f32[3,5]{1,0:T(2,2)}").value())));
}

TEST(FitStrides, OffsetsAtTheEndsOfInt64FitNoneThatOverflows) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(FitStrides({{3}, {kLargest, std::numeric_limits<int64_t>::min(), 0}}));
}

TEST(FitSwizzle, IsTheSmallestSwizzle) {
  const ComposedLayout layout = ParseComposedLayout("Sw<3,3,3> o 0 o (8,64):(64,1)").value();
  const auto fit = FitSwizzle(TableOf({8, 64}, layout));
  ASSERT_TRUE(fit);
  EXPECT_EQ(ToString(*fit), "Sw<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_FALSE(FitSwizzle({{2, 2}, {0, 1, 2, 8}}));
  EXPECT_FALSE(FitSwizzle({{2}, {0, -1}}));
}

TEST(FitBits, AreTheImagesOfEachBit) {
  const LinearLayout layout = ParseLinearLayout("ll{i0:[9,2],i1:[1,4]} -> [16]").value();
  ElementOffsets table{{4, 4}, {}};
  ForEachIndex(table.sizes, [&](std::span<const int64_t> i) { table.offsets.push_back(layout.Index(i)); });
  const auto fit = FitBits(table);
  ASSERT_TRUE(fit);
  EXPECT_EQ(ToString(*fit), ToString(layout));
  table.offsets.back() ^= 1;
  EXPECT_FALSE(FitBits(table));
  EXPECT_FALSE(FitBits({{3}, {0, 1, 2}}));
  EXPECT_FALSE(FitBits({{2}, {0, -1}}));
}

}  // namespace
}  // namespace layoutcheck
