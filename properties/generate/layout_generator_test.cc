// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_generator.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cstdio>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/generate/layout_statistics.h"

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
      ASSERT_EQ(TiledElements(shape, shape.layout->tiles.size()), MakeTiledIndex(shape)->padded_elements())
          << ToString(shape);
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

// A finding names its seed, so a seed must draw the same layouts in every version.
TEST(LayoutGenerator, ASeedDrawsTheLayoutsOfEarlierVersions) {
  const LayoutScope small = {.max_rank = 3, .max_tiles = 1, .max_elements = 100, .max_padded_elements = 300};
  const LayoutScope plain = {.combine = false, .attributes = false};
  const struct {
    uint64_t seed;
    LayoutScope scope;
    uint64_t layouts;       // hash of the first 10,000
    uint64_t huge_layouts;  // hash of the first 10,000
  } kStreams[] = {
      {0, {}, 0x54f1598b2a814348, 0x50e82c68c9354376},
      {0, small, 0x25bc3bea0d6adb46, 0x8a8dea6ccec7e311},
      {0, plain, 0x2a81b1f5768eb46c, 0x0fd9859544d3d27d},
      {1, {}, 0x19f1c6d9043135db, 0x05248375ab72d0b8},
      {1, small, 0x95a10346e44cc4bc, 0xa9fd94869d6d07fc},
      {1, plain, 0x3751bb14a115adfe, 0xdaafb69e8487f7f4},
      {20261120, {}, 0xfb65ef050aa9c083, 0x84802a6595fb3260},
      {20261120, small, 0x9d6416a8bd710865, 0x74f2fa14e3de3d67},
      {20261120, plain, 0x4d74e13279ec1393, 0xae02781861c6bac4},
  };
  for (const auto& [seed, scope, layouts, huge_layouts] : kStreams) {
    uint64_t hash = HashText("");
    uint64_t huge_hash = HashText("");
    RandomChoices choices(seed, 0);
    Shape shape;  // Memory that is used again must not change what is drawn.
    for (uint64_t number = 0; number < 10000; ++number) {
      choices.Restart(number);
      DrawLayout(choices, scope, shape);
      hash = HashText(ToString(shape) + "\n", hash);
      RandomChoices choices_of_huge(seed, number);
      huge_hash = HashText(ToString(DrawHugeLayout(choices_of_huge, scope)) + "\n", huge_hash);
    }
    EXPECT_EQ(hash, layouts) << "seed " << seed << ", " << scope.ToString();
    EXPECT_EQ(huge_hash, huge_layouts) << "seed " << seed << ", " << scope.ToString();
  }
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
