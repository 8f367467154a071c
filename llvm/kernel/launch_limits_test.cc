// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/launch_limits.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

using Sizes = std::array<int64_t, 3>;

std::string Why(const LaunchLimits& limits, const Sizes& block, const Sizes& grid) {
  LaunchSizes threads;
  LaunchSizes blocks;
  for (size_t axis = 0; axis < 3; ++axis) {
    threads[axis] = block[axis];
    blocks[axis] = grid[axis];
  }
  return WhyNoThreadRuns(limits, threads, blocks);
}

TEST(LaunchLimits, TheLargestLaunchesRun) {
  EXPECT_EQ(Why(kCudaLimits, {1024, 1, 1}, {2147483647, 65535, 65535}), "");
  EXPECT_EQ(Why(kCudaLimits, {1, 1024, 1}, {1, 1, 1}), "");
  EXPECT_EQ(Why(kCudaLimits, {4, 4, 64}, {1, 1, 1}), "");
  EXPECT_EQ(Why(kHipLimits, {1, 1, 1024}, {1, 65536, 65536}), "");
  EXPECT_EQ(Why(kHipLimits, {1, 1, 1}, {4294967295, 1, 1}), "");
  EXPECT_EQ(Why(kHipLimits, {1024, 1, 1}, {4194303, 1, 1}), "");
}

TEST(LaunchLimits, OthersDoNot) {
  EXPECT_EQ(Why(kCudaLimits, {0, 1, 1}, {1, 1, 1}), "a block has no thread in x");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 1}, {1, 0, 1}), "the grid has no block in y");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 1}, {1, -1, 1}), "the grid has no block in y");
  EXPECT_EQ(Why(kCudaLimits, {1025, 1, 1}, {1, 1, 1}), "a block has more than 1024 threads in x");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 65}, {1, 1, 1}), "a block has more than 64 threads in z");
  EXPECT_EQ(Why(kCudaLimits, {32, 33, 1}, {1, 1, 1}), "a block has more than 1024 threads");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 1}, {2147483648, 1, 1}), "the grid has more than 2147483647 blocks in x");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 1}, {1, 65536, 1}), "the grid has more than 65535 blocks in y");
  EXPECT_EQ(Why(kCudaLimits, {1, 1, 1}, {1, 1, 65536}), "the grid has more than 65535 blocks in z");
  EXPECT_EQ(Why(kHipLimits, {1024, 1, 1}, {4194304, 1, 1}), "the launch has more than 4294967295 threads in x");
}

}  // namespace
}  // namespace layoutcheck
