// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_pattern.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace layoutcheck {
namespace {

using Lists = std::vector<std::vector<std::string>>;

TEST(ShardingPattern, NamesHaveValuesInAscendingOrderOfTheirSum) {
  EXPECT_EQ(
      ListsOfArrays({"f32[N] mesh[D] S(0)"}, 4).value(),
      (Lists{{"f32[0] mesh[1] S(0)"}, {"f32[1] mesh[1] S(0)"}, {"f32[0] mesh[2] S(0)"}, {"f32[2] mesh[1] S(0)"}}));
  const Lists lists = ListsOfArrays({"f32[A,B] mesh[D,T] S(0),S(1)"}, 3000).value();
  EXPECT_EQ(lists.size(), 3000U);
  EXPECT_EQ(std::set(lists.begin(), lists.end()).size(), 3000U);
}

TEST(ShardingPattern, ANameHasOneValueInAllArrays) {
  EXPECT_EQ(ListsOfArrays({"f32[M] mesh[R] R", "f32[M] mesh[R] _StridedShard(0, sf=R)"}, 3).value()[2],
            (std::vector<std::string>{"f32[1] mesh[1] R", "f32[1] mesh[1] _StridedShard(0, sf=1)"}));
  EXPECT_EQ(ListsOfArrays({"f32[M] mesh[x=2] P('x')", "[2,2]"}, 5).value()[4],
            (std::vector<std::string>{"f32[4] mesh[x=2] P('x')", "[2,2]"}));
}

TEST(ShardingPattern, NamesMayStandWhereverASizeMay) {
  const auto first = [](const std::string& text) { return ListsOfArrays({text}, 1).value()[0][0]; };
  EXPECT_EQ(first("f32[4*M,8]{1,0:T(P,2)} sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}"),
            "f32[0,8]{1,0:T(1,2)} sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}");
  EXPECT_EQ(first(R"(f32[8] mesh[x=X, y = Y] P(("x","y")))"), R"(f32[8] mesh[x=1, y = 1] P(("x","y")))");
  EXPECT_EQ(first(R"(f32[8] #sdy.sharding<mesh<["X"=X]>, [{"X":(2)2}]>)"),
            R"(f32[8] #sdy.sharding<mesh<["X"=4]>, [{"X":(2)2}]>)");  // 1, 2 and 3 have no such part
  EXPECT_EQ(first("f32[M,N] mesh[D] S(0) local=(M,N):(2*N, 1)"), "f32[0,0] mesh[1] S(0) local=(0,0):(0, 1)");
  EXPECT_EQ(first("f32[M,N] mesh[2] S(0) local=(M ceildiv 2,N):(N+8,1)"), "f32[0,0] mesh[2] S(0) local=(0,0):(8,1)");
  EXPECT_EQ(first("f32[8,4] mesh[2] S(0) local=Sw<1,0,2> o 0 o (M,4):(4,1)"),
            "f32[8,4] mesh[2] S(0) local=Sw<1,0,2> o 0 o (4,4):(4,1)");
  EXPECT_EQ(first("f32[8,8] mesh[2] S(0) local=(8 / M,8):(8,1)"), "f32[8,8] mesh[2] S(0) local=(8,8):(8,1)");
  EXPECT_EQ(first("f32[M,6] mesh[2] S(0) local=(4,6):(6,1)"), "f32[0,6] mesh[2] S(0) local=(4,6):(6,1)");
  // The shards have room for the rows.
  EXPECT_EQ(first("f32[9,1] MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,shard_spec=ShardSpec("
                  "grid={[(x=0,y=0) - (x=1,y=0)]},shape={S, 1},orientation=ShardOrientation::ROW_MAJOR))")
                .substr(117, 14),
            "=0)]},shape={5");
}

TEST(ShardingPattern, AnArrayWithoutNamesIsOneList) {
  EXPECT_EQ(ListsOfArrays({"f32[5] mesh[2] S(0)"}, 100).value(), (Lists{{"f32[5] mesh[2] S(0)"}}));
}

TEST(ShardingPattern, AnUnusableArrayIsNamedWithTheColumn) {
  const auto error = [](const std::string& text) {
    const UnusableArray unusable = ListsOfArrays({"f32[2] mesh[2] S(0)", text}, 10).error();
    return unusable.argument == text ? unusable.error.ToString() : "another argument: " + unusable.argument;
  };
  EXPECT_EQ(error("f32[5] mesh[2] S(1)").substr(0, 9), "column 18");
  EXPECT_EQ(error("f32[N] mesh[2] S(1)").substr(0, 9), "column 18");
  EXPECT_EQ(error("f32[N] sharding={devices=[P]<=[2]}").substr(0, 9), "column 27");
  EXPECT_EQ(error("f32[N]{1,0} mesh[2] S(0)").substr(0, 3), "as ");
  EXPECT_EQ(error("f32[N] mesh[2] S(0) local=(N ceildiv):(1)").substr(0, 10), "column 37:");
  const UnusableArray none = ListsOfArrays({"f32[9] #sdy.sharding<mesh<[\"x\"=X]>, [{\"x\":(65536)4}]>"}, 10).error();
  EXPECT_NE(none.error.message.find("as f32[9] #sdy"), std::string::npos) << none.error.message;
}

}  // namespace
}  // namespace layoutcheck
