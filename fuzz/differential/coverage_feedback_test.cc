// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/coverage_feedback.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <tuple>

namespace layoutcheck {
namespace {

TEST(CoverageFeedbackTest, NewsIsACounterOrARangeOfCountsThatWasNotSeen) {
  CoverageFeedback feedback;
  std::array<uint8_t, 100> counters{};
  const std::span<uint8_t> parts[] = {counters};
  EXPECT_TRUE(feedback.TakeNews(parts).empty());
  for (const auto& [counter, count, is_news, reached] : {std::tuple{3, 1, true, 1},
                                                         {3, 1, false, 1},
                                                         {3, 2, true, 1},
                                                         {3, 4, true, 1},
                                                         {3, 7, false, 1},
                                                         {3, 8, true, 1},
                                                         {99, 1, true, 2},
                                                         {0, 255, true, 3},
                                                         {0, 1, true, 3},
                                                         {0, 128, false, 3},
                                                         {99, 1, false, 3},
                                                         {64, 3, true, 4},
                                                         {63, 32, true, 5},
                                                         {63, 127, false, 5}}) {
    counters[static_cast<size_t>(counter)] = static_cast<uint8_t>(count);
    EXPECT_EQ(!feedback.TakeNews(parts).empty(), is_news) << counter << ": " << count;
    EXPECT_EQ(feedback.reached(), static_cast<size_t>(reached));
    EXPECT_EQ(std::ranges::count(counters, 0), 100) << "counters are set to 0";
  }
}

TEST(CoverageFeedbackTest, PartsAreToldApartAndMayGrowInNumber) {
  CoverageFeedback feedback;
  std::array<uint8_t, 8> one{};
  std::array<uint8_t, 70> two{};
  one[5] = 1;
  const std::span<uint8_t> first[] = {one};
  EXPECT_FALSE(feedback.TakeNews(first).empty());
  const std::span<uint8_t> both[] = {one, two};
  two[5] = 1;
  EXPECT_FALSE(feedback.TakeNews(both).empty());
  two[5] = one[5] = 1;
  EXPECT_TRUE(feedback.TakeNews(both).empty());
  EXPECT_EQ(feedback.reached(), 2u);
}

TEST(CoverageFeedbackTest, NewsOfSeveralProcessesIsNewsOnce) {
  CoverageFeedback all;
  for (const bool is_first : {true, false}) {
    CoverageFeedback one_process;
    std::array<uint8_t, 100> counters{};
    const std::span<uint8_t> parts[] = {counters};
    counters[7] = 1;
    counters[90] = 5;
    const std::vector<CoverageNews> news = one_process.TakeNews(parts);
    EXPECT_EQ(news.size(), 2u);
    EXPECT_EQ(all.Add(news), is_first);
  }
  EXPECT_EQ(all.reached(), 2u);
}

}  // namespace
}  // namespace layoutcheck
