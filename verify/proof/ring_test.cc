// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/ring.h"
#include <gtest/gtest.h>
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {
namespace {

// Reads a polynomial whose names are variables of the statement.
Polynomial Read(Statement& statement, std::string_view text) {
  auto polynomial = PolynomialReader(statement).Take(text);
  EXPECT_TRUE(polynomial && text.empty()) << (polynomial ? std::string(text) : polynomial.error());
  return polynomial.value_or(Polynomial());
}

class RingTest : public testing::Test {
 protected:
  RingTest() {
    for (const char* name : {"x", "y", "M"}) statement_.NewVariable(name);
  }
  Ring& ring() { return statement_.ring(); }
  Polynomial P(std::string_view text) { return Read(statement_, text); }
  std::string Text(Polynomial p) { return ring().ToText(p); }

  Statement statement_;
};

TEST_F(RingTest, SumsAndProductsHaveOneNormalForm) {
  EXPECT_TRUE(ring().Equal(ring().Product(P("x + y"), P("x - y")), P("x*x - y*y")));
  EXPECT_TRUE(ring().Equal(ring().Difference(P("x*y*M"), P("M*y*x")), P("0")));
  EXPECT_EQ(Text(P("-3*M*x + 7 - 0*x + 1")), "8 - 3*x*M");
  EXPECT_EQ(ring().ConstantValue(P("2 + x - x - 5")), -3);
  EXPECT_EQ(ring().ConstantValue(P("x")), std::nullopt);
}

TEST_F(RingTest, QuotientsOfConstantsAreComputedAndOthersAreAtoms) {
  EXPECT_EQ(ring().ConstantValue(ring().FloorDiv(P("-7"), P("2"))), -4);
  EXPECT_EQ(ring().ConstantValue(ring().Mod(P("-7"), P("2"))), 1);
  EXPECT_EQ(ring().ConstantValue(ring().CeilDiv(P("9"), P("8"))), 2);
  EXPECT_FALSE(ring().ConstantValue(ring().FloorDiv(P("7"), P("0"))));
  EXPECT_FALSE(ring().ConstantValue(ring().Mod(P("7"), P("-2"))));
  EXPECT_FALSE(ring().ConstantValue(ring().Mod(P("x"), P("1"))));
  const Polynomial quotient = ring().FloorDiv(P("x + y"), P("M"));
  EXPECT_TRUE(ring().Equal(quotient, ring().FloorDiv(P("y + x"), P("M"))));
  EXPECT_FALSE(ring().Equal(quotient, ring().Mod(P("y + x"), P("M"))));
  EXPECT_EQ(Text(quotient), "((x + y) floordiv M)");
}

TEST_F(RingTest, NumbersPast128BitsAreAFault) {
  const Polynomial large = P("170141183460469231731687303715884105727");
  EXPECT_EQ(ring().fault(), "");
  ring().Sum(large, P("1"));
  EXPECT_EQ(ring().fault(), "a number does not fit 128 bits");
}

TEST_F(RingTest, LongProductsAreAFault) {
  Polynomial sum = P("1");
  for (int k = 0; k < 300; ++k) sum = ring().Sum(sum, statement_.NewVariable("v"));
  EXPECT_EQ(ring().fault(), "");
  ring().Product(sum, sum);
  EXPECT_EQ(ring().fault(), "a product of polynomials has more than 2^16 addends");
}

TEST_F(RingTest, VariablesOfOneNameAreDifferent) {
  const Polynomial again = statement_.NewVariable("x");
  EXPECT_FALSE(ring().Equal(again, P("x")));
  EXPECT_TRUE(ring().Equal(again, P("x!")));
}

TEST_F(RingTest, TextsOutsideOfTheGrammarAreRefused) {
  for (const char* text : {"", " x", "x +y", "x  + y", "2*", "z", "x**y", "*x", "--x",
                           "340282366920938463463374607431768211456", "x + ", "x*2"}) {
    std::string_view rest = text;
    const auto read = PolynomialReader(statement_).Take(rest);
    EXPECT_FALSE(read && rest.empty()) << text;
  }
}

}  // namespace
}  // namespace layoutcheck::verify
