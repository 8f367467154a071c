// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/swizzle.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <set>
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

std::vector<Swizzle> SmallSwizzles() {
  std::vector<Swizzle> swizzles;
  for (int64_t bits = 0; bits <= 3; ++bits) {
    for (int64_t base = 0; base <= 3; ++base) {
      for (int64_t shift = -4; shift <= 4; ++shift) {
        const Swizzle swizzle{bits, base, shift};
        if (ValidateSwizzle(swizzle)) swizzles.push_back(swizzle);
      }
    }
  }
  return swizzles;
}

// A swizzle is its own inverse, a bijection on every aligned block, and linear over exclusive-or.
TEST(Swizzle, InvolutionOfBlocks) {
  for (const Swizzle& swizzle : SmallSwizzles()) {
    const int64_t block = int64_t{1} << (swizzle.base + swizzle.bits + std::abs(swizzle.shift));
    std::set<int64_t> values;
    for (int64_t x = 0; x < 2 * block; ++x) {
      const int64_t value = ApplySwizzle(swizzle, x);
      EXPECT_EQ(ApplySwizzle(swizzle, value), x);
      EXPECT_EQ(value / block, x / block);
      EXPECT_EQ(value, ApplySwizzle(swizzle, x & 5) ^ ApplySwizzle(swizzle, x & ~int64_t{5}));
      values.insert(value);
    }
    EXPECT_EQ(static_cast<int64_t>(values.size()), 2 * block);
  }
}

// An accepted composition is right at every offset; equal swizzles cancel.
TEST(Swizzle, Composition) {
  int64_t accepted = 0;
  for (const Swizzle& a : SmallSwizzles()) {
    for (const Swizzle& b : SmallSwizzles()) {
      const Expected<Swizzle> both = ComposeSwizzles(a, b);
      if (a == b) {
        ASSERT_TRUE(both.has_value());
      }
      if (!both) continue;
      ++accepted;
      ASSERT_TRUE(ValidateSwizzle(*both).has_value()) << ToString(a) << ToString(b);
      for (int64_t x = 0; x < 2048; ++x) ASSERT_EQ(ApplySwizzle(*both, x), ApplySwizzle(a, ApplySwizzle(b, x)));
    }
  }
  std::printf("%lld compositions accepted\n", static_cast<long long>(accepted));
  // The first swizzle reads the bit that the second one writes.
  EXPECT_FALSE(ComposeSwizzles({1, 0, 1}, {1, 1, 1}).has_value());
}

// The laws of recasts hold at every offset. If a recast is rejected, no swizzle of the larger elements exists.
TEST(Swizzle, Recasts) {
  int64_t rejected = 0;
  for (const Swizzle& swizzle : SmallSwizzles()) {
    for (const int64_t factor : {1, 2, 4, 8}) {
      const Swizzle fine = *DowncastSwizzle(swizzle, factor);
      for (int64_t x = 0; x < 1024; ++x) {
        const int64_t t = x % factor;
        ASSERT_EQ(ApplySwizzle(fine, factor * x + t), factor * ApplySwizzle(swizzle, x) + t);
      }
      const Expected<Swizzle> coarse = UpcastSwizzle(swizzle, factor);
      bool is_map = true;
      for (int64_t x = 0; x < 4096; ++x) {
        const int64_t element = ApplySwizzle(swizzle, x) / factor;
        is_map &= element == ApplySwizzle(swizzle, x - x % factor) / factor;
        if (coarse) {
          ASSERT_EQ(element, ApplySwizzle(*coarse, x / factor)) << ToString(swizzle) << " by " << factor;
        }
      }
      EXPECT_EQ(coarse.has_value(), is_map) << ToString(swizzle) << " by " << factor;
      rejected += coarse ? 0 : 1;
    }
    EXPECT_FALSE(UpcastSwizzle(swizzle, 3).has_value());
  }
  EXPECT_GT(rejected, 0);
}

TEST(Swizzle, ComposedLayouts) {
  // CuTe's cosize of these is 3 and 61, because it ignores the swizzle.
  EXPECT_EQ(*Cosize(*ParseComposedLayout("Sw<1,0,1> o 0 o 3:1")), 4);
  EXPECT_EQ(*Cosize(*ParseComposedLayout("Sw<3,0,3> o 0 o (8,5):(8,1)")), 64);
  const ComposedLayout composed = *ParseComposedLayout("Sw<3,0,3> o 0 o (8,8):(8,1)");
  for (int64_t i = 0; i < 64; ++i) {
    const int64_t value = *Crd2Idx(i, composed);
    EXPECT_EQ(*Crd2Integral(**FindCoordinate(composed, value), composed.layout.shape), i);
  }
  EXPECT_FALSE(*FindCoordinate(composed, 64));
  EXPECT_EQ(*Crd2Idx(1, *ParseComposedLayout("16 o (8,8):(8,1)")), 24);
  EXPECT_EQ(*Cosize(*ParseComposedLayout("16 o (8,8):(8,1)")), 80);
  EXPECT_FALSE(Crd2Idx(0, *ParseComposedLayout("Sw<3,0,3> o -1 o (8,8):(8,1)")).has_value());
}

// A layout composed on the right applies inside the swizzle.
TEST(Swizzle, CompositionOnTheRight) {
  const ComposedLayout composed = *ParseComposedLayout("Sw<2,1,3> o 8 o (8,8):(8,1)");
  for (const char* const text : {"(4,8):(2,8)", "64:1", "(8,8):(8,1)", "2:5"}) {
    const ShapeStrideLayout right = *ParseShapeStrideLayout(text);
    const ComposedLayout result = *Composition(composed, right);
    for (int64_t i = 0; i < *Size(right); ++i) EXPECT_EQ(*Crd2Idx(i, result), *Crd2Idx(*Crd2Idx(i, right), composed));
  }
  EXPECT_FALSE(Composition(composed, *ParseShapeStrideLayout("5:3")).has_value());
}

}  // namespace
}  // namespace layoutcheck
