// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formula_claim.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

Verdict Check(std::string_view body) {
  const auto verdicts = VerifyCertificates(StrCat("layoutcheck certificate 1\nlaw formula\n", body, "end\n"));
  if (!verdicts || verdicts->size() != 1) return {.reason = "not one certificate"};
  return verdicts->front();
}

void ExpectProved(std::string_view body) {
  const Verdict verdict = Check(body);
  EXPECT_TRUE(verdict.proved) << body << verdict.line << ": " << verdict.reason;
}

void ExpectRefused(std::string_view body, int64_t line, std::string_view reason) {
  const Verdict verdict = Check(body);
  EXPECT_FALSE(verdict.proved) << body;
  EXPECT_EQ(verdict.line, line) << body << verdict.reason;
  EXPECT_TRUE(verdict.reason.starts_with(reason)) << body << verdict.reason;
}

// max(a, b) = b if a <= b, and a if not.
constexpr const char* kMaximum = "formula max(a, b)\nequals a < b ? b : a\n";

TEST(FormulaClaim, BothSidesOfADecisionAreTaken) {
  const std::string claim = kMaximum;
  const std::string less = "path\nY\n+\ngoal 3\ngoal\n";
  const std::string equal = "path\nN\nY\ngoal 3 4 |\n";
  // Where b <= a and a <= b, a = b: goal b - a = 0 from two sides.
  ExpectProved(claim + less + "path\nN\nY\ngoal 4 | 3\npath\nN\nN\ngoal\n");
  ExpectRefused(claim + less + "path\nN\nY\ngoal 4 | 3\n", 14, "expected 'path', found 'end'");
  ExpectRefused(claim + less, 10, "expected 'path', found 'end'");
  ExpectRefused(claim + "path\nN\nN\ngoal\n", 6, "expected the path with Y before the one with N");
  ExpectRefused(claim + less + less, 11, "expected 'N' as on the path before, found 'Y'");
  ExpectRefused(claim + less + "path\nN\n-\ngoal 3\ngoal\npath\n", 13, "goal 1, -1 + a - b >= 0: the facts do not");
  ExpectRefused(claim + "path\n+\n+\ngoal 1\ngoal\n", 8, "goal 1, -1 - a + b >= 0: the facts do not show it");
  ExpectRefused(claim + "path\nx\n", 6, "expected '+', '-', 'Y' or 'N', for the condition a < b");
}

TEST(FormulaClaim, AValueThatDoesNotExistIsAContradiction) {
  ExpectProved(
      "formula a / b\nequals a / b\nassume b > 0\npath\nY\n+\n+\n+\n+\ngoal 3\ngoal 1\ngoal 3\ngoal "
      "1\ngoal\npath\nN\n");
  ExpectRefused("formula a / b\nequals a / b\npath\nY\n+\n+\n+\ngoal 1\ngoal 3\ngoal 1\ngoal\npath\nN\n-\ngoal 2\n", 18,
                "expected 'goal' and the facts for goal 2, -1 >= 0, found 'end'");
  ExpectRefused("formula 1 floordiv 0\nequals 0\npath\ngoal\n", 6, "goal 1, -1 >= 0: the facts do not show it");
  ExpectProved("formula a\nequals 1 floordiv 0\nassume a < 0\npath\nY\nfalse 1 2\npath\nN\n");
}

TEST(FormulaClaim, PathsOutsideOfTheAssumptionsShowNothing) {
  ExpectProved("formula a\nequals b\nassume a == b\npath\nY\npath\nN\nY\npath\nN\nN\ngoal 3 | 4\n");
  ExpectProved("formula a\nequals 2\nassume 1 floordiv 0 == 1\npath\n");
  ExpectRefused("formula a\nequals 2\nassume 1 floordiv 1 == 1\npath\n", 7, "expected 'goal' and the facts for goal 1");
}

TEST(FormulaClaim, CastsFitOrWrap) {
  ExpectProved("formula int8(a)\nequals a\nassume a < 128\npath\nY\nfit\ngoal 1\ngoal 2\ngoal\npath\nN\n");
  ExpectRefused("formula int8(a)\nequals a\nassume a < 129\npath\nY\nfit\ngoal 1\ngoal 2\n", 10,
                "goal 2, 127 - a >= 0: the facts do not show it");
  ExpectProved("formula uint8(a)\nequals a mod 256\npath\nwrap\ngoal\n");
  ExpectProved("formula int8(200)\nequals -56\npath\ngoal\n");
  ExpectRefused("formula uint8(a)\nequals a\npath\nwarp\ngoal\n", 6, "expected 'fit' or 'wrap' for a cast");
}

TEST(FormulaClaim, BitsOfMasksAndOfDisjointNumbers) {
  ExpectProved("formula a & 6\nequals ((a floordiv 2) mod 4) * 2\npath\ngoal\n");
  ExpectProved("formula a | -8\nequals -8 + a mod 8\npath\ngoal\n");
  ExpectProved("formula a ^ 5\nequals a + 5 - 2 * (a mod 2 + (a floordiv 4) mod 2 * 4)\npath\ngoal\n");
  // b < 8 and 8 * a share no bit.
  ExpectProved(
      "formula 8 * a | b\nequals 8 * a + b\nassume b < 8\npath\nY\ndisjoint left 3\nlemma K4 8*a ; a ; 0 ; "
      "8\nby\nby\nby\n"
      "lemma K1 8*a ; 8\nby\ngoal 2\ngoal 3\ngoal -8*4 -1*5\ngoal\npath\nN\n");
  ExpectRefused("formula a & b\nequals 0\npath\ndisjoint left 64\n", 6, "expected a number of bits from 0 to 63");
  ExpectRefused("formula a & b\nequals 0\npath\n+\n", 6, "expected 'mask' or 'disjoint' for bits");
  ExpectProved(
      "formula a & b\nequals a mod 4\nassume b == 3\npath\nY\npath\nN\nY\npath\nN\nN\nmask right\n= 3\ngoal 3 | "
      "4\ngoal\n");
}

TEST(FormulaClaim, NumbersAreSearchedAmongFew) {
  ExpectProved(
      "formula 1 << b\nequals b + 1\nassume b < 2\npath\nY\n+\n+\n# 1\nY\ngoal 1\ngoal 2\ngoal 1\ngoal 2\ngoal 3 | 1\n"
      "path\nY\n+\n+\n# 1\nN\ngoal 1\ngoal 2\ngoal 1\ngoal 2\ngoal 2 | 3\npath\nN\n");
  ExpectRefused("formula 1 << b\nequals 1\npath\n+\n+\n# 7\n", 8,
                "expected '= NUMBER' or '# BITS' with at most 6 bits");
  ExpectRefused("formula 1 << b\nequals 1\npath\n+\n+\n= 64\n", 8, "expected a shift by 0 to 63");
  ExpectRefused("formula 1 << b\nequals 1\npath\n+\n+\n= 99999999999999999999\n", 8,
                "99999999999999999999 does not fit");
}

TEST(FormulaClaim, SplitsAreDecisions) {
  const std::string claim = "formula a mod 2\nequals a mod 2\npath\n";
  const std::string atom = "atom !1 floordiv a ; 2\n";
  ExpectProved(StrCat(claim, atom, "split !1 - 5 Y\ngoal\npath\n", atom, "split !1 - 5 N\ngoal\n"));
  ExpectRefused(claim + "split a - 5 Y\ngoal\npath\nsplit a - 6 N\n", 9,
                "expected 'split a - 5 N' as on the path before, found 'split a - 6 N'");
  ExpectRefused(claim + "split a - 5 Y\ngoal\npath\ngoal\n", 9,
                "expected 'split a - 5 N' as on the path before, found 'goal'");
  ExpectRefused(claim + "split a - 5\ngoal\n", 6, "expected 'split', a polynomial, and 'Y' or 'N'");
}

TEST(FormulaClaim, NamesHaveTheirLeastValues) {
  // i0 < M makes M >= 1, and d0 is M.
  ExpectProved("over i0 < M\nformula max(M, 1)\nequals d0\npath\n+\nY\ngoal 3\ngoal 4 | 1\npath\n+\nN\ngoal 3\ngoal\n");
  EXPECT_EQ(Check("over i0 < M\nformula N\nequals N\npath\nY\ngoal\npath\nN\n").for_all,
            (std::vector<std::string>{"M", "N"}));
  ExpectRefused("layout f32[M]{0}\nformula K\npath\ngoal\n", 6, "the formula has the unknown name 'K'");
  ExpectRefused("formula let a = 1 in a\nequals a\n", 3, "expected another name after let, found 'a'");
  ExpectRefused("over M < i0\nformula 1\nequals 1\n", 3, "over: expected one bound per index");
  ExpectRefused("formula a, b\nequals 1\n", 3, "expected one formula, and no list of them");
  ExpectRefused("formula a\n", 3, "expected a formula, and a layout or another formula");
}

}  // namespace
}  // namespace layoutcheck::verify
