// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/integer.h"
#include <gtest/gtest.h>
#include <limits>

namespace layoutcheck {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(Integer, DivisionLawHoldsForEverySignOfTheDividend) {
  for (int64_t a = -50; a <= 50; ++a) {
    for (int64_t b = 1; b <= 12; ++b) {
      EXPECT_EQ(a, b * FloorDiv(a, b) + Mod(a, b));
      EXPECT_GE(Mod(a, b), 0);
      EXPECT_LT(Mod(a, b), b);
      EXPECT_EQ(CeilDiv(a, b), -FloorDiv(-a, b));
    }
  }
}

TEST(Integer, DivisionDoesNotOverflowAtTheEnds) {
  EXPECT_EQ(CeilDiv(kMax, 2), (kMax / 2) + 1);
  EXPECT_EQ(CeilDiv(kMax, kMax), 1);
  EXPECT_EQ(FloorDiv(kMin, 1), kMin);
  EXPECT_EQ(FloorDiv(kMin, kMax), -2);
  EXPECT_EQ(Mod(kMin, kMax), kMax - 1);
}

TEST(Integer, CheckedOverflowSticks) {
  const CheckedInt64 wrapped = CheckedInt64(kMax) + 1;
  EXPECT_TRUE(wrapped.overflow);
  EXPECT_TRUE((wrapped * 0).overflow);
  EXPECT_TRUE(FloorDiv(5, wrapped).overflow);
  EXPECT_TRUE((CheckedInt64(kMin) - 1).overflow);
  EXPECT_FALSE((CheckedInt64(kMax) * 1).overflow);
  EXPECT_EQ(ValueOrOverflow(CheckedInt64(int64_t{1} << 31) * (int64_t{1} << 31), "the size").value(), int64_t{1} << 62);
  EXPECT_EQ(ValueOrOverflow(CheckedInt64(int64_t{1} << 32) * (int64_t{1} << 31), "the size").error().message,
            "the size does not fit int64");
}

}  // namespace
}  // namespace layoutcheck
