// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/shared_counters.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>

namespace layoutcheck {
namespace {

TEST(SharedCounters, WhatAnotherProcessAddsIsSeen) {
  auto created = SharedCounters::Create();
  ASSERT_TRUE(created) << created.error().message;
  SharedCounters counters = *std::move(created);
  EXPECT_TRUE(counters.Counters().empty());
  for (int turn = 0; turn < 2; ++turn) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto opened = SharedCounters::Open(dup(counters.descriptor()));
      if (!opened) _exit(1);
      std::array<uint8_t, 3> one = {0, 7, 0};
      std::array<uint8_t, 70> two{};
      two[69] = 255;
      const std::span<uint8_t> parts[] = {one, two};
      opened->Add(parts);
      one = {0, 3, 0};
      opened->Add(parts);
      _exit(std::ranges::count(one, 0) == 3 && std::ranges::count(two, 0) == 70 ? 0 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    const auto seen = counters.Counters();
    ASSERT_EQ(seen.size(), 1u);
    ASSERT_EQ(seen[0].size(), 73u);
    EXPECT_EQ(seen[0][1], 7) << "the larger one";
    EXPECT_EQ(seen[0][72], 255);
    EXPECT_EQ(std::ranges::count(seen[0], 0), 71);
    std::ranges::fill(seen[0], uint8_t{0});
  }
}

TEST(SharedCounters, MoreThanThereIsRoomForAreShared) {
  auto counters = SharedCounters::Create();
  ASSERT_TRUE(counters) << counters.error().message;
  std::vector<uint8_t> many(SharedCounters::kMost + 5);
  many.back() = 9;
  const std::span<uint8_t> parts[] = {many};
  counters->Add(parts);
  ASSERT_EQ(counters->Counters()[0].size(), SharedCounters::kMost);
  EXPECT_EQ(counters->Counters()[0][4], 9);
}

TEST(SharedCounters, OtherDescriptorsAreRefused) {
  for (const int descriptor : {-1, 9999, STDIN_FILENO}) {
    const auto opened = SharedCounters::Open(descriptor);
    ASSERT_FALSE(opened) << descriptor;
    EXPECT_NE(opened.error().message.find(" has no counters of coverage"), std::string::npos);
  }
}

}  // namespace
}  // namespace layoutcheck
