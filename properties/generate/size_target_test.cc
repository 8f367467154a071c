// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/size_target.h"
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/properties/generate/draw_case.h"

namespace layoutcheck {
namespace {

// A run draws arrays on both sides of each power of two from 2^8 to 2^40, in elements and in bytes.
TEST(SizeTarget, BothSidesOfEveryPowerOfTwoAreDrawn) {
  const CaseSource source(LayoutScope{});
  std::set<std::pair<int, bool>> below;  // by exponent and unit, in bytes or not
  std::set<std::pair<int, bool>> above;
  std::map<int, int> octaves;
  for (uint64_t number = 0; number < 10000; ++number) {
    const auto drawn = source.Draw(1, number);
    ASSERT_TRUE(drawn);
    ASSERT_TRUE(ValidateShape(drawn->shape, MissingLayout::kRejected)) << ToString(drawn->shape);
    const auto sizes = SizesOf(drawn->shape);
    ASSERT_TRUE(sizes) << ToString(drawn->shape);
    int octave = 0;
    while (octave < 62 && sizes->padded_elements >> (octave + 1) > 0) ++octave;
    ++octaves[octave];
    for (int bits = 8; bits <= 40; ++bits) {
      const int64_t power = int64_t{1} << bits;
      for (const bool in_bytes : {false, true}) {
        const int64_t size = in_bytes ? sizes->bytes : sizes->padded_elements;
        if (size >= power - power / 4 && size <= power) below.emplace(bits, in_bytes);
        if (size > power && size <= power + power / 4) above.emplace(bits, in_bytes);
      }
    }
  }
  for (int bits = 8; bits <= 40; ++bits) {
    std::printf("2^%d: %d layouts\n", bits, octaves[bits]);
    EXPECT_GE(octaves[bits], 10) << bits;
    for (const bool in_bytes : {false, true}) {
      EXPECT_TRUE(below.contains({bits, in_bytes})) << bits << in_bytes;
      EXPECT_TRUE(above.contains({bits, in_bytes})) << bits << in_bytes;
    }
  }
}

// Where a subject answers arrays up to a limit, nothing is drawn beyond it, and much just below.
TEST(SizeTarget, ALimitIsKeptAndReached) {
  for (const bool in_bytes : {false, true}) {
    LayoutScope scope;
    constexpr int64_t kMost = 3'000'000;
    (in_bytes ? scope.max_array_bytes : scope.max_array_elements) = kMost;
    const CaseSource source(scope);
    int near = 0;
    for (uint64_t number = 0; number < 1000; ++number) {
      const auto drawn = source.Draw(1, number);
      ASSERT_TRUE(drawn);
      const auto sizes = SizesOf(drawn->shape);
      ASSERT_TRUE(sizes);
      const int64_t size = in_bytes ? sizes->bytes : sizes->padded_elements;
      if (drawn->is_huge) {
        EXPECT_LE(size, kMost) << ToString(drawn->shape);
      }
      near += size > kMost - kMost / 50 ? 1 : 0;
    }
    EXPECT_GE(near, 10);
  }
}

TEST(OpeningLayouts, AreValidAndBeginARun) {
  const CaseSource source(LayoutScope{});
  std::vector<Shape> begin;
  for (uint64_t number = 0; number < 30; ++number) {
    if (const auto drawn = source.Draw(5, number); drawn && drawn->pattern == nullptr) begin.push_back(drawn->shape);
  }
  const auto layouts = OpeningLayouts();
  ASSERT_LE(layouts.size(), begin.size());
  for (size_t k = 0; k < layouts.size(); ++k) {
    EXPECT_TRUE(ValidateShape(layouts[k], MissingLayout::kRejected)) << ToString(layouts[k]);
    EXPECT_EQ(layouts[k], begin[k]);
  }
}

}  // namespace
}  // namespace layoutcheck
