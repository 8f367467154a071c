// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples of bitcasts; bitcast_test.cc has the exhaustive tests.
#include <gtest/gtest.h>
#include <optional>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

TEST(DecomposeBitcast, KnownAnswers) {
  using Some = std::optional<BitcastDecomposition>;
  const auto decompose = [](const char* input, const char* output) {
    return *DecomposeBitcast(*ParseShape(input), *ParseShape(output));
  };
  EXPECT_EQ(decompose("f32[17,3,1,16]{1,0,3,2}", "f32[51,16]{0,1}"), Some(BitcastReshape{}));
  EXPECT_EQ(decompose("f32[5,3]{1,0}", "f32[3,5]{0,1}"), Some(BitcastTranspose{{1, 0}}));
  EXPECT_EQ(decompose("f32[16,17,3]{2,1,0}", "f32[51,16]{0,1}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 1, 2}, *ParseShape("f32[16,17,3]{2,1,0}"), *ParseShape("f32[16,51]{1,0}"), {1, 0}}));
  EXPECT_EQ(decompose("f32[16,17,3,7]{3,2,1,0}", "f32[7,16,51]{0,2,1}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 1, 2, 3}, *ParseShape("f32[16,17,3,7]{3,2,1,0}"), *ParseShape("f32[16,51,7]{2,1,0}"), {2, 0, 1}}));
  EXPECT_EQ(decompose("f32[16,3,17]{1,2,0}", "f32[51,16]{1,0}"),
            Some(BitcastTransposeReshapeTranspose{
                {0, 2, 1}, *ParseShape("f32[16,17,3]{2,1,0}"), *ParseShape("f32[51,16]{1,0}"), {0, 1}}));
  EXPECT_EQ(decompose("s4[3,2]{1,0}", "s8[3]{0}"), std::nullopt);
  EXPECT_EQ(decompose("f32[8]", "f16[8]"), std::nullopt);
  EXPECT_EQ(decompose("f32[8]", "s32[2,4]"), Some(BitcastReshape{}));
  EXPECT_EQ(decompose("f32[16,256]{1,0:T(8,128)}", "f32[4096]"), std::nullopt);
  EXPECT_EQ(*DecomposeBitcast(Shape::Array(ElementType::kF32, {2}), *ParseShape("f32[2]")), std::nullopt);
  EXPECT_FALSE(DecomposeBitcast(*ParseShape("token[]"), *ParseShape("f32[]")).has_value());
}

TEST(Bitcast, KnownAnswers) {
  const auto reshape = [](const char* input, const char* output, ElementTypes types = ElementTypes::kSame) {
    return *ReshapeIsBitcast(*ParseShape(input), *ParseShape(output), types);
  };
  EXPECT_FALSE(reshape("f32[3,4]{0,1}", "f32[6,2]{0,1}"));
  EXPECT_FALSE(reshape("f32[3,2,2]{0,1,2}", "f32[6,2]{0,1}"));
  EXPECT_TRUE(reshape("f32[3,2,2]{1,0,2}", "f32[6,2]{0,1}"));
  EXPECT_FALSE(reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}"));
  EXPECT_TRUE(reshape("f32[3,2,2]{1,0,2}", "f16[6,2]{0,1}", ElementTypes::kIgnored));
  // Tiles, E, L, S and M count.
  EXPECT_FALSE(reshape("f32[8]{0:T(4)}", "f32[2,4]{1,0:T(2,2)}"));
  EXPECT_TRUE(reshape("f32[8]{0:T(4)}", "f32[2,4]{1,0:T(2,4)}"));
  EXPECT_FALSE(reshape("f32[3]{0:T(4)}", "f32[3]{0}"));
  EXPECT_FALSE(reshape("s4[8]{0:E(4)}", "s4[8]{0}"));
  EXPECT_FALSE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0}"));
  EXPECT_FALSE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0:T(2,4)}"));
  EXPECT_TRUE(reshape("f32[6]{0:L(8)}", "f32[2,3]{1,0:L(4)}"));
  EXPECT_FALSE(reshape("f32[6]{0:S(1)}", "f32[2,3]{1,0}"));
  EXPECT_FALSE(reshape("f32[<=6]{0:M(8)}", "f32[2,3]{1,0}"));
  EXPECT_TRUE(reshape("f32[<=6]", "f32[2,3]{1,0}"));
  // These arrays are too large to enumerate.
  EXPECT_TRUE(reshape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "bf16[10240,16384]{1,0:T(8,128)(2,1)}"));
  EXPECT_FALSE(reshape("bf16[8,1,1281,16384]{3,2,0,1:T(8,128)(2,1)}", "bf16[10248,16384]{1,0:T(8,128)(2,1)}"));
  EXPECT_TRUE(reshape("f32[1009,10007]{1,0:T(*,128)}", "f32[10097063]{0:T(128)}"));
  EXPECT_TRUE(reshape("f32[1009,10007]{0,1:T(*,128)}", "f32[1009,1,10007]{0,2,1:T(*,128)}"));
  EXPECT_FALSE(reshape("f32[1009,10007]{1,0:T(8,128)}", "f32[1009,10007]{0,1:T(8,128)}"));
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(*ParseShape("f32[5,3]{1,0}"), *ParseShape("f32[3,5]{0,1}")),
            (Numbers{1, 0}));
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(*ParseShape("f32[5,3]{1,0}"), *ParseShape("f32[3,5]{1,0}")),
            std::nullopt);
  EXPECT_EQ(*DeduceTransposeDimensionsForBitcast(*ParseShape("f32[5,3]"), *ParseShape("f32[15]")), std::nullopt);
  // This permutation is not its own inverse: output dimension 0 is input dimension 1.
  EXPECT_TRUE(
      *TransposeIsBitcast(*ParseShape("f32[2,3,5]{2,1,0}"), *ParseShape("f32[3,5,2]{1,0,2}"), Numbers{1, 2, 0}));
  EXPECT_FALSE(
      *TransposeIsBitcast(*ParseShape("f32[2,3,5]{2,1,0}"), *ParseShape("f32[3,5,2]{1,0,2}"), Numbers{2, 0, 1}));
}

TEST(Bitcast, BadInputIsAnError) {
  const Shape array = *ParseShape("f32[2,3]");
  EXPECT_FALSE(ReshapeIsBitcast(array, *ParseShape("(f32[6])")).has_value());
  EXPECT_FALSE(ReshapeIsBitcast(array, Shape::Array(ElementType::kF32, {6})).has_value());
  EXPECT_EQ(ReshapeIsBitcast(array, *ParseShape("f32[?]")).error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(ReshapeIsBitcast(array, Shape::Array(ElementType::kF32, {6}, Layout({1}))).error().kind,
            ErrorKind::kInvalidLayout);
  EXPECT_FALSE(TransposeIsBitcast(array, array, Numbers{0, 0}).has_value());
  EXPECT_FALSE(TransposeIsBitcast(array, array, Numbers{0}).has_value());
  const Shape split = *ParseShape("f32[6]{0:SC(0:2)}");
  EXPECT_TRUE(*ReshapeIsBitcast(split, split));
  EXPECT_EQ(ReshapeIsBitcast(split, *ParseShape("f32[6,1]{1,0:SC(0:2)}")).error().kind, ErrorKind::kUnsupported);
}

TEST(SamePositions, ComparesPositionsThatAreNoSumOfDigits) {
  // The second tile combines numbers of tiles with places in a tile, and the third one cuts the result.
  const auto layout = [](const char* text) { return *TiledLayoutOf(*ParseShape(text)); };
  std::vector<DimensionGroup> groups;
  for (int64_t d = 0; d < 4; ++d) groups.push_back({{d}, {d}});
  const TiledLayout small = layout("f32[3,5,3,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,3)}");
  EXPECT_TRUE(*SamePositions(small, small, groups));
  EXPECT_FALSE(*SamePositions(small, layout("f32[3,5,3,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,4)}"), groups));
  const TiledLayout large = layout("f32[3003,5,3005,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,3)}");
  EXPECT_EQ(SamePositions(large, large, groups).error().kind, ErrorKind::kUnsupported);
  EXPECT_FALSE(*SamePositions(large, layout("f32[3003,5,3005,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,4)}"), groups));
}

}  // namespace
}  // namespace layoutcheck
