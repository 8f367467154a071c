// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/draw_case.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

TEST(DrawCase, OneOfEveryThreeCasesIsFromAFamilyInEveryShare) {
  for (uint64_t number = 0; number < 900; number += 3) {
    EXPECT_EQ(IsFamilyCase(number) + IsFamilyCase(number + 1) + IsFamilyCase(number + 2), 1) << number;
  }
  for (const uint64_t shares : {2u, 3u, 4u, 6u, 9u, 10u, 18u}) {
    for (uint64_t share = 0; share < shares; ++share) {
      int drawn = 0;
      for (uint64_t k = 0; k < 900; ++k) drawn += IsFamilyCase(share + k * shares) ? 1 : 0;
      EXPECT_NEAR(drawn, 300, 60) << share << " of " << shares;
    }
  }
}

TEST(DrawCase, EveryFamilyComesWithinThirtyCasesAndSmallSizesFirst) {
  for (const uint64_t seed : {1u, 2u, 77u}) {
    const CaseSource source(LayoutScope{});
    std::map<std::string_view, int> drawn;
    for (uint64_t number = 0; number < 30; ++number) {
      const auto one = source.Draw(seed, number);
      ASSERT_TRUE(one);
      EXPECT_EQ(one->pattern != nullptr, IsFamilyCase(number));
      if (one->pattern == nullptr) continue;
      ++drawn[one->family];
      EXPECT_FALSE(one->is_huge);
      EXPECT_LE(SizesOf(one->shape)->elements, 4096);
      std::printf("%s %s\n", std::string(one->family).c_str(), one->pattern->Write(one->values).c_str());
    }
    EXPECT_EQ(drawn.size(), AllFamilies().size());
  }
}

// Every pattern of a family is drawn, and what is drawn is valid, within the scope, and of that pattern.
TEST(DrawCase, FamiliesAreValidAndWithinTheScope) {
  const LayoutScope scopes[] = {{}, {.max_rank = 2, .max_tiles = 1, .max_elements = 100}};
  for (const LayoutScope& scope : scopes) {
    const CaseSource source(scope);
    std::map<std::string_view, std::set<std::string>> patterns;
    int64_t past_31_bits = 0;
    for (uint64_t number = 0; number < 9000; ++number) {
      const auto one = source.Draw(3, number);
      ASSERT_TRUE(one);
      ASSERT_TRUE(ValidateShape(one->shape, MissingLayout::kRejected)) << ToString(one->shape);
      const auto sizes = SizesOf(one->shape);
      ASSERT_TRUE(sizes) << ToString(one->shape);
      ASSERT_LE(one->shape.rank(), scope.max_rank);
      ASSERT_LE(static_cast<int64_t>(one->shape.layout->tiles.size()), scope.max_tiles);
      if (!one->is_huge) {
        ASSERT_LE(sizes->elements, scope.max_elements) << ToString(one->shape);
        ASSERT_LE(sizes->padded_elements, scope.max_padded_elements) << ToString(one->shape);
      }
      if (one->pattern == nullptr) continue;
      patterns[one->family].insert(one->pattern->text());
      EXPECT_EQ(one->pattern->ShapeWith(one->values), one->shape);
      past_31_bits += sizes->padded_elements >= int64_t{1} << 31 ? 1 : 0;
    }
    EXPECT_GT(past_31_bits, 100);
    for (const LayoutFamily& family : AllFamilies()) {
      std::printf("%s: %zu of %zu patterns\n", std::string(family.name).c_str(), patterns[family.name].size(),
                  family.patterns.size());
      if (scope.max_rank < 8) continue;
      for (const LayoutPattern& pattern : family.patterns) {
        if (pattern.is_shape_stride()) continue;
        EXPECT_TRUE(patterns[family.name].contains(pattern.text())) << pattern.text();
      }
    }
  }
}

TEST(LayoutPattern, NamesHaveTheTilesOfTheirDimension) {
  const auto pattern = LayoutPattern::Parse("bf16[A,M,N]{2,1,0:T(8,128)(2,1)}");
  ASSERT_TRUE(pattern);
  ASSERT_EQ(pattern->names().size(), 3u);
  EXPECT_EQ(pattern->names()[0].periods, std::vector<int64_t>{});
  EXPECT_EQ(pattern->names()[1].periods, (std::vector<int64_t>{8, 2}));
  EXPECT_EQ(pattern->names()[2].periods, std::vector<int64_t>{128});
  EXPECT_EQ(pattern->Write(std::vector<int64_t>{1, 9, 129}), "bf16[1,9,129]{2,1,0:T(8,128)(2,1)}");
  const auto fractal = LayoutPattern::Parse("zN:f16[M,40]");
  ASSERT_TRUE(fractal);
  EXPECT_EQ(fractal->names()[0].periods, std::vector<int64_t>{16});
  const auto strided = LayoutPattern::Parse("Sw<2,4,3> o 0 o ((8,M),N):((1,8*N),8)");
  ASSERT_TRUE(strided);
  EXPECT_EQ(strided->Write(std::vector<int64_t>{3, 5}), "Sw<2,4,3> o 0 o ((8,3),5):((1,40),8)");
  const auto tiles = LayoutPattern::Parse("f32[<=M,N]{1,0:T(*,P)}");
  ASSERT_TRUE(tiles) << tiles.error().ToString();
  EXPECT_TRUE(tiles->names()[2].is_tile);
  EXPECT_TRUE(tiles->names()[1].periods.empty());
  EXPECT_TRUE(LayoutPattern::Parse("f32[2,_4]{1,0}").error().message.size() > 0);
  EXPECT_EQ(LayoutPattern::Parse("f32[M,N]{1,0:T(8,}").error().message.substr(0, 26), "as f32[1,1]{1,0:T(8,}: col");
}

TEST(DrawCase, PatternsThatAreTooLargeForTheScopeAreHuge) {
  const std::vector<LayoutPattern> patterns = {LayoutPattern::Parse("f32[M,100000]{1,0}").value()};
  const CaseSource source(LayoutScope{}, patterns, "");
  for (uint64_t number = 0; number < 20; ++number) {
    const auto one = source.Draw(1, number);
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->is_huge || one->shape.dimensions[0] == 0);
    EXPECT_TRUE(one->keeps_pattern);
  }
  EXPECT_FALSE(CaseSource(LayoutScope{.max_rank = 1}, patterns, "tpu").Draw(1, 0));
  EXPECT_TRUE(CaseSource(LayoutScope{.max_rank = 1}, patterns, "").Draw(1, 0));
  const std::vector<LayoutPattern> swizzled = {LayoutPattern::Parse("Sw<3,4,3> o 0 o (8,M):(M,1)").value()};
  EXPECT_FALSE(CaseSource(LayoutScope{}, swizzled, "").Draw(1, 0));
}

}  // namespace
}  // namespace layoutcheck
