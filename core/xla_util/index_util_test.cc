// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/index_util.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <limits>
#include "layoutcheck/core/testing/small_scopes.h"

namespace layoutcheck {
namespace {

using Index = std::vector<int64_t>;

Shape Array(Index dimensions, Index minor_to_major) {
  return Shape::Array(ElementType::kF32, std::move(dimensions), Layout(std::move(minor_to_major)));
}

int64_t Product(const Index& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

TEST(IndexUtil, EveryLayoutIsABijectionInMinorToMajorOrder) {
  int64_t shapes = 0;
  int64_t indices = 0;
  for (size_t rank = 0; rank <= 4; ++rank) {
    for (const Index& order : AllPermutations(rank)) {
      ForEachTuple(rank, {0, 1, 2, 3}, [&](const Index& dimensions) {
        const Shape shape = Array(dimensions, order);
        ++shapes;
        // The linear index counts up if the dimensions are the digits of a counter, major first.
        int64_t expected = 0;
        Index previous_digits;
        Index index;
        const int64_t elements = Product(dimensions);
        for (int64_t linear = 0; linear < elements; ++linear) {
          const auto at = LinearIndexToMultidimensionalIndex(shape, linear);
          ASSERT_TRUE(at.has_value());
          Index digits;
          for (size_t p = 0; p < rank; ++p) {
            digits.push_back((*at)[static_cast<size_t>(shape.layout->Major(static_cast<int64_t>(p)))]);
          }
          if (linear > 0) {
            ASSERT_LT(previous_digits, digits);
          }
          previous_digits = digits;
          ASSERT_TRUE(IndexInBounds(shape, *at));
          ASSERT_EQ(*MultidimensionalIndexToLinearIndex(shape, *at), linear);
          int64_t by_strides = 0;
          for (size_t d = 0; d < rank; ++d) {
            by_strides += (*at)[d] * *GetDimensionStride(shape, static_cast<int64_t>(d));
          }
          ASSERT_EQ(by_strides, linear);
          ++expected;
          ++indices;
        }
        ASSERT_EQ(expected, elements);
        EXPECT_FALSE(LinearIndexToMultidimensionalIndex(shape, elements).has_value());
        EXPECT_FALSE(LinearIndexToMultidimensionalIndex(shape, -1).has_value());
      });
    }
  }
  std::printf("%lld shapes, %lld indices\n", static_cast<long long>(shapes), static_cast<long long>(indices));
}

TEST(IndexUtil, BumpIndicesIsRowMajorWhateverTheLayout) {
  int64_t steps = 0;
  for (size_t rank = 0; rank <= 3; ++rank) {
    for (const Index& order : AllPermutations(rank)) {
      ForEachTuple(rank, {1, 2, 3}, [&](const Index& dimensions) {
        const Shape shape = Array(dimensions, order);
        const Shape row_major = Shape::Array(ElementType::kF32, dimensions, MakeDescendingLayout(shape.rank()));
        Index index(rank, 0);
        for (int64_t linear = 0;; ++linear) {
          ASSERT_EQ(*MultidimensionalIndexToLinearIndex(row_major, index), linear);
          const Index before = index;
          const auto more = BumpIndices(shape, index);
          ASSERT_TRUE(more.has_value());
          ++steps;
          if (!*more) {
            EXPECT_EQ(index, before);
            EXPECT_EQ(linear + 1, Product(dimensions));
            break;
          }
          ASSERT_EQ(*CompareIndices(before, index), -1);
          ASSERT_EQ(*CompareIndices(index, before), 1);
          ASSERT_EQ(*CompareIndices(index, index), 0);
        }
      });
    }
  }
  std::printf("%lld steps\n", static_cast<long long>(steps));
}

TEST(IndexUtil, NegativeIndicesAreOutOfBounds) {
  const Shape shape = Array({2, 3}, {1, 0});
  EXPECT_TRUE(IndexInBounds(shape, Index{1, 2}));
  EXPECT_FALSE(IndexInBounds(shape, Index{-1, 2}));
  EXPECT_FALSE(IndexInBounds(shape, Index{2, 0}));
  EXPECT_FALSE(IndexInBounds(shape, Index{1}));
}

TEST(ForEachIndex, VisitsTheProductOfTheProgressionsMinorFirst) {
  int64_t ranges = 0;
  for (size_t rank = 0; rank <= 2; ++rank) {
    for (const Index& order : AllPermutations(rank)) {
      ForEachTuple(rank, {0, 2, 3}, [&](const Index& dimensions) {
        const Shape shape = Array(dimensions, order);
        ForEachTuple(3 * rank, {0, 1, 2}, [&](const Index& numbers) {
          const Index base(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(rank));
          const Index count(numbers.begin() + static_cast<std::ptrdiff_t>(rank),
                            numbers.begin() + static_cast<std::ptrdiff_t>(2 * rank));
          const Index incr(numbers.begin() + static_cast<std::ptrdiff_t>(2 * rank), numbers.end());
          const bool empty = std::ranges::find(dimensions, 0) != dimensions.end();
          // The definition tells which small indices are visited.
          bool legal = true;
          std::vector<Index> expected;
          ForEachTuple(rank, {0, 1, 2, 3}, [&](const Index& index) {
            for (size_t d = 0; d < rank; ++d) {
              if (count[d] == 0 && index[d] != base[d]) return;
              if (count[d] != 0 && (index[d] < base[d] || index[d] >= base[d] + count[d])) return;
              if (count[d] != 0 && incr[d] != 0 && (index[d] - base[d]) % incr[d] != 0) return;
            }
            if (!empty) expected.push_back(index);
            if (!empty && !IndexInBounds(shape, index)) legal = false;
          });
          for (size_t d = 0; d < rank; ++d) {
            if (incr[d] == 0 && count[d] != 0) legal = false;
            if (dimensions[d] != 0 && base[d] >= dimensions[d]) legal = false;
            if (dimensions[d] != 0 && incr[d] != 0 && count[d] != 0 &&
                base[d] + (count[d] - 1) / incr[d] * incr[d] >= dimensions[d]) {
              legal = false;
            }
          }
          std::vector<Index> visited;
          const auto done = ForEachIndex(shape, base, count, incr, [&](std::span<const int64_t> index) {
            visited.emplace_back(index.begin(), index.end());
            return visited.size() < 100;
          });
          ASSERT_EQ(done.has_value(), legal) << testing::PrintToString(dimensions) << testing::PrintToString(numbers);
          if (!legal) return;
          ++ranges;
          EXPECT_EQ(MakeIndexRange(shape, base, count, incr)->size(), static_cast<int64_t>(visited.size()));
          for (size_t i = 1; i < visited.size(); ++i) {
            EXPECT_LT(*MultidimensionalIndexToLinearIndex(shape, visited[i - 1]),
                      *MultidimensionalIndexToLinearIndex(shape, visited[i]));
          }
          std::ranges::sort(visited);
          EXPECT_EQ(visited, expected);
        });
      });
    }
  }
  EXPECT_GT(ranges, 1000);
  std::printf("%lld ranges\n", static_cast<long long>(ranges));
}

TEST(ForEachIndex, KnownAnswers) {
  const auto count = [](const Shape& shape) {
    int64_t visits = 0;
    EXPECT_TRUE(ForEachIndex(shape, [&](std::span<const int64_t>) { return ++visits < 1000; }).has_value());
    return visits;
  };
  EXPECT_EQ(count(Array({}, {})), 1);
  EXPECT_EQ(count(Array({16}, {0})), 16);
  EXPECT_EQ(count(Array({3, 0}, {1, 0})), 0);
  std::vector<Index> visited;
  const auto done =
      ForEachIndex(Array({2, 2}, {1, 0}), Index{1, 0}, Index{0, 2}, Index{0, 1}, [&](std::span<const int64_t> index) {
        visited.emplace_back(index.begin(), index.end());
        return true;
      });
  EXPECT_TRUE(done.has_value());
  EXPECT_EQ(visited, (std::vector<Index>{{1, 0}, {1, 1}}));
}

TEST(IndexUtil, BadInputIsAnError) {
  const Shape shape = Array({2, 3}, {1, 0});
  EXPECT_EQ(MultidimensionalIndexToLinearIndex(shape, Index{0, 3}).error().message,
            "entry 1 of the index (0,3) is 3, expected [0,3)");
  EXPECT_EQ(MultidimensionalIndexToLinearIndex(shape, Index{0}).error().message,
            "the index (0) has 1 entries, the array has 2 dimensions");
  EXPECT_FALSE(MultidimensionalIndexToLinearIndex(Shape::Token(), Index{}).has_value());
  EXPECT_FALSE(MultidimensionalIndexToLinearIndex(Shape::Array(ElementType::kF32, {2}), Index{0}).has_value());
  EXPECT_FALSE(MultidimensionalIndexToLinearIndex(Array({2, 2}, {0, 0}), Index{0, 0}).has_value());
  EXPECT_EQ(MultidimensionalIndexToLinearIndex(Array({2, Shape::kUnboundedSize}, {1, 0}), Index{0, 0}).error().kind,
            ErrorKind::kUnsupported);
  const int64_t huge = int64_t{1} << 62;
  EXPECT_EQ(MultidimensionalIndexToLinearIndex(Array({huge, huge}, {1, 0}), Index{2, 0}).error().kind,
            ErrorKind::kOverflow);
  EXPECT_EQ(GetDimensionStride(Array({huge, huge, huge}, {2, 1, 0}), 0).error().kind, ErrorKind::kOverflow);
  EXPECT_FALSE(GetDimensionStride(shape, 2).has_value());
  EXPECT_FALSE(GetDimensionStride(shape, -1).has_value());
  Index outside = {2, 0};
  EXPECT_FALSE(BumpIndices(shape, outside).has_value());
  EXPECT_FALSE(CompareIndices(Index{0}, Index{0, 1}).has_value());
  const auto visit = [](std::span<const int64_t>) { return true; };
  EXPECT_FALSE(ForEachIndex(shape, Index{0, 0}, Index{2, 3}, Index{1, 0}, visit).has_value());
  EXPECT_FALSE(ForEachIndex(shape, Index{0, -1}, Index{0, 0}, Index{0, 0}, visit).has_value());
  EXPECT_FALSE(ForEachIndex(shape, Index{0}, Index{2, 3}, Index{1, 1}, visit).has_value());
  EXPECT_FALSE(ForEachIndex(shape, Index{0, 0}, Index{std::numeric_limits<int64_t>::max(), 3}, Index{1, 1}, visit));
  EXPECT_EQ(MakeIndexRange(Array({huge, huge}, {1, 0}), Index{0, 0}, Index{huge, huge}, Index{1, 1}).error().kind,
            ErrorKind::kOverflow);
}

}  // namespace
}  // namespace layoutcheck
