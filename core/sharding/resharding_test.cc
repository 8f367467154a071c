// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/resharding.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <set>
#include "layoutcheck/core/sharding/shard_arrays.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

Sharding ShardingOf(const std::string& text) {
  auto parsed = ParseSharded(text, 4);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().ToString();
  return parsed->array.sharding();
}

Resharding Compare(const std::string& shape, const std::string& before, const std::string& after) {
  return *CompareShardings(ShardingOf(shape + " " + before), ShardingOf(shape + " " + after));
}

std::string_view CollectiveOf(const std::string& shape, const std::string& before, const std::string& after) {
  return CollectiveName(Compare(shape, before, after).collective);
}

TEST(Resharding, EachCollectiveIsNamed) {
  const std::string rows = "mesh[4] S(0)";
  EXPECT_EQ(CollectiveOf("f32[8,8]", rows, "sharding={devices=[4,1]<=[4]}"), "none");
  EXPECT_EQ(CollectiveOf("f32[8,8]", "mesh[4] R", rows), "slice");
  EXPECT_EQ(CollectiveOf("f32[8,8]", "sharding={replicated}", rows), "slice");
  EXPECT_EQ(CollectiveOf("f32[8,8]", rows, "sharding={devices=[4,1]3,2,1,0}"), "collective-permute");
  EXPECT_EQ(CollectiveOf("f32[8,8]", rows, "sharding={replicated}"), "all-gather");
  EXPECT_EQ(CollectiveOf("f32[8,8]", rows, "mesh[4] S(1)"), "all-to-all");
  EXPECT_EQ(CollectiveOf("f32[8,8]", "mesh[2,2] S(0),S(1)", "mesh[2,2] S(0),R"), "all-gather");
  EXPECT_EQ(CollectiveOf("f32[8,8]", "mesh[2,2] S(0),R", "mesh[2,2] S(1),R"), "all-to-all");
  EXPECT_EQ(CollectiveOf("f32[7]", "mesh[2,2] S(0),S(0)", "mesh[4] S(0)"), "none");
  // 9 in two steps is 3, 2, 2, 2; in one it is 3, 3, 3, 0.
  EXPECT_EQ(CollectiveOf("f32[9]", "mesh[2,2] S(0),S(0)", "mesh[4] S(0)"), "several");
}

TEST(Resharding, SendersAreInTheGroupOfTheReceiver) {
  const Resharding found = Compare("f32[8,8]", "mesh[2,2] R,S(0)", "mesh[2,2] R,S(1)");
  EXPECT_EQ(CollectiveName(found.collective), "all-to-all");
  for (const DeviceTraffic& device : found.devices) {
    EXPECT_EQ(device.received, 16);
    EXPECT_EQ(device.sent, 16);
  }
  EXPECT_EQ(found.first_moved, (Integers{0, 4}));
  EXPECT_EQ(found.first_receiver, 1);
  EXPECT_EQ(found.Received(), 64);
}

TEST(Resharding, CountsAreThoseOfTheElements) {
  std::mt19937 random(3);
  const std::vector<std::string> shardings{
      "mesh[2,2] S(0),S(0)", "mesh[2,2] S(1),S(0)", "mesh[2,2] _S(0,3),S(1)", "mesh[4] _S(1,2)",
      "mesh[4] R",           "mesh[2,2] R,S(1)",    "mesh[3] S(0)",           "mesh[x=2,y=2] P(('y','x'))"};
  for (int k = 0; k < 300; ++k) {
    const auto draw = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
    const std::string shape = StrCat("f32[", draw(9), ",", draw(9), "] ");
    const Sharding before = ShardingOf(shape + shardings[draw(shardings.size())]);
    const Sharding after = ShardingOf(shape + shardings[draw(shardings.size())]);
    const auto found = CompareShardings(before, after);
    ASSERT_TRUE(found);
    std::map<int64_t, std::set<int64_t>> held;
    const auto shards_before = *CutArray(before);
    const auto shards_after = *CutArray(after);
    for (const ShardElements& shard : shards_before)
      held[shard.device] = {shard.elements.begin(), shard.elements.end()};
    int64_t sent = 0;
    for (const DeviceTraffic& device : found->devices) sent += device.sent;
    EXPECT_EQ(sent, found->Received());
    for (const ShardElements& shard : shards_after) {
      const int64_t missing =
          std::ranges::count_if(shard.elements, [&](int64_t element) { return !held[shard.device].contains(element); });
      const auto traffic = std::ranges::find(found->devices, shard.device, &DeviceTraffic::device);
      EXPECT_EQ(traffic->received, missing);
      EXPECT_EQ(traffic->after, static_cast<int64_t>(shard.elements.size()));
    }
  }
}

TEST(Resharding, ViewsAreComparedByTheNumbersOfElements) {
  std::mt19937 random(4);
  const auto draw = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random); };
  const std::vector<std::string> shapes{"f32[24]", "f32[4,6]", "f32[6,4]", "f32[2,3,4]", "f32[1,24,1]", "f32[3,2,4]"};
  const std::vector<std::string> shardings{"mesh[2,2] S(0),S(0)", "mesh[4] _S(0,3)", "mesh[3,2] _S(0,2),R",
                                           "mesh[4] R",           "mesh[5] S(0)",    "mesh[x=2,y=3] P(('y','x'))"};
  int same = 0;
  for (int k = 0; k < 300; ++k) {
    std::string text = shapes[draw(shapes.size())] + " ";
    const Sharding before = ShardingOf(text + shardings[draw(shardings.size())]);
    text = shapes[draw(shapes.size())] + " ";
    const Sharding after = ShardingOf(text + shardings[draw(shardings.size())]);
    const Resharding found = *CompareShardings(before, after);
    same += found.collective == Collective::kNone ? 1 : 0;
    std::map<int64_t, std::set<int64_t>> held;
    const auto shards_before = *CutArray(before);
    const auto shards_after = *CutArray(after);
    for (const ShardElements& shard : shards_before)
      held[shard.device] = {shard.elements.begin(), shard.elements.end()};
    std::optional<std::pair<int64_t, int64_t>> first;  // element and receiver
    for (const ShardElements& shard : shards_after) {
      int64_t missing = 0;
      for (const int64_t element : shard.elements) {
        if (held[shard.device].contains(element)) continue;
        ++missing;
        const std::pair moved(element, shard.device);
        if (!first || moved < *first) first = moved;
      }
      EXPECT_EQ(std::ranges::find(found.devices, shard.device, &DeviceTraffic::device)->received, missing);
    }
    ASSERT_EQ(found.first_moved.has_value(), first.has_value());
    if (!first) continue;
    int64_t number = 0;
    for (size_t d = 0; d < found.first_moved->size(); ++d) {
      number = number * before.cuts().dimensions[d] + (*found.first_moved)[d];
    }
    EXPECT_EQ(std::pair(number, found.first_receiver), *first);
  }
  EXPECT_GT(same, 20);
}

TEST(Resharding, TooMuchToCountIsUnsupported) {
  const std::string shape = "pred[2305843009213693952] ";
  const auto elements =
      CompareShardings(ShardingOf(shape + "sharding={maximal device=0}"), ShardingOf(shape + "mesh[8] R"));
  ASSERT_FALSE(elements);
  EXPECT_EQ(elements.error().message, "more than 2^62 elements on all devices");
  const auto blocks =
      CompareShardings(ShardingOf("pred[65536] mesh[64] _S(0,65536)"), ShardingOf("pred[65536] mesh[64] S(0)"));
  ASSERT_FALSE(blocks);
  EXPECT_EQ(blocks.error().kind, ErrorKind::kUnsupported);
}

TEST(Resharding, OtherNumbersOfElementsAreRefused) {
  EXPECT_FALSE(CompareShardings(ShardingOf("f32[8] mesh[4] S(0)"), ShardingOf("f32[9] mesh[4] S(0)")));
}

}  // namespace
}  // namespace layoutcheck
