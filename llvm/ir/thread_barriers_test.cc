// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/thread_barriers.h"
#include <gtest/gtest.h>
#include <vector>

namespace layoutcheck {
namespace {

BarrierGroup Mask(uint64_t mask) { return {.tile = 32, .mask = mask}; }

TEST(BarrierGroups, OrderThreadsTogetherIfTheyOverlapInPart) {
  const BarrierGroup block;
  const BarrierGroup warp = Mask(BarrierGroup::kAllThreads);
  const BarrierGroup half{.tile = 16};
  for (const auto& nested : std::vector<std::vector<BarrierGroup>>{{},
                                                                   {block, warp},
                                                                   {warp, half},
                                                                   {half, {.tile = 4}},
                                                                   {Mask(0b0011), Mask(0b1100)},
                                                                   {Mask(0b011), Mask(0b111)},
                                                                   {half, Mask(0xff00)},
                                                                   {Mask(0b100), {.tile = 2}}}) {
    EXPECT_FALSE(MayOrderTogether(nested));
  }
  for (const auto& overlapping : std::vector<std::vector<BarrierGroup>>{{Mask(0b011), Mask(0b110)},
                                                                        {warp, Mask(0b011), half, Mask(0b110)},
                                                                        {half, Mask(0x1ff00)},
                                                                        {Mask(0b110), {.tile = 2}},
                                                                        {Mask(BarrierGroup::kUnknownThreads)}}) {
    EXPECT_TRUE(MayOrderTogether(overlapping));
  }
}

TEST(BarrierGroups, OrderAccessesByTheBarriersThatBothThreadsPass) {
  const BarrierGroup pair = Mask(0b011);
  const auto order = [](int64_t a, const WarpBarriers& of_a, int64_t b, const WarpBarriers& of_b, bool together) {
    return OrderInWarp(a, of_a, b, of_b, together);
  };
  EXPECT_EQ(order(0, {}, 1, {{pair, 1}}, false), WarpOrder::kBefore);
  EXPECT_EQ(order(0, {{pair, 2}}, 1, {{pair, 1}}, false), WarpOrder::kAfter);
  EXPECT_EQ(order(0, {{pair, 1}}, 1, {{pair, 1}}, false), WarpOrder::kNone);
  EXPECT_EQ(order(0, {}, 2, {{pair, 1}}, false), WarpOrder::kNone);
  EXPECT_EQ(order(0, {}, 2, {{pair, 1}}, true), WarpOrder::kUnknown);
  EXPECT_EQ(order(0, {}, 33, {{pair, 1}}, false), WarpOrder::kNone);  // another warp
  EXPECT_EQ(order(0, {}, 2, {}, true), WarpOrder::kNone);
}

}  // namespace
}  // namespace layoutcheck
