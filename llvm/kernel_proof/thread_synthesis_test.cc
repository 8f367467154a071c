// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/thread_synthesis.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

// Returns the stores of a launch in which `thread` gives the thread that writes each place of shared memory.
template <class Thread>
std::vector<StoreExample> ExamplesOf(int64_t places, Thread thread) {
  std::vector<StoreExample> examples;
  for (int64_t place = 0; place < places; ++place) {
    examples.push_back({.names = {{kPlace, place}, {"block_dim_x", 32}, {"block_dim_y", 8}}, .thread = thread(place)});
  }
  return examples;
}

TEST(SynthesizeThreads, ReadsTheDigitsOfATileWithAColumnMore) {
  std::vector<StoreExample> examples;
  for (int64_t row = 0; row < 32; ++row) {
    for (int64_t column = 0; column < 32; ++column) {
      examples.push_back({.names = {{kPlace, row * 33 + column}, {"block_dim_x", 32}, {"block_dim_y", 8}},
                          .thread = {{"thread_x", column}, {"thread_y", row % 8}, {kGuardedRegion, row / 8}}});
    }
  }
  const auto found = SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {8, 32, 33}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(GuessText(found.front()),
            "guarded region = place floordiv 33 floordiv block_dim_y, thread_x = place mod 33, thread_y = place "
            "floordiv 33 mod block_dim_y");
}

TEST(SynthesizeThreads, WhatIsLeftAboveTheThreadsIsTheIteration) {
  const auto examples =
      ExamplesOf(1000, [](int64_t place) { return std::map<std::string, int64_t>{{"thread_x", place % 32}}; });
  const auto found = SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(GuessText(found.front()), "loop iteration = place floordiv block_dim_x, thread_x = place mod block_dim_x");
}

TEST(SynthesizeThreads, AThreadThatIsNoDigitIsNotFound) {
  const auto examples =
      ExamplesOf(100, [](int64_t place) { return std::map<std::string, int64_t>{{"thread_x", place * place % 7}}; });
  EXPECT_TRUE(SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {7}, .zeros = {}}).empty());
}

}  // namespace
}  // namespace layoutcheck
