// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/terms/term.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(Term, ConstantsAreComputed) {
  const Term value = FloorDiv(Term(-7), Term(2)) * Term(3) + Mod(Term(-7), Term(2)) - CeilDiv(Term(7), Term(2));
  ASSERT_TRUE(value.IsConstant());
  EXPECT_EQ(static_cast<int64_t>(value.value().value), -4 * 3 + 1 - 4);
  EXPECT_FALSE(value.value().overflow);
}

TEST(Term, ConstantsPast128BitsOverflow) {
  Term value(int64_t{1} << 62);
  value = value * value * value;
  EXPECT_TRUE(value.value().overflow);
  EXPECT_TRUE((value - value).value().overflow);
  EXPECT_TRUE(FloorDiv(Term(1), Term(0)).value().overflow);
}

TEST(Term, EqualExpressionsAreOneNode) {
  TermContext context;
  const Term a = context.Variable("a");
  const Term b = context.Variable("b");
  EXPECT_EQ((a * b + Term(1)).node(), (a * b + Term(1)).node());
  EXPECT_NE((a * b).node(), (b * a).node());  // only equal expressions share a node
  EXPECT_EQ(context.Variable("a").node(), a.node());
}

TEST(WideInteger, Decimal) {
  EXPECT_EQ(ToDecimal(0), "0");
  EXPECT_EQ(ToDecimal(-12345), "-12345");
  EXPECT_EQ(ToDecimal(Int128{1} << 100), "1267650600228229401496703205376");
  EXPECT_EQ(ToDecimal(-(Int128{1} << 126) * 2), "-170141183460469231731687303715884105728");
}

}  // namespace
}  // namespace layoutcheck
