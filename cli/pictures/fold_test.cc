// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/pictures/picture_plan.h"

namespace layoutcheck {
namespace {

double ProductOfShown(std::span<const FoldedLevel> levels) {
  double product = 1;
  for (const FoldedLevel& level : levels) product *= static_cast<double>(level.shown);
  return product;
}

TEST(Fold, ItemsAreTheFirstAndTheLast) {
  EXPECT_EQ((FoldedLevel{5, 5}.Items()), (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ((FoldedLevel{100, 3}.Items()), (std::vector<int64_t>{0, 1, 99}));
  EXPECT_EQ((FoldedLevel{100, 2}.Items()), (std::vector<int64_t>{0, 99}));
  EXPECT_EQ((FoldedLevel{100, 1}.Items()), (std::vector<int64_t>{0}));
}

TEST(Fold, FitsOrShowsOneOfEach) {
  int64_t cases = 0;
  const std::vector<int64_t> counts{1, 2, 3, 7, 64, 5000, int64_t{1} << 60};
  for (const int64_t a : counts) {
    for (const int64_t b : counts) {
      for (const int64_t c : counts) {
        for (const double limit : {1.0, 2.0, 9.0, 100.0, 1e4}) {
          const std::vector<int64_t> levels{a, b, c};
          const std::vector<FoldedLevel> folded = FoldToFit(levels, limit, ProductOfShown);
          ++cases;
          ASSERT_EQ(folded.size(), 3u);
          const double product = ProductOfShown(folded);
          EXPECT_LE(product, limit);
          for (size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(folded[k].count, levels[k]);
            EXPECT_GE(folded[k].shown, 1);
            EXPECT_LE(folded[k].shown, levels[k]);
            // One more item would not fit, unless the level shows the maximum for any level.
            if (!folded[k].folded() || folded[k].shown == 1024) continue;
            std::vector<FoldedLevel> more = folded;
            ++more[k].shown;
            EXPECT_GT(ProductOfShown(more), limit);
          }
        }
      }
    }
  }
  std::printf("%ld cases\n", static_cast<long>(cases));
}

TEST(Wrap, WordsKeepToTheWidthAndNoneIsLost) {
  const std::string words =
      "in each cell y,x; \xe2\x96\x91 is padding, a-word-that-is-longer-than-all-others at the end";
  EXPECT_EQ(WrappedWords(words, 4, {}), words);
  for (const int64_t width : {20, 25, 38, 60, 200}) {
    for (const size_t column : {size_t{0}, size_t{4}, size_t{18}}) {
      const std::string text = WrappedWords(words, column, {.width = width, .wraps = true});
      std::string joined;
      std::istringstream lines(std::string(column, ' ') + text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_EQ(line.find_first_not_of(' '), column) << text;
        const std::string rest = line.substr(column);
        EXPECT_TRUE(std::ssize(line) <= width + 2 || rest.find(' ') == std::string::npos) << text;  // 3 bytes, 1 column
        joined += (joined.empty() ? "" : " ") + rest;
      }
      EXPECT_EQ(joined, words);
    }
  }
}

}  // namespace
}  // namespace layoutcheck
