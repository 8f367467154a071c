// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of two with unknown exponents. What a path assumes of them is part of the statement that a proof is about and
// therefore trusted.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"

namespace layoutcheck {
namespace {

using Values = std::map<std::string, Int128>;

class PowersTest : public testing::Test {
 protected:
  Term Variable(const char* name) { return certificate_.terms().Variable(name); }

  Int128 ValueOf(const Term& term, const Values& values) const {
    return term.IsConstant() ? term.value().value : ValueOfNode(term.node(), values);
  }
  Int128 ValueOfNode(uint32_t number, const Values& values) const {
    const TermContext::Node& node = certificate_.terms().node(number);
    if (node.kind == TermKind::kConstant) return node.value.value;
    if (node.kind == TermKind::kVariable) return values.at(certificate_.terms().variable_name(node.a));
    const Int128 a = ValueOfNode(node.a, values);
    const Int128 b = ValueOfNode(node.b, values);
    return node.kind == TermKind::kAdd ? a + b : node.kind == TermKind::kSubtract ? a - b : a * b;
  }
  bool Holds(const TermRelation& relation, const Values& values) const {
    const Int128 left = ValueOf(relation.left, values);
    const Int128 right = ValueOf(relation.right, values);
    return relation.kind == TermRelation::Kind::kEqual  ? left == right
           : relation.kind == TermRelation::Kind::kLess ? left < right
                                                        : left <= right;
  }

  Certificate certificate_;
  FloorRewriter rewriter_{certificate_, 300'000, {}};
  PathDecisions decisions_{certificate_, rewriter_, {}};
  PowersOfTwo powers_{certificate_, rewriter_, decisions_};
};

// Asks for powers of random sums in a random order, and evaluates all that was assumed at each point of the domain.
TEST_F(PowersTest, WhatIsAssumedIsTrueOfPowers) {
  const Term a = Variable("a");
  const Term b = Variable("b");
  const Term c = Variable("c");
  for (const Term& name : {a, b, c}) decisions_.Assume(LessEqual(0, name));
  decisions_.Assume(LessEqual(a, b));
  decisions_.Assume(LessEqual(b, 9));
  decisions_.Assume(LessEqual(c, 5));
  decisions_.Assume(LessEqual(2, c));
  std::mt19937 random(20261126);
  std::vector<Term> exponents = {a,       a + 2,       b,     b - a, c,           c - 2, a + b, a + b + c,
                                 Term(7), Term(9) - b, b + 3, c + c, Term(5) - c, a * c, b * 2, Term(63) - a - b};
  std::ranges::shuffle(exponents, random);
  std::vector<std::pair<Term, Term>> found;
  for (const Term& exponent : exponents) found.emplace_back(exponent, powers_.Of(exponent));
  EXPECT_GE(powers_.exponents().size(), 4u);
  EXPECT_LT(powers_.exponents().size(), exponents.size());  // the others are products
  int points = 0;
  for (Values values = {{"a", 0}, {"b", 0}, {"c", 2}}; values["b"] <= 9; ++values["b"]) {
    for (values["a"] = 0; values["a"] <= values["b"]; ++values["a"]) {
      for (values["c"] = 2; values["c"] <= 5; ++values["c"], ++points) {
        Values all = values;
        for (const auto& [name, exponent] : powers_.exponents()) {
          all[name] = Int128{1} << static_cast<int>(ValueOf(exponent, values));
        }
        for (const TermRelation& hypothesis : certificate_.hypothesis_terms()) ASSERT_TRUE(Holds(hypothesis, all));
        for (const auto& [exponent, power] : found) {
          ASSERT_EQ(ValueOf(power, all), Int128{1} << static_cast<int>(ValueOf(exponent, values)));
        }
      }
    }
  }
  EXPECT_EQ(points, 220);
}

// Two amounts have too many values for a path per amount.
TEST(ShiftsByNames, AreFollowedWithoutAPathPerAmount) {
  const auto verdict = [](const char* formula, const char* equals) {
    const auto result = ProveFormula({"", formula, equals, {"a <= 20 && b <= 20 && c <= 20"}});
    EXPECT_TRUE(result.has_value()) << formula;
    return result ? ProofVerdictName(result->verdict) : "";
  };
  for (const auto& [formula, equals, wrong] : std::vector<std::array<const char*, 3>>{
           {"x >> a >> b", "x >> (a + b)", "x >> (a + b + 1)"},
           {"x >> a << a | x & (1 << a) - 1", "x", "x + (a == 7)"},
           {"(x << a | y & (1 << a) - 1) >> a", "x", "x << (a == 7)"},
           {"(x << a + b) + (y << b) + (z << b + c) >> b", "(x << a) + y + (z << c)", "(x << a) + y + (z << b)"},
           {"x * (1 << a) mod (1 << a + b)", "x mod (1 << b) << a", "x mod (1 << b) << b"},
       }) {
    EXPECT_STREQ(verdict(formula, equals), "proved") << formula;
    EXPECT_STREQ(verdict(formula, wrong), "refuted") << formula;
  }
}

}  // namespace
}  // namespace layoutcheck
