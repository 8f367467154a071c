// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <vector>
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

}  // namespace
}  // namespace layoutcheck
