// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/mlir/affine_expression.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(AffineExpression, Values) {
  struct Case {
    const char* text;
    int64_t value;
  };
  const AffinePoint point{{-5, 7}, {8}};
  for (const Case& c : {Case{"(s0 + s0 mod 3) floordiv s0", 1}, Case{"d0 floordiv 3", -2}, Case{"d0 ceildiv 3", -1},
                        Case{"d0 mod 3", 1}, Case{"d1 - 2 * 3", 1}, Case{"-9223372036854775808 floordiv 1 mod 7", 6},
                        Case{"((d0 - (d0 + 2)) floordiv 8) mod 8", 7}, Case{"-d0 mod 3 - -2 + - 1", 3}}) {
    const auto expression = AffineExpression::Parse(c.text);
    ASSERT_TRUE(expression) << c.text << ": " << expression.error().ToString();
    const auto value = expression->Evaluate(point);
    ASSERT_TRUE(value) << c.text << ": " << value.error().ToString();
    EXPECT_EQ(*value, c.value) << c.text;
  }
}

TEST(AffineExpression, WhatHasNoValue) {
  const AffinePoint point{{1}, {0}};
  for (const char* text :
       {"d0 floordiv s0", "d0 mod -3", "d1", "9223372036854775807 + d0", "d0 * 4 * 4611686018427387904"}) {
    const auto expression = AffineExpression::Parse(text);
    ASSERT_TRUE(expression) << text;
    EXPECT_FALSE(expression->Evaluate(point)) << text;
  }
  for (const std::string text : {"", "d", "d-1", "(d0", "d0 d1", "d0 +", "9223372036854775808", "d0)"}) {
    EXPECT_FALSE(AffineExpression::Parse(text)) << text;
  }
  EXPECT_FALSE(AffineExpression::Parse(std::string(100000, '(')));
  EXPECT_FALSE(AffinePoint::Parse(std::vector<std::string>{"d1=3"}));
  EXPECT_FALSE(AffinePoint::Parse(std::vector<std::string>{"d0=3x"}));
}

TEST(AffineExpression, TextAndValueOfDrawnOnesAgree) {
  size_t with_value = 0;
  for (uint64_t number = 0; number < 5000; ++number) {
    RandomChoices choices(7, number);
    const auto drawn = AffineExpression::Draw(choices, 4);
    const auto read = AffineExpression::Parse(drawn.ToString());
    ASSERT_TRUE(read) << drawn.ToString();
    EXPECT_EQ(read->ToString(), drawn.ToString());
    const AffinePoint point{{static_cast<int64_t>(number % 17) - 5, 3}, {static_cast<int64_t>(number % 9) + 1}};
    const auto value = drawn.Evaluate(point);
    const auto again = read->Evaluate(point);
    ASSERT_EQ(value.has_value(), again.has_value());
    EXPECT_EQ(value.value_or(0), again.value_or(0)) << drawn.ToString();
    with_value += value.has_value();
  }
  EXPECT_GT(with_value, 4000u);
  std::printf("5000 expressions, %zu with a value\n", with_value);
}

}  // namespace
}  // namespace layoutcheck
