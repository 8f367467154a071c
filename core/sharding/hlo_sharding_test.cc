// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include <gtest/gtest.h>
#include <algorithm>

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

Expected<HloSharding> Parse(std::string_view text) {
  TextCursor cursor(text);
  auto sharding = ReadHloSharding(cursor);
  if (sharding && !cursor.AtEnd()) return cursor.Unexpected("end of text");
  return sharding;
}

Integers DevicesOf(std::string_view text) {
  const auto sharding = Parse(text);
  return sharding ? sharding->devices : Integers{-1};
}

std::string ErrorOf(std::string_view text) {
  const auto sharding = Parse(text);
  return sharding ? "" : sharding.error().ToString();
}

TEST(HloSharding, CanonicalTexts) {
  for (const std::string text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{maximal device=3}",
           "{devices=[2,4]<=[8]}",
           "{devices=[4,2]<=[2,2,2]T(2,1,0)}",
           "{devices=[3,2]0,1,2,3,4,5}",
           "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
           "{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}",
           "{{devices=[2]<=[2]}, {replicated}}",
           "{}",
       }) {
    const auto sharding = Parse(text);
    ASSERT_TRUE(sharding) << text << ": " << sharding.error().ToString();
    EXPECT_EQ(ToString(*sharding), text);
  }
  EXPECT_EQ(ToString(*Parse("{ devices=[ 2 ] 1 , 0 metadata={op_name=\"}\\\"{\"} shard_as 3 }")), "{devices=[2]1,0}");
}

TEST(HloSharding, IotasAreTransposedReshapes) {
  EXPECT_EQ(DevicesOf("{devices=[2,4]<=[8]}"), (Integers{0, 1, 2, 3, 4, 5, 6, 7}));
  // numpy.arange(8).reshape(2, 4).transpose(1, 0).reshape(-1)
  EXPECT_EQ(DevicesOf("{devices=[4,2]<=[2,4]T(1,0)}"), (Integers{0, 4, 1, 5, 2, 6, 3, 7}));
  // numpy.arange(24).reshape(2, 3, 4).transpose(2, 0, 1).reshape(-1)
  EXPECT_EQ(DevicesOf("{devices=[4,6]<=[2,3,4]T(2,0,1)}"),
            (Integers{0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23}));
}

TEST(HloSharding, ErrorsNameTheColumn) {
  EXPECT_EQ(ErrorOf("devices"), "column 1: expected '{' before a sharding, found 'd'");
  EXPECT_EQ(ErrorOf("{device=[2]0,1}"),
            "column 2: expected 'devices=', 'replicated', 'maximal', 'manual', 'unknown' or 'unreduced', found 'd'");
  EXPECT_EQ(ErrorOf("{devices=[3,2]0,1,2,3,4,4}"), "column 25: device 4 occurs twice");
  EXPECT_EQ(ErrorOf("{devices=[2,2]<=[16]}"), "column 2: the tile dimensions have 4 places, and there are 16 devices");
  EXPECT_EQ(ErrorOf("{devices=[0]0}"), "column 11: expected a size >= 1, found 0");
  EXPECT_EQ(ErrorOf("{devices=[4]<=[2,2]T(0,0)}"), "column 20: expected a permutation of 2 axes");
  EXPECT_EQ(ErrorOf("{devices=[1048576,1048576]<=[1]}"), "column 2: expected at most 131072 devices");
  EXPECT_EQ(ErrorOf("{replicated last_tile_dim_replicate}"), "column 13: expected '}', found 'l'");
  EXPECT_EQ(ErrorOf("{devices=[2]<=[2] last_tile_dims={big}}"),
            "column 35: expected 'replicated', 'manual' or 'unreduced', found 'b'");
  EXPECT_EQ(ErrorOf("{replicated} x"), "column 14: expected end of text, found 'x'");
  EXPECT_NE(ErrorOf(std::string(100'000, '{')), "");
}

TEST(HloSharding, DimensionsAreCutByTheFirstTileDimensions) {
  const auto sharding = MakeSharding(*Parse("{devices=[2,1,2]<=[4] last_tile_dim_replicate}"), Integers{5, 3});
  ASSERT_TRUE(sharding);
  EXPECT_EQ(sharding->replicas(), 2);
  EXPECT_EQ(sharding->DevicesOf(Integers{2, 0}), (Integers{0, 1}));
  EXPECT_EQ(sharding->DevicesOf(Integers{3, 2}), (Integers{2, 3}));
  EXPECT_EQ(sharding->LocalCoordinate(Integers{3, 2}), (Integers{0, 2}));
  EXPECT_EQ(sharding->LocalSizes(3), (Integers{3, 3}));
  EXPECT_EQ(MakeSharding(*Parse("{maximal device=3}"), Integers{5})->DevicesOf(Integers{0}), Integers{3});
  EXPECT_EQ(MakeSharding(*Parse("{replicated}"), Integers{5}, 3)->DevicesOf(Integers{4}), (Integers{0, 1, 2}));
}

TEST(HloSharding, WhatDoesNotPlaceElementsIsDeclined) {
  const auto refused = [](std::string_view text) {
    const auto made = MakeSharding(*Parse(text), Integers{5, 3});
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(refused("{manual}"), "{manual} does not say which device holds which element");
  EXPECT_EQ(refused("{devices=[1,1,2]<=[2] last_tile_dims={manual}}"),
            "devices of a last tile dimension that is manual do not hold the same elements");
  EXPECT_EQ(refused("{{replicated}}"), "expected the sharding of one array, found that of a tuple");
  EXPECT_EQ(refused("{replicated}"),
            "{replicated} does not say how many devices there are; {devices=[1,1,8]<=[8] last_tile_dim_replicate} is "
            "the same for 8 devices");
  EXPECT_EQ(refused("{devices=[2]<=[2]}"), "the sharding has 1 dimensions, and the array has 2");
}

}  // namespace
}  // namespace layoutcheck
