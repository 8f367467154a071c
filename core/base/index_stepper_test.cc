// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/index_stepper.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

using Indices = std::vector<std::vector<int64_t>>;

Indices Visited(const std::vector<int64_t>& sizes) {
  Indices visited;
  ForEachIndex(sizes, [&](std::span<const int64_t> index) { visited.emplace_back(index.begin(), index.end()); });
  return visited;
}

TEST(IndexStepper, VisitsEveryIndexTheLastDimensionFastest) {
  EXPECT_EQ(Visited({2, 1, 3}), (Indices{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}}));
  EXPECT_EQ(Visited({2}), (Indices{{0}, {1}}));
}

TEST(IndexStepper, RankZeroHasOneIndexAndASizeOfZeroNone) {
  EXPECT_EQ(Visited({}), Indices{{}});
  EXPECT_EQ(Visited({0}), Indices{});
  EXPECT_EQ(Visited({3, 0, 2}), Indices{});
}

TEST(IndexStepper, AVisitorThatReturnsFalseEndsTheVisit) {
  int visits = 0;
  ForEachIndex(std::vector<int64_t>{2, 3}, [&](std::span<const int64_t>) { return ++visits < 4; });
  EXPECT_EQ(visits, 4);
}

TEST(IndexStepper, NextIndexWrapsAroundAfterTheLastIndex) {
  const std::vector<int64_t> sizes = {2, 2};
  std::vector<int64_t> index = {0, 1};
  EXPECT_TRUE(NextIndex(index, sizes));
  EXPECT_EQ(index, (std::vector<int64_t>{1, 0}));
  EXPECT_TRUE(NextIndex(index, sizes));
  EXPECT_FALSE(NextIndex(index, sizes));
  EXPECT_EQ(index, (std::vector<int64_t>{0, 0}));
  EXPECT_FALSE(NextIndex({}, {}));
}

}  // namespace
}  // namespace layoutcheck
