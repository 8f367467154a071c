// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/reshape_factors.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;
using Pairs = std::vector<DimensionPair>;

Shape Array(const Numbers& dimensions) {
  return Shape::Array(ElementType::kF32, dimensions, MakeDescendingLayout(static_cast<int64_t>(dimensions.size())));
}

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

TEST(ReshapeFactors, DimensionsUnmodifiedByReshape) {
  EXPECT_EQ(*DimensionsUnmodifiedByReshape(Array({1, 1, 1, 1}), Array({1, 1, 1})), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(*DimensionsUnmodifiedByReshape(Array({4, 1, 3, 5, 6, 7}), Array({2, 6, 1, 5, 1, 42})), (Pairs{{3, 3}}));
  EXPECT_FALSE(DimensionsUnmodifiedByReshape(Array({2}), Array({3})).has_value());
  EXPECT_FALSE(DimensionsUnmodifiedByReshape(Shape::Token(), Array({3})).has_value());
}

TEST(ReshapeFactors, InsertedOrDeleted1SizedDimensions) {
  EXPECT_EQ(*InsertedOrDeleted1SizedDimensions(Array({9, 1, 4}), Array({1, 9, 4, 1})),
            (ShapeEqualityDescriptor{{1}, {0, 3}}));
  EXPECT_EQ(*InsertedOrDeleted1SizedDimensions(Array({9, 1, 4}), Array({3, 1, 12})), std::nullopt);
  EXPECT_EQ(*InsertedOrDeleted1SizedDimensions(Array({9, 1, 4}), Array({9, 1, 4})), (ShapeEqualityDescriptor{}));
  // Without the listed dimensions, both shapes must be the same.
  int64_t described = 0;
  for (size_t rank_a = 0; rank_a <= 4; ++rank_a) {
    for (size_t rank_b = 0; rank_b <= 4; ++rank_b) {
      ForEachTuple(rank_a, {1, 2, 3}, [&](const Numbers& a) {
        ForEachTuple(rank_b, {1, 2, 3}, [&](const Numbers& b) {
          const auto result = InsertedOrDeleted1SizedDimensions(Array(a), Array(b));
          if (!result) return;
          const auto without = [](const Numbers& sizes, auto&& drop) {
            Numbers rest;
            for (size_t d = 0; d < sizes.size(); ++d) {
              if (!drop(d)) rest.push_back(sizes[d]);
            }
            return rest;
          };
          const auto ones = [](const Numbers& sizes) { return [&sizes](size_t d) { return sizes[d] == 1; }; };
          ASSERT_EQ(result->has_value(), without(a, ones(a)) == without(b, ones(b)));
          if (!*result) return;
          ++described;
          const auto in = [](const Numbers& list) {
            return [&list](size_t d) { return std::ranges::find(list, static_cast<int64_t>(d)) != list.end(); };
          };
          EXPECT_EQ(without(a, in((*result)->deleted_dimensions)), without(b, in((*result)->inserted_dimensions)));
          for (const int64_t d : (*result)->deleted_dimensions) EXPECT_EQ(a[static_cast<size_t>(d)], 1);
          for (const int64_t d : (*result)->inserted_dimensions) EXPECT_EQ(b[static_cast<size_t>(d)], 1);
        });
      });
    }
  }
  std::printf("%lld reshapes that drop and add ones\n", static_cast<long long>(described));
}

TEST(ReshapeFactors, ReshapeLeavesDimensionsUnmodified) {
  const Shape input = Array({2, 3, 4, 5});
  const Shape output = Array({2, 12, 5});
  EXPECT_EQ(*ReshapeLeavesDimensionsUnmodified(input, output, Numbers{0, 3}), (Numbers{0, 2}));
  EXPECT_EQ(*ReshapeLeavesDimensionsUnmodified(input, output, Numbers{}), Numbers{});
  EXPECT_EQ(*ReshapeLeavesDimensionsUnmodified(input, output, Numbers{0, 1}), std::nullopt);
  EXPECT_EQ(*ReshapeLeavesDimensionsUnmodified(input, output, Numbers{3, 0}), std::nullopt);
  EXPECT_FALSE(ReshapeLeavesDimensionsUnmodified(input, output, Numbers{4}).has_value());
}

TEST(ReshapeFactors, GetNormalizedLogicalTransposeShapeKnownAnswers) {
  const auto normalize = [](const Numbers& input, const Numbers& permutation) {
    return GetNormalizedLogicalTransposeShape(Array(input), Array(*Permute(input, permutation)), permutation).value();
  };
  using N = NormalizedTranspose;
  EXPECT_EQ(normalize({10, 1, 11, 32}, {3, 1, 0, 2}), (N{{32, 110}, {1, 0}}));
  EXPECT_EQ(normalize({50, 20, 30}, {1, 2, 0}), (N{{600, 50}, {1, 0}}));
  EXPECT_EQ(normalize({64, 128, 1}, {0, 2, 1}), (N{{8192}, {0}}));
  EXPECT_EQ(normalize({32768, 4, 16, 8}, {2, 0, 3, 1}), (N{{16, 32768, 8, 4}, {2, 0, 3, 1}}));
  EXPECT_EQ(normalize({4096, 4096, 128, 16}, {3, 0, 1, 2}), (N{{16, 2147483648}, {1, 0}}));
  EXPECT_EQ(normalize({1, 32, 1, 3, 1, 64, 1}, {6, 1, 4, 5, 2, 3, 0}), (N{{32, 64, 3}, {0, 2, 1}}));
  EXPECT_EQ(normalize({1, 1}, {1, 0}), (N{{1}, {0}}));
  EXPECT_EQ(normalize({}, {}), (N{{1}, {0}}));
}

// Returns the linear indices of an array of these sizes in the element order of its transpose.
Numbers TransposedOrder(const Numbers& input, const Numbers& permutation) {
  Numbers strides(input.size());
  int64_t stride = 1;
  for (size_t d = input.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= input[d];
  }
  Numbers order;
  for (int64_t n = 0; n < stride; ++n) {
    int64_t rest = n;
    int64_t from = 0;
    for (size_t i = permutation.size(); i-- > 0;) {
      const auto d = static_cast<size_t>(permutation[i]);
      from += rest % input[d] * strides[d];
      rest /= input[d];
    }
    order.push_back(from);
  }
  return order;
}

TEST(ReshapeFactors, NormalizedTransposesMoveElementsAlikeAndAreMinimal) {
  int64_t transposes = 0;
  for (size_t rank = 0; rank <= 4; ++rank) {
    for (const Numbers& permutation : AllPermutations(rank)) {
      ForEachTuple(rank, {1, 2, 3}, [&](const Numbers& input) {
        const auto normal =
            GetNormalizedLogicalTransposeShape(Array(input), Array(*Permute(input, permutation)), permutation);
        ASSERT_TRUE(normal.has_value());
        ASSERT_TRUE(IsPermutation(normal->permutation));
        const Numbers normal_input = *PermuteInverse(normal->dimensions, normal->permutation);
        ASSERT_EQ(TransposedOrder(input, permutation), TransposedOrder(normal_input, normal->permutation));
        for (size_t i = 0; i + 1 < normal->permutation.size(); ++i) {
          ASSERT_NE(normal->permutation[i] + 1, normal->permutation[i + 1]) << "two dimensions stay together";
          ASSERT_NE(normal->dimensions[i], 1);
        }
        ++transposes;
      });
    }
  }
  std::printf("%lld transposes\n", static_cast<long long>(transposes));
}

TEST(ReshapeFactors, BadInputIsAnError) {
  EXPECT_EQ(CommonFactors(Numbers{2}, Numbers{3}).error().message,
            "[2] and [3] have 2 and 3 elements, expected the same number");
  EXPECT_FALSE(CommonFactors(Numbers{-2, -3}, Numbers{6}).has_value());
  const int64_t huge = int64_t{1} << 62;
  EXPECT_EQ(CommonFactors(Numbers{huge, huge}, Numbers{huge, huge}).error().kind, ErrorKind::kOverflow);
  EXPECT_TRUE(CommonFactors(Numbers{0, huge, huge}, Numbers{0, huge, huge}).has_value());
  EXPECT_FALSE(
      GetNormalizedLogicalTransposeShape(*ParseShape("f32[2,3]{0,1}"), Array({3, 2}), Numbers{1, 0}).has_value());
  EXPECT_FALSE(GetNormalizedLogicalTransposeShape(Array({2, 3}), Array({2, 3}), Numbers{1, 0}).has_value());
  EXPECT_FALSE(GetNormalizedLogicalTransposeShape(Array({2, 3}), Array({3, 2}), Numbers{0, 0}).has_value());
}

}  // namespace
}  // namespace layoutcheck
