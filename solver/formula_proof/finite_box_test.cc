// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/solver/formula_proof/bounded_question.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr int64_t kManyPoints = int64_t{1} << 20;

// Returns the bounds as "x in [0,7]", or "none".
std::string BoxText(const FormulaRequest& request, int64_t max_points = kManyPoints) {
  const auto question = MakeFormulaQuestion(request);
  if (!question) return question.error().ToString();
  const auto box = FiniteBoxOf(*question, max_points);
  if (!box) return "none";
  std::string text;
  for (size_t k = 0; k < box->least.size(); ++k) {
    text += (k == 0 ? "" : ", ") + question->variables[k].name + " in [" + std::to_string(box->least[k]) + "," +
            std::to_string(box->most[k]) + "]";
  }
  return text;
}

TEST(FiniteBox, BoundsAreThoseThatTheQuestionRequires) {
  const auto box = [](std::vector<std::string> assumptions) { return BoxText({"", "x", "x", std::move(assumptions)}); };
  EXPECT_EQ(box({"x < 8"}), "x in [0,7]");
  EXPECT_EQ(box({"8 > x"}), "x in [0,7]");
  EXPECT_EQ(box({"x <= 8"}), "x in [0,8]");
  EXPECT_EQ(box({"8 >= x && 3 < x"}), "x in [4,8]");
  EXPECT_EQ(box({"x >= 3", "x < 1 << 4"}), "x in [3,15]");
  EXPECT_EQ(box({"x == 5"}), "x in [5,5]");
  EXPECT_EQ(box({"x < 5 && x > 7"}), "x in [8,4]");
  // These do not bound x from above.
  for (const char* assumption : {"x < 8 || x > 9", "!(x < 8)", "x > 8", "x != 8", "x + 1 < 8", "x < x", "x < 1 / 0",
                                 "(x < 8) + 1", "x > 3 ? x < 8 : 1"}) {
    EXPECT_EQ(box({assumption}), "none") << assumption;
  }
  for (const char* assumption : {"x < [y, 5][0]", "let z = y in x < z + 1", "x < (let z = y in z + 1)"}) {
    EXPECT_EQ(BoxText({"", "x + 0 * y", "x", {"y < 3", assumption}}), "none") << assumption;
  }
  EXPECT_EQ(BoxText({"s8[8,N]{1,0}", "i0", {}, {"N < 5"}}), "N in [1,4], i0 in [0,7], i1 in [0,3]");
  EXPECT_EQ(BoxText({"s8[8,N]{1,0}", "i0", {}, {"i1 < 5"}}), "none");
}

TEST(FiniteBox, HasAtMostTheGivenPoints) {
  const FormulaRequest request = {"s8[8,16]{1,0}", "i0", {}, {}};
  EXPECT_EQ(BoxText(request, 128), "i0 in [0,7], i1 in [0,15]");
  EXPECT_EQ(BoxText(request, 127), "none");
  EXPECT_EQ(BoxText({"", "x", "x", {"x < 9223372036854775807"}}), "none");
}

std::string VerdictOf(const FormulaRequest& request) {
  const Expected<ProofResult> result = ProveFormula(request);
  if (!result) return result.error().ToString();
  return std::string(ProofVerdictName(result->verdict)) + " " + result->method;
}

// Spreads the bits of an index of 8 bits by multiplication and shifts, and by a sum.
TEST(FiniteBox, MortonCodesAreDecided) {
  const std::string spread =
      "((((x | x << 4) & 0x0f0f | ((x | x << 4) & 0x0f0f) << 2) & 0x3333) |"
      "(((x | x << 4) & 0x0f0f | ((x | x << 4) & 0x0f0f) << 2) & 0x3333) << 1) & 0x5555";
  std::string bits;
  for (int k = 0; k < 8; ++k) {
    bits += (k == 0 ? "" : " + ") + ("(x >> " + std::to_string(k)) + " & 1) * " + std::to_string(1 << (2 * k));
  }
  EXPECT_EQ(VerdictOf({"", spread, bits, {"x < 256"}}), "proved enumeration");
  EXPECT_EQ(VerdictOf({"", spread, bits, {"x < 257"}}), "refuted witness");
  std::string wrong = spread;
  wrong.replace(wrong.rfind("0x5555"), 6, "0x5557");
  EXPECT_EQ(VerdictOf({"", wrong, bits, {"x < 256"}}), "refuted witness");
}

TEST(FiniteBox, ReversedBitsAreDecided) {
  const std::string reversed =
      "(x & 1) << 7 | (x & 2) << 5 | (x & 4) << 3 | (x & 8) << 1 | (x & 16) >> 1 | (x & 32) >> 3 | (x & 64) >> 5 | "
      "(x & 128) >> 7";
  const std::string by_multiplication = "(x * 0x0202020202 & 0x010884422010) % 1023";
  EXPECT_EQ(VerdictOf({"", reversed, by_multiplication, {"x < 256"}}).substr(0, 7), "proved ");
  EXPECT_EQ(VerdictOf({"", reversed, "(x * 0x0202020202 & 0x010884422018) % 1023", {"x < 256"}}), "refuted witness");
}

// The point at which the formulas differ is one of a million, where no search looks.
TEST(FiniteBox, NeedleIsFound) {
  const FormulaRequest needle = {
      "s8[1024,1024]{1,0}", "i0 * 1024 + (i1 ^ (i0 * 1103 + i1 * 911) % 1048573 / 1048572)", {}, {}};
  EXPECT_EQ(VerdictOf(needle).substr(0, 7), "refuted");
}

// A value that 128 bits do not hold is not known, so neither is the verdict.
TEST(FiniteBox, ValueThatIsNotKnownProvesNothing) {
  const std::string power = "x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x";
  const auto question = MakeFormulaQuestion({"", power, power, {"x < 100"}});
  ASSERT_TRUE(question.has_value());
  EqualityGoal goal(*question);
  const BoxResult result = DecideBox(goal, *FiniteBoxOf(*question, kManyPoints));
  EXPECT_FALSE(result.holds);
  EXPECT_FALSE(result.found);
  const auto assumed = MakeFormulaQuestion({"", "x", "x", {"x < 100", power + " > 5"}});
  ASSERT_TRUE(assumed.has_value());
  EqualityGoal under_assumption(*assumed);
  EXPECT_FALSE(DecideBox(under_assumption, *FiniteBoxOf(*assumed, kManyPoints)).holds);
}

TEST(FiniteBox, NoPointIsAnError) {
  EXPECT_EQ(VerdictOf({"", "(x ^ x >> 1) * 0", "1", {"x < 64", "(x ^ x >> 1) == 100"}}),
            "the assumptions contradict each other or leave no element: there is nothing to prove");
}

}  // namespace
}  // namespace layoutcheck
