// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_value.h"
#include <gtest/gtest.h>
#include <limits>

namespace layoutcheck {
namespace {

using Elements = std::vector<int64_t>;

constexpr int64_t kLeast = std::numeric_limits<int32_t>::min();
constexpr int64_t kGreatest = std::numeric_limits<int32_t>::max();

AxisValues ValuesOf(std::string_view text, const AxisBinding& binding = {}) {
  return EvaluateAxes(*AxisExpression::Parse(text), binding);
}

// The examples of AxisInfo.h of Triton, and the dividend of triton#7749.
TEST(AxisValue, KnownAnswers) {
  EXPECT_EQ(ValuesOf("divsi(subi(range(0,8),constant(64,[8])),constant(32,[8]))").elements,
            (Elements{-2, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(ValuesOf("remsi(subi(range(0,4),constant(4,[4])),constant(4,[4]))").elements, (Elements{0, -3, -2, -1}));
  EXPECT_EQ(ValuesOf("shrsi(subi(range(0,4),constant(4,[4])),constant(2,[4]))").elements, (Elements{-1, -1, -1, -1}));
  EXPECT_EQ(ValuesOf("extui(subi(range(0,2),constant(1,[2])))").elements, (Elements{0xffffffff, 0}));
  EXPECT_EQ(ValuesOf("extsi(subi(range(0,2),constant(1,[2])))").elements, (Elements{-1, 0}));
  EXPECT_EQ(ValuesOf("divui(constant(-1,[1]),constant(2,[1]))").elements, (Elements{kGreatest}));
  EXPECT_EQ(ValuesOf("ult(constant(-1,[1]),constant(1,[1]))").elements, (Elements{0}));
  EXPECT_EQ(ValuesOf("select(slt(range(0,4),constant(2,[4])),range(8,12),constant(-1,[4]))").elements,
            (Elements{8, 9, -1, -1}));
  EXPECT_EQ(ValuesOf("broadcast(expand_dims(range(0,2),1),[2,2])").elements, (Elements{0, 0, 1, 1}));
  EXPECT_EQ(ValuesOf("broadcast(expand_dims(range(0,2),0),[2,2])").elements, (Elements{0, 1, 0, 1}));
}

TEST(AxisValue, NamesHaveTheValuesOfTheBinding) {
  EXPECT_EQ(ValuesOf("addi(argument(a,4,[2]),argument(b,1,[2]))", {{"a", -8}, {"b", 1}}).elements, (Elements{-7, -7}));
  EXPECT_EQ(ValuesOf("branch(p,range(0,2),range(4,6))", {{"p", 0}}).elements, (Elements{4, 5}));
  EXPECT_EQ(ValuesOf("branch(p,range(0,2),range(4,6))", {{"p", 1}}).elements, (Elements{0, 1}));
  EXPECT_EQ(ValuesOf("loop(n,range(0,2),constant(16,[2]))", {{"n", 3}}).elements, (Elements{48, 49}));
}

TEST(AxisValue, SumsAndProductsWrapAround) {
  const std::pair<const char*, int64_t> wrapped[] = {
      {"addi(constant(2147483647,[1]),constant(1,[1]))", kLeast},
      {"subi(constant(-2147483648,[1]),constant(1,[1]))", kGreatest},
      {"muli(constant(65536,[1]),constant(65536,[1]))", 0},
      {"shli(constant(1,[1]),constant(31,[1]))", kLeast},
      {"trunci(muli(extsi(constant(65536,[1])),extsi(constant(65537,[1]))))", 65536},
      {"loop(n,constant(2147483647,[1]),constant(1,[1]))", kLeast},
  };
  for (const auto& [text, value] : wrapped) {
    const AxisValues values = ValuesOf(text, {{"n", 1}});
    EXPECT_EQ(values.outcome, AxisOutcome::kWraps) << text;
    EXPECT_EQ(values.elements, Elements{value}) << text;
  }
}

TEST(AxisValue, WhatMlirDoesNotDefineIsUndefined) {
  for (const char* text :
       {"divsi(range(0,2),constant(0,[2]))", "remui(range(0,2),range(0,2))",
        "divsi(constant(-2147483648,[1]),constant(-1,[1]))", "remsi(constant(-2147483648,[1]),constant(-1,[1]))",
        "shli(range(0,2),constant(32,[2]))", "shrui(range(0,2),constant(-1,[2]))",
        "select(eq(range(0,2),range(0,2)),range(0,2),divsi(range(0,2),constant(0,[2])))"}) {
    EXPECT_EQ(ValuesOf(text).outcome, AxisOutcome::kUndefined) << text;
  }
  EXPECT_EQ(ValuesOf("divsi(extsi(constant(-2147483648,[1])),extsi(constant(-1,[1])))").outcome, AxisOutcome::kExact);
}

// Quotient and remainder of all pairs of small numbers and of numbers at the ends of 32 bits.
TEST(AxisValue, QuotientAndRemainderMakeUpTheDividend) {
  const int64_t numbers[] = {kLeast, kLeast + 1, -7, -4, -1, 1, 2, 3, 4, 8, kGreatest};
  for (const int64_t a : numbers) {
    for (const int64_t b : numbers) {
      for (const auto& [divide, remainder] :
           {std::pair{AxisOp::kDivSI, AxisOp::kRemSI}, std::pair{AxisOp::kDivUI, AxisOp::kRemUI}}) {
        const AxisValue quotient = ApplyAxisOp(divide, 32, a, b);
        const AxisValue rest = ApplyAxisOp(remainder, 32, a, b);
        ASSERT_EQ(quotient.outcome, rest.outcome);
        if (quotient.outcome == AxisOutcome::kUndefined) continue;
        const AxisValue product = ApplyAxisOp(AxisOp::kMulI, 32, quotient.value, b);
        EXPECT_EQ(ApplyAxisOp(AxisOp::kAddI, 32, product.value, rest.value).value, a) << a << " " << b;
        const bool is_smaller = divide == AxisOp::kDivSI ? std::abs(rest.value) < std::abs(b)
                                                         : static_cast<uint32_t>(rest.value) < static_cast<uint32_t>(b);
        EXPECT_TRUE(is_smaller) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace layoutcheck
