// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <random>
#include "layoutcheck/core/sharding/mesh_axes.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;
using enum ShardingNotation;

std::string Converted(const std::string& text, ShardingNotation to) {
  const auto array = ParseSharded(text);
  if (!array) return array.error().ToString();
  const auto converted = ConvertSharding(array->sharding, array->array.sharding(), to);
  return converted ? *converted : "not: " + converted.error().message;
}

TEST(ShardingConversion, HloOfEachNotation) {
  EXPECT_EQ(Converted("f32[8,8] mesh[x=2,y=4] P('x','y')", kHlo), "sharding={devices=[2,4]<=[8]}");
  EXPECT_EQ(Converted("f32[8,8] mesh[x=2,y=4] P('y',None)", kHlo),
            "sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(Converted("f32[8,8] mesh[2,4] R,S(0)", kHlo),
            "sharding={devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(Converted("f32[8] mesh[2,4] R,R", kHlo), "sharding={devices=[1,8]<=[8] last_tile_dim_replicate}");
  EXPECT_EQ(Converted("f32[] mesh[2] R", kHlo), "sharding={devices=[2]<=[2] last_tile_dim_replicate}");
  EXPECT_EQ(Converted("f32[8] mesh[1] S(0)", kHlo), "sharding={maximal device=0}");
  EXPECT_EQ(Converted("f32[4] #sdy.sharding<mesh<[\"x\"=4], device_ids=[3, 1, 2, 0]>, [{\"x\"}]>", kHlo),
            "sharding={devices=[4]3,1,2,0}");
  EXPECT_EQ(Converted("f32[9] mesh[x=4] P('x')", kHlo), "sharding={devices=[4]<=[4]}");
}

TEST(ShardingConversion, StridedShardsAreCutsInAnotherOrder) {
  const std::string strided = "f32[16] mesh[dp=2,tp=4] _StridedShard(0,sf=4),S(0)";
  EXPECT_EQ(Converted(strided, kHlo), "sharding={devices=[8]<=[2,4]T(1,0)}");
  EXPECT_EQ(Converted(strided, kJax), "mesh[dp=2,tp=4] P((\"tp\", \"dp\"))");
  EXPECT_EQ(Converted("f32[16] mesh[dp=2,tp=4] P(('tp','dp'))", kDTensor),
            "mesh[dp=2,tp=4] _StridedShard(0,sf=4),S(0)");
  EXPECT_EQ(Converted("f32[24] mesh[x=2,y=3,z=4] P(('z','x','y'))", kDTensor),
            "mesh[x=2,y=3,z=4] _StridedShard(0,sf=4),_StridedShard(0,sf=4),S(0)");
  EXPECT_EQ(Converted("f32[24] mesh[2] _StridedShard(0,sf=3)", kHlo),
            "not: device 0 holds [0:4+8:12+16:20], but [0:12] in sharding={devices=[2]<=[2]}");
  EXPECT_EQ(Converted("f32[24] mesh[2] _StridedShard(0,sf=3)", kShardy),
            "not: dimension 0 is cut with the split factor 3, which is no product of axes that cut it later");
}

TEST(ShardingConversion, ShardsOfTtMetal) {
  const auto tt_metal = [](std::string_view layout, int64_t last_x, int64_t last_y, std::string_view shape) {
    return StrCat("MemoryConfig(memory_layout=TensorMemoryLayout::", layout,
                  "_SHARDED,shard_spec=ShardSpec(grid={[(x=0,y=0) - (x=", last_x, ",y=", last_y, ")]},shape={", shape,
                  "},orientation=ShardOrientation::ROW_MAJOR))");
  };
  EXPECT_EQ(Converted("f32[7,4] mesh[x=2,y=2] P(('x','y'))", kTtMetal), tt_metal("HEIGHT", 3, 0, "2, 4"));
  EXPECT_EQ(Converted("f32[8,6] mesh[x=2,y=3] P('x','y')", kTtMetal), tt_metal("BLOCK", 2, 1, "4, 2"));
  EXPECT_EQ(Converted(StrCat("f32[8,6] ", tt_metal("BLOCK", 2, 1, "4, 2")), kJax), "mesh[y=2,x=3] P(\"y\", \"x\")");
  EXPECT_EQ(Converted(StrCat("f32[8,6] ", tt_metal("WIDTH", 2, 0, "8, 2")), kHlo), "sharding={devices=[1,3]<=[3]}");
  EXPECT_EQ(Converted(StrCat("f32[5,6] ", tt_metal("HEIGHT", 2, 0, "2, 8")), kHlo),
            "not: device 0 has an array of sizes [2,8], but of [2,6] in sharding={devices=[3,1]<=[3]}");
  EXPECT_EQ(Converted("f32[8,6] mesh[2] R", kTtMetal),
            "not: each element is on 2 devices, and tt-metal has no replicas");
  EXPECT_EQ(Converted("f32[8] mesh[2] S(0)", kTtMetal), "not: tt-metal cuts a matrix, and this array has rank 1");
}

TEST(ShardingConversion, MeshesKeepTheirAxes) {
  EXPECT_EQ(Converted("f32[8,8] mesh[x=2,y=4] P(None,('y'))", kShardy),
            "#sdy.sharding<mesh<[\"x\"=2, \"y\"=4]>, [{}, {\"y\"}]>");
  EXPECT_EQ(Converted("f32[8,8] mesh[x=2,y=4] P(None,('y'))", kDTensor), "mesh[x=2,y=4] R,S(1)");
  EXPECT_EQ(Converted("f32[8,8] mesh[2,4] S(1),S(0)", kJax), "mesh[x0=2,x1=4] P(\"x1\", \"x0\")");
  EXPECT_EQ(Converted("f32[8] #sdy.sharding<mesh<[\"a-b\"=2]>, [{\"a-b\", ?}p1]>", kJax), "mesh[x0=2] P(\"x0\")");
}

TEST(ShardingConversion, PartsOfAxesBecomeAxes) {
  const std::string text =
      "f32[8,8] #sdy.sharding<mesh<[\"x\"=12, \"y\"=2]>, [{\"x\":(2)3}, {\"y\"}], replicated={\"x\":(1)2}>";
  EXPECT_EQ(Converted(text, kJax), "mesh[x_0=2,x_1=3,x_2=2,y=2] P(\"x_1\", \"y\")");
  EXPECT_EQ(Converted("f32[9,8] #sdy.sharding<mesh<[\"x\"=12]>, [{\"x\":(4)3}, {}]>", kDTensor),
            "mesh[x_0=4,x_1=3] R,S(0)");
  EXPECT_EQ(Converted("f32[8] #sdy.sharding<mesh<[\"x\"=4]>, [{\"x\":(1)1, \"x\":(2)2}]>", kJax),
            "mesh[x_0=2,x_1=2] P(\"x_1\")");
}

TEST(ShardingConversion, AxesBehindIotas) {
  EXPECT_EQ(Converted("f32[8,8] sharding={devices=[2,4]<=[8]}", kJax), "mesh[x0=2,x1=4] P(\"x0\", \"x1\")");
  EXPECT_EQ(Converted("f32[8,8] sharding={devices=[4,2]<=[2,2,2]T(2,1,0)}", kJax),
            "mesh[x0=2,x1=2,x2=2] P((\"x2\", \"x1\"), \"x0\")");
  EXPECT_EQ(Converted("f32[8,8] sharding={devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}", kDTensor),
            "mesh[4,2] R,S(0)");
  EXPECT_EQ(Converted("f32[8,8] sharding={devices=[2,2]0,2,1,3}", kShardy),
            "#sdy.sharding<mesh<[\"x0\"=2, \"x1\"=2]>, [{\"x1\"}, {\"x0\"}]>");
  EXPECT_EQ(Converted("f32[8] sharding={maximal device=0}", kJax), "mesh[x0=1] P(None)");
  // A digit of 6 devices serves tiles of 2 and of 3.
  EXPECT_EQ(Converted("f32[8,9] sharding={devices=[2,3]<=[6]}", kJax), "mesh[x0=2,x1=3] P(\"x0\", \"x1\")");
}

TEST(ShardingConversion, OtherOrdersNeedAList) {
  const std::string text = "f32[8,8] sharding={devices=[2,2]0,1,3,2}";
  EXPECT_EQ(Converted(text, kShardy),
            "#sdy.sharding<mesh<[\"x0\"=2, \"x1\"=2], device_ids=[0, 1, 3, 2]>, [{\"x0\"}, {\"x1\"}]>");
  EXPECT_EQ(Converted(text, kJax),
            "not: the devices do not count 0, 1, 2, ... along axes of a mesh, and only HLO and Shardy list the numbers "
            "of devices");
  EXPECT_EQ(Converted("f32[8] sharding={devices=[2]4,5}", kDTensor).substr(0, 4), "not:");
  EXPECT_EQ(Converted("f32[8] sharding={maximal device=3}", kShardy), "#sdy.sharding<mesh<[], device_ids=[3]>, []>");
  EXPECT_EQ(Converted("f32[8] #sdy.sharding<mesh<[], device_ids=[3]>, []>", kHlo), "sharding={maximal device=3}");
  EXPECT_EQ(Converted("f32[8] sharding={devices=[2]4,5}", kShardy),
            "not: Shardy lists the devices 0 to 1 in any order, and this sharding has device 5");
}

TEST(ShardingConversion, UnevenShardsArePaddedInSomeNotationsOnly) {
  EXPECT_EQ(Converted("f32[9] sharding={devices=[4]<=[4]}", kDTensor),
            "not: device 3 has an array of sizes [3], but of [0] in mesh[4] S(0), which does not pad");
  EXPECT_EQ(Converted("f32[5] mesh[2] S(0)", kJax),
            "not: device 1 has an array of sizes [2], but of [3] in mesh[x0=2] P(\"x0\"), which pads");
  // 9 in two steps is 3, 2, 2, 2.
  EXPECT_EQ(Converted("f32[9] mesh[2,2] S(0),S(0)", kHlo),
            "not: device 1 holds [3:5], but [3:6] in sharding={devices=[4]<=[4]}");
}

// Draws a sharding over a mesh of 24 devices, of which each axis cuts one dimension or none.
std::string DrawSharding(std::mt19937& random) {
  const auto draw = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
  std::array<std::string, 3> axes{"a", "b", "c"};
  std::ranges::shuffle(axes, random);
  std::array<std::string, 2> entries;
  for (const std::string& axis : axes) {
    if (const size_t d = draw(3); d < entries.size()) StrAppend(entries[d], "'", axis, "',");
  }
  return StrCat("f32[24,48] mesh[a=2,b=3,c=4] P((", entries[0], "),(", entries[1], "))");
}

TEST(ShardingConversion, EvenShardsGoThroughAllNotationsAndBack) {
  std::mt19937 random(1);
  for (int k = 0; k < 200; ++k) {
    const std::string text = DrawSharding(random);
    const std::string hlo = Converted(text, kHlo);
    std::string shown = text;
    for (const ShardingNotation to : {kDTensor, kHlo, kShardy, kDTensor, kJax, kHlo}) {
      const std::string converted = Converted(shown, to);
      ASSERT_FALSE(converted.starts_with("not:") || converted.starts_with("column")) << shown << ": " << converted;
      shown = "f32[24,48] " + converted;
      if (to == kHlo) {
        EXPECT_EQ(converted, hlo) << text;
      }
    }
  }
}

TEST(MeshAxes, DigitsOfLists) {
  EXPECT_EQ(DigitsOf(Integers{0})->size(), 0u);
  const auto digits = DigitsOf(Integers{0, 4, 1, 5, 2, 6, 3, 7});
  ASSERT_TRUE(digits);
  ASSERT_EQ(digits->size(), 2u);
  EXPECT_EQ((*digits)[0].size, 4);
  EXPECT_EQ((*digits)[0].stride, 1);
  EXPECT_EQ((*digits)[1].size, 2);
  EXPECT_EQ((*digits)[1].stride, 4);
  EXPECT_FALSE(DigitsOf(Integers{0, 1, 3, 2}));
  EXPECT_FALSE(DigitsOf(Integers{1, 0}));
  EXPECT_FALSE(DigitsOf(Integers{0, 1, 2, 4}));
}

}  // namespace
}  // namespace layoutcheck
