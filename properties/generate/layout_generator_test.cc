// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_generator.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cstdio>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

TEST(LayoutGenerator, DrawsOnlyValidLayoutsWithinTheScope) {
  const LayoutScope scopes[] = {
      {}, {.max_rank = 2, .max_tiles = 1, .max_elements = 64, .max_padded_elements = 256}, {.combine = false}};
  for (const LayoutScope& scope : scopes) {
    for (uint64_t number = 0; number < 20000; ++number) {
      RandomChoices choices(3, number);
      const Shape shape = DrawLayout(choices, scope);
      ASSERT_TRUE(ValidateShape(shape, MissingLayout::kRejected).has_value()) << ToString(shape);
      const auto sizes = SizesOf(shape);
      ASSERT_TRUE(sizes.has_value()) << ToString(shape) << " " << sizes.error().message;
      ASSERT_LE(sizes->elements, scope.max_elements) << ToString(shape);
      ASSERT_LE(sizes->padded_elements, scope.max_padded_elements) << ToString(shape);
      ASSERT_LE(shape.rank(), scope.max_rank);
      ASSERT_LE(static_cast<int64_t>(shape.layout->tiles.size()), scope.max_tiles);
    }
  }
}

TEST(LayoutGenerator, NoClassFallsUnderOnePercent) {
  LayoutStatistics statistics;
  for (uint64_t number = 0; number < 20000; ++number) {
    RandomChoices choices(1, number);
    statistics.Count(DrawLayout(choices, {}));
  }
  std::printf("%lld layouts: %s\n", static_cast<long long>(statistics.total()), statistics.ToString().c_str());
  for (const auto& [name, count] : statistics.classes()) EXPECT_GE(count, statistics.total() / 100) << name;
}

TEST(LayoutGenerator, TheSimplestChoicesGiveTheScalar) {
  ReplayedChoices simplest({});
  EXPECT_EQ(ToString(DrawLayout(simplest, {})), "f32[]");
}

TEST(LayoutGenerator, HugeLayoutsAreValidAndPast32Bits) {
  int64_t past_31_bits = 0;
  int64_t past_61_bits = 0;
  for (uint64_t number = 0; number < 20000; ++number) {
    RandomChoices choices(5, number);
    const Shape shape = DrawHugeLayout(choices, {});
    const auto sizes = SizesOf(shape);
    ASSERT_TRUE(sizes.has_value()) << ToString(shape);
    past_31_bits += sizes->padded_elements >= int64_t{1} << 31 ? 1 : 0;
    past_61_bits += sizes->padded_elements >= int64_t{1} << 61 ? 1 : 0;
  }
  EXPECT_GT(past_31_bits, 8000);
  EXPECT_GT(past_61_bits, 1000);
}

RC_GTEST_PROP(LayoutGenerator, DrawsAValidLayoutFromAnyBytes, (const std::vector<uint8_t>& bytes)) {
  ByteChoices choices(bytes);
  RC_ASSERT(ValidateShape(DrawLayout(choices, {}), MissingLayout::kRejected).has_value());
}

}  // namespace
}  // namespace layoutcheck
