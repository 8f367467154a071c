// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/sharding/sharding_generator.h"
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/sharding/shard_arrays.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"

namespace layoutcheck {
namespace {

void ExpectCanonical(const std::string& text) {
  const auto sharded = ParseSharded(text);
  ASSERT_TRUE(sharded) << text << ": " << sharded.error().ToString();
  EXPECT_EQ(sharded->Text(), text);
}

TEST(ShardingGenerator, DrawsCanonicalTextsOfEachKind) {
  std::set<std::string_view> missing = {"sharding={devices=",
                                        "last_tile_dim_replicate",
                                        "]T(1,0)",
                                        "<=[8]",
                                        "]7,",
                                        "P(\"x\"",
                                        "P((\"y\", \"x\")",
                                        "None",
                                        "S(2)",
                                        "R,",
                                        "_StridedShard(1,sf=3)",
                                        "mesh[2,2,2]",
                                        "#sdy.sharding",
                                        ":(1)2",
                                        "device_ids=[1, 0]",
                                        "f32[0",
                                        "{maximal device=7}",
                                        "HEIGHT_SHARDED",
                                        "BLOCK_SHARDED,shard_spec=ShardSpec(grid={[(x=0,y=0) - (x=1,y=2)]}",
                                        "COL_MAJOR"};
  for (uint64_t number = 0; number < 3000; ++number) {
    RandomChoices choices(1, number);
    const std::string text = DrawShardedArray(choices);
    ExpectCanonical(text);
    std::erase_if(missing, [&](std::string_view part) { return text.find(part) != std::string::npos; });
  }
  EXPECT_TRUE(missing.empty()) << "no " << *missing.begin();
}

// The definition that cuts arrays into lists says which element is at a coordinate of a device, and the strides say at
// which offset.
TEST(ShardingGenerator, LocalLayoutsPlaceTheElementsOfACutArray) {
  int64_t drawn = 0;
  for (uint64_t number = 0; number < 800; ++number) {
    RandomChoices choices(1, number);
    const std::string text = DrawLocalLayout(choices, DrawShardedArray(choices));
    const size_t local = text.find(" local=");
    if (local == std::string::npos) continue;
    ++drawn;
    ExpectCanonical(text);
    const ShardedArray array = ParseSharded(text)->array;
    const ShapeStrideLayout strides = ParseShapeStrideLayout(text.substr(local + 7)).value();
    const std::vector<ShardElements> shards = CutArray(array.sharding()).value();
    for (const ShardElements& shard : shards) {
      std::set<int64_t> offsets;
      size_t k = 0;
      ForEachIndex(shard.sizes, [&](std::span<const int64_t> index) {
        const IntTuple coordinate = IntTuple::Tuple(std::vector<IntTuple>(index.begin(), index.end()));
        const int64_t offset = Crd2Idx(coordinate, strides).value();
        std::vector<int64_t> whole = *array.sharding().GlobalCoordinate(shard.device, index);
        int64_t element = 0;
        for (size_t d = 0; d < whole.size(); ++d) element = element * array.shape().dimensions[d] + whole[d];
        EXPECT_EQ(element, shard.elements[k++]) << text;
        EXPECT_EQ(array.Find(whole).offset, offset) << text;
        EXPECT_EQ(array.CoordinateAt(shard.device, offset).value(), whole) << text;
        EXPECT_TRUE(offsets.insert(offset).second) << text;
      });
    }
  }
  EXPECT_GT(drawn, 50);
}

TEST(ShardingGenerator, TheSimplestChoicesDrawOneElement) {
  ReplayedChoices choices({});
  EXPECT_EQ(DrawShardedArray(choices), "f32[1]{0} sharding={devices=[1]<=[1]}");
}

TEST(ShardingGenerator, PairsHaveOneShapeAndOftenOneMesh) {
  int of_one_mesh = 0;
  for (uint64_t number = 0; number < 300; ++number) {
    RandomChoices choices(1, number);
    const auto [from, to] = DrawReshard(choices);
    ExpectCanonical(from);
    ExpectCanonical(to);
    EXPECT_EQ(ParseSharded(from)->array.shape().dimensions, ParseSharded(to)->array.shape().dimensions);
    of_one_mesh += from.find("mesh[") != std::string::npos && from.find("mesh[") == to.find("mesh[") &&
                   from.substr(0, from.find(']', from.find("mesh["))) == to.substr(0, to.find(']', to.find("mesh[")));
  }
  EXPECT_GT(of_one_mesh, 50);
}

TEST(ShardingGenerator, AScopeIsEnumeratedWithoutRepetition) {
  EXPECT_EQ(ShardingLadder().size(), ExhaustiveLadder().size());
  std::set<std::string> texts;
  CountedChoices choices;
  size_t count = 0;
  do {
    const std::string text = DrawShardedArray(choices, ShardingLadder()[0]);
    ExpectCanonical(text);
    texts.insert(text);
    ++count;
  } while (choices.Advance());
  EXPECT_EQ(texts.size(), count);
  // 7 sizes. HLO: one order of one device, two of 2 or 3 and three of 4; 4 tilings without and 8 with replicas; 4
  // devices that hold everything. JAX: one axis of 4 sizes cuts or does not. DTensor: the axis cuts, does not, or cuts
  // with one of three split factors.
  EXPECT_EQ(count, 7u * (8 + 18 + 4 + 4 * 2 + 4 * 5));
  EXPECT_TRUE(texts.contains("f32[5]{0} mesh[3] _StridedShard(0,sf=4)"));
}

}  // namespace
}  // namespace layoutcheck
