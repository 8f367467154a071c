// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/digit_sum.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <map>
#include <random>
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/testing/tiled_layouts.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

Numbers RowMajorWeights(const Numbers& dimensions) {
  Numbers weights(dimensions.size());
  int64_t weight = 1;
  for (size_t d = dimensions.size(); d-- > 0;) {
    weights[d] = weight;
    weight *= dimensions[d];
  }
  return weights;
}

// Returns the linear index of every element, in row-major order of the logical dimensions.
Numbers Table(const TiledLayout& layout) {
  const TiledIndex index = *MakeTiledIndex(layout);
  Numbers table;
  int64_t elements = 1;
  for (const int64_t size : layout.dimensions) elements *= size;
  for (int64_t n = 0; n < elements; ++n) {
    Numbers at(layout.dimensions.size());
    int64_t rest = n;
    for (size_t d = at.size(); d-- > 0;) {
      at[d] = rest % layout.dimensions[d];
      rest /= layout.dimensions[d];
    }
    table.push_back(index(at));
  }
  return table;
}

TEST(DigitSum, IsTheTiledIndexOfEveryElement) {
  const std::vector<Numbers> tiles = {{1},    {2},        {3},        {4},       {2, 2},        {3, 2},
                                      {1, 4}, {kStar, 2}, {kStar, 3}, {2, 1, 2}, {2, kStar, 3}, {kStar, kStar, 4}};
  int64_t sums = 0;
  int64_t others = 0;
  const auto check = [&](const TiledLayout& layout) {
    const auto sum = PositionsAsDigitSum(layout, RowMajorWeights(layout.dimensions));
    ASSERT_TRUE(sum.has_value());
    if (!*sum) {
      ++others;
      return;
    }
    const Numbers table = Table(layout);
    ASSERT_EQ((*sum)->size, static_cast<int64_t>(table.size()));
    ASSERT_EQ((*sum)->digits.empty(), table.size() == 1);
    for (size_t k = 0; k < (*sum)->digits.size(); ++k) {
      ASSERT_TRUE(k == 0 ? (*sum)->digits[k].weight == 1 : (*sum)->digits[k - 1].weight < (*sum)->digits[k].weight);
      ASSERT_LT((*sum)->digits[k].weight, (*sum)->size);
    }
    for (size_t n = 0; n < table.size(); ++n) ASSERT_EQ((**sum)(static_cast<int64_t>(n)), table[n]) << n;
    ++sums;
  };
  for (size_t rank = 0; rank <= 3; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      ForEachTuple(rank, {1, 2, 3, 5}, [&](const Numbers& dimensions) {
        check(MakeTiled(dimensions, order, {}));
        for (const Numbers& first : tiles) {
          check(MakeTiled(dimensions, order, {first}));
          for (const Numbers& second : tiles) check(MakeTiled(dimensions, order, {first, second}));
        }
      });
    }
  }
  EXPECT_GT(sums, 5 * others);
  std::printf("%lld layouts are digit sums, %lld are not\n", static_cast<long long>(sums),
              static_cast<long long>(others));
}

TEST(DigitSum, CombinedDimensionsThatAreNeighborsInTheNumberAreOne) {
  // In bf16[2,3,1004]{2,1,0:T(2,*,128)}, 3 * 1004 is no multiple of 128.
  const auto sum = PositionsAsDigitSum(MakeTiled({2, 3, 1004}, {2, 1, 0}, {{2, kStar, 128}}), Numbers{3012, 1004, 1});
  ASSERT_TRUE(sum.has_value() && sum->has_value());
  EXPECT_EQ((**sum)(3012 + 2 * 1004 + 1003), 6083);  // (1,2,1003)
}

TEST(DigitSum, SameFunctionDecidesAsATableDoes) {
  int64_t pairs = 0;
  int64_t equal_pairs = 0;
  for (int64_t size = 1; size <= 9; ++size) {
    // Tables of every sum with up to three digits and strides 0 to 5.
    std::vector<DigitSum> all;
    std::vector<Numbers> tables;
    const auto add = [&](const Numbers& weights) {
      ForEachTuple(weights.size(), {0, 1, 2, 3, 4, 5}, [&](const Numbers& strides) {
        DigitSum sum{size, {}};
        for (size_t k = 0; k < weights.size(); ++k) sum.digits.push_back({weights[k], strides[k]});
        Numbers table;
        for (int64_t n = 0; n < size; ++n) table.push_back(sum(n));
        all.push_back(std::move(sum));
        tables.push_back(std::move(table));
      });
    };
    if (size == 1) add({});
    if (size > 1) add({1});
    for (int64_t v = 2; v < size; ++v) {
      add({1, v});
      for (int64_t w = v + 1; w < size; ++w) add({1, v, w});
    }
    // All pairs of small sizes are compared; of larger sizes, all pairs of equal tables and a fixed sample of the rest.
    std::map<Numbers, std::vector<size_t>> by_table;
    for (size_t i = 0; i < all.size(); ++i) by_table[tables[i]].push_back(i);
    for (size_t i = 0; i < all.size(); ++i) {
      for (const size_t j : by_table[tables[i]]) {
        const auto same = SameFunction(all[i], all[j]);
        ASSERT_TRUE(same.has_value() && *same);
        ++pairs;
        ++equal_pairs;
      }
      const size_t step = size <= 6 ? 1 : 97;
      for (size_t j = i % step; j < all.size(); j += step) {
        const auto same = SameFunction(all[i], all[j]);
        ASSERT_TRUE(same.has_value());
        ASSERT_EQ(*same, tables[i] == tables[j]);
        ++pairs;
      }
    }
  }
  std::printf("%lld pairs, %lld of them equal\n", static_cast<long long>(pairs), static_cast<long long>(equal_pairs));
}

TEST(DigitSum, WeightsThatDoNotDivideEachOther) {
  // n and 3 * (n div 3) + n mod 3 are the same function; 4 * (n div 3) + n mod 3 differs from n = 3 on.
  const DigitSum plain{1'000'000'007, {{1, 1}}};
  EXPECT_TRUE(*SameFunction(plain, DigitSum{plain.size, {{1, 1}, {3, 3}}}));
  EXPECT_TRUE(*SameFunction(plain, DigitSum{plain.size, {{1, 1}, {2, 2}, {3, 3}, {500, 500}, {1001, 1001}}}));
  EXPECT_FALSE(*SameFunction(plain, DigitSum{plain.size, {{1, 1}, {3, 4}}}));
  EXPECT_FALSE(*SameFunction(plain, DigitSum{plain.size, {{1, 1}, {1'000'000'006, 1'000'000'007}}}));
}

TEST(DigitSum, ComparisonsThatTakeTooLongAreAnError) {
  // Both are the identity, written with weights that do not divide each other, so every question has two parts.
  const auto identity = [](int64_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    DigitSum sum{int64_t{1} << 62, {{1, 1}}};
    for (int64_t k = 1; k <= count; ++k) {
      const int64_t power = int64_t{1} << (2 * k);
      const int64_t weight = power + static_cast<int64_t>(random() % static_cast<uint64_t>(power));
      sum.digits.push_back({weight, weight});
    }
    return sum;
  };
  EXPECT_TRUE(*SameFunction(identity(10, 1), identity(10, 2)));
  const auto many = SameFunction(identity(30, 1), identity(30, 2));
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().kind, ErrorKind::kUnsupported);
}

TEST(DigitSum, OverflowIsAnError) {
  const int64_t huge = int64_t{1} << 40;
  EXPECT_EQ(PositionsAsDigitSum(MakeTiled({huge}, {0}, {{1, huge}, {huge, huge}}), Numbers{1}).error().kind,
            ErrorKind::kOverflow);
}

}  // namespace
}  // namespace layoutcheck
