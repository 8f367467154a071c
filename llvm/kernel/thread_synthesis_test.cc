// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/thread_synthesis.h"
#include <gtest/gtest.h>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/index_bases.h"

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

std::string TextOf(const ThreadFormulas& formulas) { return GuessText({ThreadCase{.formulas = formulas}}); }

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
  EXPECT_EQ(TextOf(found.front()),
            "guarded region = place floordiv 33 floordiv block_dim_y, thread_x = place mod 33, thread_y = place "
            "floordiv 33 mod block_dim_y");
}

TEST(SynthesizeThreads, WhatIsLeftAboveTheThreadsIsTheIteration) {
  const auto examples =
      ExamplesOf(1000, [](int64_t place) { return std::map<std::string, int64_t>{{"thread_x", place % 32}}; });
  const auto found = SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(TextOf(found.front()), "loop iteration = place floordiv block_dim_x, thread_x = place mod block_dim_x");
}

TEST(SynthesizeThreads, FindsTheFirstThreadOfAWarpPerElement) {
  std::vector<StoreExample> examples;
  for (int64_t place = 0; place < 100; ++place) {
    examples.push_back({.names = {{kPlace, place}, {"block_dim_x", 128}, {"grid_dim_x", 25}},
                        .thread = {{"thread_x", place % 4 * 32}, {"block_x", place / 4}}});
  }
  const auto found = SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(
      TextOf(found.front()),
      "block_x = place floordiv (block_dim_x floordiv 32), thread_x = (place mod (block_dim_x floordiv 32)) * 32");
}

TEST(SynthesizeThreads, AThreadMayBeTheSumOfARowAndALane) {
  std::vector<StoreExample> examples;
  for (int64_t row = 0; row < 10; ++row) {
    for (int64_t column = 0; column < 70; ++column) {
      examples.push_back({.names = {{"i0", row}, {"i1", column}, {"block_dim_x", 128}},
                          .thread = {{"thread_x", row % 4 * 32 + column % 32}, {"block_x", row / 4}}});
    }
  }
  const auto found =
      SynthesizeThreads(examples, {.bases = {"i1", "i0"}, .numbers = {32}, .zeros = {}, .has_iterations = true});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(TextOf(found.front()),
            "block_x = i0 floordiv (block_dim_x floordiv 32), loop iteration = i1 floordiv 32, "
            "thread_x = (i0 mod (block_dim_x floordiv 32)) * 32 + (i1 mod 32)");
}

TEST(SynthesizeThreads, AnIndexThatSaysNoThreadMayBeTheIteration) {
  std::vector<StoreExample> examples;
  for (int64_t k = 0; k < 100; ++k) {
    const int64_t row = k / 10;
    examples.push_back({.names = {{"i0", row}, {"i1", k % 10}, {"block_dim_x", 4}},
                        .thread = {{"thread_x", row % 4}, {"block_x", row / 4}}});
  }
  const ThreadParts parts{.bases = {"i1", "i0"}, .numbers = {}, .zeros = {}, .has_iterations = true};
  const auto found = SynthesizeThreads(examples, parts);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(TextOf(found.front()), "block_x = i0 floordiv block_dim_x, thread_x = i0 mod block_dim_x");
  EXPECT_EQ(TextOf(found.back()),
            "block_x = i0 floordiv block_dim_x, loop iteration = i1, thread_x = i0 mod block_dim_x");
}

TEST(SynthesizeThreads, AThreadThatIsNoDigitIsNotFound) {
  const auto examples =
      ExamplesOf(100, [](int64_t place) { return std::map<std::string, int64_t>{{"thread_x", place * place % 7}}; });
  EXPECT_TRUE(SynthesizeThreads(examples, {.bases = {kPlace}, .numbers = {7}, .zeros = {}}).empty());
}

TEST(SynthesizeThreads, TriesBasesThatCountFromTheEnd) {
  std::vector<StoreExample> examples;
  for (const int64_t size : {5, 9, 12}) {
    for (int64_t index = 0; index < size; ++index) {
      examples.push_back({.names = {{"N", size}, {"i0", index}, {"block_dim_x", 4}},
                          .thread = {{"block_x", (size - 1 - index) / 4}, {"thread_x", (size - 1 - index) % 4}}});
    }
  }
  const auto found = SynthesizeThreads(examples, {.bases = {"i0"}, .numbers = {}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(TextOf(found[0]), "block_x = (N - 1 - i0) floordiv block_dim_x, thread_x = (N - 1 - i0) mod block_dim_x");
}

TEST(ThreadOfTheRequest, IsReadWithZerosForWhatItDoesNotSay) {
  const std::vector<std::string> numbers{"thread_x", "block_x", "block_dim_x", "thread_y"};
  const auto formulas = ParseThread("block_x = i0 floordiv 256, thread_x = min(i0, N) mod 256", numbers, {"N", "i0"});
  ASSERT_TRUE(formulas.has_value()) << formulas.error().ToString();
  EXPECT_EQ(TextOf(*formulas), "block_x = i0 floordiv 256, thread_x = min(i0, N) mod 256, thread_y = 0");
}

TEST(ThreadOfTheRequest, NamesAreThoseOfTheThread) {
  const std::vector<std::string> numbers{"thread_x", "block_x"};
  for (const char* const text : {"block_y = 0", "block_x", "thread_x = q", "thread_x = (", "", "thread_x = 1,"}) {
    EXPECT_FALSE(ParseThread(text, numbers, {"N", "i0"}).has_value()) << text;
  }
}

TEST(SynthesizeCases, TellsVectorsFromTheElementsBehindThem) {
  std::map<std::string, std::vector<StoreExample>> places;
  for (const int64_t size : {4, 7, 18, 33}) {
    const int64_t vectors = size / 4;
    for (int64_t k = 0; k < size; ++k) {
      const bool is_behind = k >= vectors * 4;
      const int64_t thread = is_behind ? k - vectors * 4 : k / 4;
      places[is_behind ? "b.cu:2" : "a.cu:1"].push_back({{{"i0", k}, {"N", size}}, {{"thread_x", thread}}});
    }
  }
  const auto found = SynthesizeCases(places, {.bases = {"i0"}, .numbers = {4}, .zeros = {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(GuessText(found[0]),
            "thread_x = i0 floordiv 4 where i0 < (N floordiv 4) * 4, else thread_x = (i0 - (N floordiv 4) * 4)");
  places.erase("b.cu:2");
  EXPECT_TRUE(SynthesizeCases(places, {.bases = {"i0"}, .numbers = {4}, .zeros = {}}).empty());
}

TEST(AddIndexRanges, TakesIndicesTogetherNeighboursFirst) {
  std::vector<StoreExample> examples{{{{"i0", 1}, {"i1", 2}, {"i2", 3}, {"D", 5}}, {}}};
  ThreadParts parts{.bases = {"i0"}, .numbers = {}, .zeros = {}};
  AddIndexRanges(std::vector<std::string>{"", "4", "D"}, examples, parts);
  EXPECT_EQ(parts.bases, (std::vector<std::string>{"i0", "(i0 * 4 + i1)", "(i1 * D + i2)", "(i0 * D + i2)"}));
  EXPECT_EQ(examples[0].names.at("(i0 * 4 + i1)"), 6);
  EXPECT_EQ(examples[0].names.at("(i1 * D + i2)"), 13);
  EXPECT_EQ(examples[0].names.at("(i0 * D + i2)"), 8);
}

TEST(AddViews, OfRowsWithPadding) {
  std::vector<StoreExample> examples{{{{"i0", 2}, {"i1", 5}, {"S", 9}, {"block_dim_x", 32}}, {}}};
  ThreadParts parts{.bases = {"i0", "i1"}, .numbers = {4, 8}, .zeros = {}};
  AddViews(2, examples, parts);
  // No row has 4 elements, since one has the index 5.
  EXPECT_EQ(parts.bases, (std::vector<std::string>{"i0", "i1", "(i0 * S + i1)", "(i0 * 8 + i1)"}));
  EXPECT_EQ(examples[0].names.at("(i0 * 8 + i1)"), 21);
}

// Element ((batch * T + t) * 4 + head) of an array without dimensions.
TEST(AddViews, OfDimensionsThatASizeTells) {
  std::vector<StoreExample> examples;
  for (const int64_t size : {3, 5, 8}) {
    for (int64_t place = 0; place < size * 12; ++place) {
      examples.push_back({.names = {{"i0", place}, {"T", size}},
                          .thread = {{"block_x", place / 4 % size}, {"block_y", place / 4 / size * 4 + place % 4}}});
    }
  }
  ThreadParts parts{.bases = {"i0"}, .numbers = {4}, .zeros = {}};
  EXPECT_TRUE(SynthesizeThreads(examples, parts).empty());
  AddViews(1, examples, parts);
  const auto found = SynthesizeThreads(examples, parts);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].at("block_x").text, "(i0 floordiv 4 mod T)");
  EXPECT_EQ(found[0].at("block_y").text, "((i0 floordiv 4 floordiv T)) * 4 + (i0 mod 4)");
}

}  // namespace
}  // namespace layoutcheck
