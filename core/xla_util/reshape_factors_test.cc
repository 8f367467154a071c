// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;
using Pairs = std::vector<DimensionPair>;

int64_t Product(const Numbers& sizes, int64_t begin, int64_t end) {
  int64_t product = 1;
  for (int64_t d = begin; d < end; ++d) product *= sizes[static_cast<size_t>(d)];
  return product;
}

TEST(CommonFactors, KnownAnswers) {
  EXPECT_EQ(*CommonFactors(Numbers{0}, Numbers{0}), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(*CommonFactors(Numbers{1}, Numbers{}), (Pairs{{0, 0}, {1, 0}}));
  EXPECT_EQ(*CommonFactors(Numbers{}, Numbers{1}), (Pairs{{0, 0}, {0, 1}}));
  EXPECT_EQ(*CommonFactors(Numbers{1, 0}, Numbers{1, 0, 1}), (Pairs{{0, 0}, {1, 1}, {2, 2}, {2, 3}}));
  EXPECT_EQ(*CommonFactors(Numbers{0, 1}, Numbers{0, 1}), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(*CommonFactors(Numbers{0, 10, 3}, Numbers{0, 3}), (Pairs{{0, 0}, {3, 2}}));
  EXPECT_EQ(*CommonFactors(Numbers{2, 0, 3}, Numbers{2, 3, 0}), (Pairs{{0, 0}, {1, 1}, {3, 3}}));
  EXPECT_EQ(*CommonFactors(Numbers{}, Numbers{}), (Pairs{{0, 0}}));
  EXPECT_EQ(*CommonFactors(Numbers{2, 5, 1, 3}, Numbers{1, 10, 3, 1}),
            (Pairs{{0, 0}, {0, 1}, {2, 2}, {3, 2}, {4, 3}, {4, 4}}));
  EXPECT_EQ(*CommonFactors(Numbers{1, 2, 6}, Numbers{4, 1, 3, 1}), (Pairs{{0, 0}, {1, 0}, {3, 3}, {3, 4}}));
  EXPECT_EQ(*CommonFactors(Numbers{1, 2, 1}, Numbers{1, 1, 1, 2}),
            (Pairs{{0, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}}));
}

TEST(CommonFactors, CutsWhereverBothProductsAreEqual) {
  int64_t pairs = 0;
  for (size_t rank_a = 0; rank_a <= 4; ++rank_a) {
    for (size_t rank_b = 0; rank_b <= 3; ++rank_b) {
      ForEachTuple(rank_a, {0, 1, 2, 3, 4, 6}, [&](const Numbers& a) {
        ForEachTuple(rank_b, {0, 1, 2, 3, 4, 6}, [&](const Numbers& b) {
          const int64_t ra = static_cast<int64_t>(rank_a);
          const int64_t rb = static_cast<int64_t>(rank_b);
          const auto cuts = CommonFactors(a, b);
          ASSERT_EQ(cuts.has_value(), Product(a, 0, ra) == Product(b, 0, rb));
          if (!cuts) return;
          ++pairs;
          ASSERT_EQ(cuts->front(), DimensionPair(0, 0));
          ASSERT_EQ(cuts->back(), DimensionPair(ra, rb));
          Numbers products;
          for (size_t k = 0; k < cuts->size(); ++k) {
            const auto [i, j] = (*cuts)[k];
            ASSERT_EQ(Product(a, 0, i), Product(b, 0, j));
            ASSERT_EQ(Product(a, i, ra), Product(b, j, rb));
            products.push_back(Product(a, 0, i));
            if (k == 0) continue;
            const auto [i0, j0] = (*cuts)[k - 1];
            ASSERT_TRUE(i0 <= i && j0 <= j && i0 + j0 < i + j);
          }
          if (Product(a, 0, ra) == 0) return;
          // The lists are cut at every common product of leading sizes.
          for (int64_t i = 0; i <= ra; ++i) {
            for (int64_t j = 0; j <= rb; ++j) {
              if (Product(a, 0, i) == Product(b, 0, j)) {
                ASSERT_NE(std::ranges::find(products, Product(a, 0, i)), products.end());
              }
            }
          }
        });
      });
    }
  }
  EXPECT_GT(pairs, 10000);
  std::printf("%lld pairs of shapes\n", static_cast<long long>(pairs));
}

TEST(ReshapeFactors, BadInputIsAnError) {
  EXPECT_EQ(CommonFactors(Numbers{2}, Numbers{3}).error().message,
            "[2] and [3] have 2 and 3 elements, expected the same number");
  EXPECT_FALSE(CommonFactors(Numbers{-2, -3}, Numbers{6}).has_value());
  const int64_t huge = int64_t{1} << 62;
  EXPECT_EQ(CommonFactors(Numbers{huge, huge}, Numbers{huge, huge}).error().kind, ErrorKind::kOverflow);
  EXPECT_TRUE(CommonFactors(Numbers{0, huge, huge}, Numbers{0, huge, huge}).has_value());
}

}  // namespace
}  // namespace layoutcheck
