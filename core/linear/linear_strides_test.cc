// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_strides.h"
#include <gtest/gtest.h>
#include <random>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/testing/random_linear_layout.h"

namespace layoutcheck {
namespace {

std::string LinearText(const std::string& text) {
  const auto linear = LinearOfStrides(ParseComposedLayout(text).value());
  return linear ? ToString(*linear) : linear.error().message;
}

std::string StridesText(const std::string& text) {
  const auto strides = StridesOfLinear(ParseLinearLayout(text).value());
  return strides ? ToString(*strides) : strides.error().message;
}

TEST(LinearStrides, OfStrides) {
  EXPECT_EQ(LinearText("(4,8):(8,1)"), "ll{dim0:[8,16],dim1:[1,2,4]} -> [32]");
  EXPECT_EQ(LinearText("((2,2),8):((1,16),2)"), "ll{dim0:[1,16],dim1:[2,4,8]} -> [32]");
  EXPECT_EQ(LinearText("Sw<1,0,2> o 0 o (4,2):(2,1)"), "ll{dim0:[2,5],dim1:[1]} -> [8]");
  EXPECT_EQ(LinearText("8:1"), "ll{dim0:[1,2,4]} -> [8]");
  EXPECT_EQ(LinearText("(4,2):(0,1)"), "ll{dim0:[0,0],dim1:[1]} -> [2]");
  // A stride need not be a power of two: 3 and 4 share no bit.
  EXPECT_EQ(LinearText("(2,2):(3,4)"), "ll{dim0:[3],dim1:[4]} -> [8]");
  EXPECT_EQ(LinearText("1:0"), "ll{dim0:[]} -> [1]");
}

TEST(LinearStrides, SaysWhyThereIsNone) {
  EXPECT_EQ(LinearText("(3,4):(4,1)"), "(3,4):(4,1) is not linear over bits: the extent 3 is no power of two");
  EXPECT_EQ(LinearText("(4,8):(9,1)"),
            "(4,8):(9,1) is not linear over bits: bits of the coordinate share bit 0 of the offset, so that their sum "
            "may carry");
  EXPECT_EQ(LinearText("8 o (4,2):(2,1)"),
            "8 o (4,2):(2,1) is not linear over bits: coordinate 0 is at offset 8, which would be 0");
  EXPECT_EQ(LinearText("(2,2):(-1,2)"), "(2,2):(-1,2) is not linear over bits: the stride -1 is negative");
  EXPECT_EQ(LinearText("(2,0):(1,2)"), "(2,0):(1,2) is not linear over bits: the extent 0 is no power of two");
  EXPECT_EQ(LinearText("4:3000000000000000000"),
            "4:3000000000000000000 is not linear over bits: it has more than 62 bits");
}

TEST(LinearStrides, OfLinear) {
  EXPECT_EQ(StridesText("ll{register:[1,2],lane:[4,8,16],warp:[]} -> [32]"), "(4,8,1):(1,4,0)");
  EXPECT_EQ(StridesText("ll{a:[1,4,8],b:[2]} -> [16]"), "((2,4),2):((1,4),2)");
  EXPECT_EQ(StridesText("ll{a:[0,0,1]} -> [2]"), "((4,2)):((0,1))");
  // CuTe's Sw<3,4,3> on 8 rows of 128 bytes.
  EXPECT_EQ(StridesText("ll{row:[144,288,576],column:[1,2,4,8,16,32,64]} -> [1024]"),
            "Sw<3,4,3> o 0 o (8,128):(128,1)");
  EXPECT_EQ(StridesText("ll{a:[1,2],b:[3]} -> [4]"),
            "ll{a:[1,2],b:[3]} -> [4] combines bits by exclusive or, and no swizzle Sw<B,M,S> undoes that");
  EXPECT_EQ(StridesText("ll{} -> [1]"), "():()");
}

// Every accepted conversion has the same index at each coordinate, and a refused one carries somewhere.
TEST(LinearStrides, SameIndexOrACarry) {
  std::mt19937_64 random(5);
  int accepted = 0;
  int refused = 0;
  for (int n = 0; n < 1000; ++n) {
    const auto leaf = [&] {
      const int64_t stride = random() % 3 == 0 ? static_cast<int64_t>(random() % 40) : int64_t{1} << random() % 7;
      return std::pair(int64_t{1} << random() % 4, stride);
    };
    std::string shape;
    std::string stride;
    for (int k = 0; k < 3; ++k) {
      const auto [extent, step] = leaf();
      StrAppend(shape, k > 0 ? "," : "", extent);
      StrAppend(stride, k > 0 ? "," : "", step);
    }
    const std::string swizzle = random() % 2 == 0 ? "Sw<2,1,3> o 0 o " : "";
    const ComposedLayout composed = ParseComposedLayout(StrCat(swizzle, "(", shape, "):(", stride, ")")).value();
    const Expected<LinearLayout> linear = LinearOfStrides(composed);
    const int64_t size = Size(composed.layout).value();
    bool is_linear = true;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t offset = Crd2Idx(i, composed).value();
      if (linear) {
        ASSERT_EQ(static_cast<int64_t>(linear->Apply(static_cast<uint64_t>(i))), offset) << ToString(composed);
      }
      const int64_t low = i & -i;
      is_linear = is_linear && offset == (Crd2Idx(low, composed).value() ^ Crd2Idx(i - low, composed).value());
    }
    EXPECT_EQ(linear.has_value(), is_linear) << ToString(composed);
    ++(linear ? accepted : refused);
  }
  EXPECT_GT(accepted, 60);
  EXPECT_GT(refused, 60);
}

// Strides and back are the same map, also through swizzles.
TEST(LinearStrides, RoundTrip) {
  std::mt19937_64 random(6);
  int swizzled = 0;
  for (int n = 0; n < 1000; ++n) {
    const LinearLayout layout = RandomLinearLayout(random, {.max_bits = n % 2 == 0 ? 7u : 12u});
    const Expected<ComposedLayout> strides = StridesOfLinear(layout);
    if (!strides) continue;
    swizzled += strides->swizzle ? 1 : 0;
    const Expected<LinearLayout> again = LinearOfStrides(*strides);
    ASSERT_TRUE(again.has_value()) << ToString(layout) << " " << ToString(*strides) << again.error().message;
    EXPECT_EQ(again->images(), layout.images()) << ToString(layout) << " " << ToString(*strides);
    EXPECT_EQ(again->InputSizes(), layout.InputSizes());
  }
  EXPECT_GT(swizzled, 15);
}

}  // namespace
}  // namespace layoutcheck
