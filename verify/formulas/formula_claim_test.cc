// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/formula_claim.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

Verdict Check(std::string_view body, std::string_view law = "formula") {
  const auto verdicts = VerifyCertificates(StrCat("layoutcheck certificate 1\nlaw ", law, "\n", body, "end\n"));
  if (!verdicts || verdicts->size() != 1) return {.reason = "not one certificate"};
  return verdicts->front();
}

void ExpectProved(std::string_view body, std::string_view law = "formula") {
  const Verdict verdict = Check(body, law);
  EXPECT_TRUE(verdict.proved) << body << verdict.line << ": " << verdict.reason;
}

void ExpectRefused(std::string_view body, int64_t line, std::string_view reason, std::string_view law = "formula") {
  const Verdict verdict = Check(body, law);
  EXPECT_FALSE(verdict.proved) << body;
  EXPECT_EQ(verdict.line, line) << body << verdict.reason;
  EXPECT_TRUE(verdict.reason.starts_with(reason)) << body << verdict.reason;
}

// max(a, b) = b if a <= b, and a if not.
constexpr const char* kMaximum = "formula max(a, b)\nequals a < b ? b : a\n";

TEST(FormulaClaim, BothSidesOfADecisionAreTaken) {
  const std::string claim = kMaximum;
  const std::string less = "path\nY\n+\ngoal 3\ngoal\n";
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
  ExpectRefused("formula a & b\nequals 0\npath\n+\n", 6, "expected 'mask', 'disjoint' or 'common' for bits");
  ExpectProved(
      "formula a & b\nequals a mod 4\nassume b == 3\npath\nY\npath\nN\nY\npath\nN\nN\nmask right\n= 3\ngoal 3 | "
      "4\ngoal\n");
}

TEST(FormulaClaim, CommonBitsOfTwoUnknownsAreAnAtom) {
  ExpectProved("formula x & y\nequals y & x\npath\ncommon\ncommon\ngoal\n");
  ExpectProved("formula x ^ y\nequals (x | y) - (x & y)\npath\ncommon\ncommon\ncommon\ngoal\n");
  ExpectRefused("formula x & y\nequals x & z\npath\ncommon\ncommon\ngoal\n", 8, "goal 1, ");
  ExpectRefused("formula x | y\nequals x ^ y\npath\ncommon\ncommon\ngoal\n", 8, "goal 1, ");
  ExpectRefused("formula x & y\nequals x & y + 1\npath\ncommon\ncommon\ngoal\n", 8, "goal 1, ");
  ExpectRefused("formula x & 6\nequals 6 & x\npath\ncommon\ngoal\n", 6, "");
}

TEST(FormulaClaim, LemmasSayMoreOfCommonBits) {
  const std::string twice =
      "formula (x ^ y) ^ y\nequals x\npath\ncommon\ncommon\natom !1 and x ; y\nlemma B2 y ; y\nby\n";
  const std::string distribution = "lemma B5 x ; y ; y ; !1 ; x + y - 2*!1\nby\nby\n";
  const std::string rest = "lemma B3 x ; y ; y ; !1 ; y\nby\nby -1*3\n";
  ExpectProved(twice + distribution + rest + "goal -2*3 -2*4 4*5\n");
  ExpectRefused(twice + rest + "goal -2*3 4*4\n", 14, "goal 1, ");
  ExpectRefused(twice + "lemma B5 x ; y ; y ; !1 ; x + y - !1\nby\nby\n", 13, "premise 2 of B5");
  ExpectRefused(twice + "lemma B4 x ; y ; y ; !1 ; x + y - 2*!1\nby\nby\n", 13, "premise 2 of B4");
  ExpectRefused(twice + "lemma B3 x ; y ; x ; !1 ; y\nby\nby -1*3\n", 13, "premise 2 of B3");
  // x & (T - 1) = x mod T needs a power of two.
  const std::string mask = "formula x & 7\nequals x mod 8\npath\n";
  ExpectProved(mask + "lemma B7 x ; 8 ; 7\nby\nby\nby\ngoal\n");
  ExpectRefused(mask + "lemma B7 x ; 6 ; 5\nby\nby\nby\n", 9, "premise 3 of B7");
  ExpectRefused(mask + "lemma B7 x ; 8 ; 8\nby\nby\nby\n", 8, "premise 2 of B7");
  ExpectRefused(mask + "lemma B7 x ; 0 ; -1\nby\nby\nby\n", 7, "premise 1 of B7");
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

TEST(FormulaClaim, SmallDomainsAreEnumerated) {
  const std::string gray = "formula (x ^ x >> 1) & 3\nequals [0, 1, 3, 2][x]\n";
  const std::string by = "by enumeration\n";
  for (const std::string bound : {"x < 4", "x <= 3", "4 > x", "3 >= x", "x >= 0 && x + 1 < 4 + y && x < 2 * 2",
                                  "x == 3", "x < 9 && x < 4", "x < 9 && 9 % (x / 4) < 0"}) {
    const std::string y = bound.contains('y') ? "assume y < 2\n" : "";
    ExpectProved(StrCat(gray, "assume ", bound, "\n", y, by));
  }
  EXPECT_EQ(Check(gray + "assume x < 4\n" + by).steps, 4);
  EXPECT_EQ(Check("over i0 < N\nformula i0 ^ i0\nequals 0\nassume N < 4\n" + by).steps, 6);
  EXPECT_EQ(Check("layout f32[3,2]{0,1}\nformula i1 << 1\nassume i0 == 0\n" + by).reason,
            "the claim is wrong at i0=0 i1=1");
  // One point more, another value, or no bound.
  ExpectRefused(gray + "assume x < 5\n" + by, 6, "the claim is wrong at x=4");
  ExpectRefused(gray + "assume x <= 4\n" + by, 6, "the claim is wrong at x=4");
  ExpectRefused("formula (x ^ x >> 1) & 3\nequals [0, 1, 2, 3][x]\nassume x < 4\n" + by, 6,
                "the claim is wrong at x=2");
  for (const char* bound : {"x < 4 || x < 3", "!(x >= 4)", "x < y", "x > 3", "x != 3", "x * x < 16", "x % 5 < 4",
                            "let y = x in y < 4", "4 < x"}) {
    EXPECT_TRUE(Check(StrCat(gray, "assume ", bound, "\n", by)).reason.contains("expected a number that bounds 'x'"))
        << bound << Check(StrCat(gray, "assume ", bound, "\n", by)).reason;
  }
  ExpectRefused("formula x\nequals x\nassume x < 2000000\n" + by, 6, "expected at most 1048576 points");
  ExpectRefused(gray + "assume x < 4\n" + by + by, 7, "expected 'end'");
  std::string names = "formula 0\nequals 0\n";
  for (int k = 0; k <= 1000; ++k) names += StrCat("assume a", k, " < 1\n");
  EXPECT_EQ(Check(names + by).reason, "expected at most 1000 names");
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
  ExpectRefused("formula a\nequals a\nassume a < 3, 1\n", 3, "expected one formula, and no list of them");
  ExpectRefused("formula a\n", 3, "expected a formula, and a layout or another formula");
}

TEST(FormulaClaim, InjectiveIsAboutTwoPoints) {
  ExpectProved("over i0 < M\nformula i0 + N\npath\n+\n+\ngoal 5\ngoal 6\ngoal 7\n", "injective");
  const std::string domain = "path\n+\n+\n+\n+\ngoal 6\ngoal 7\ngoal 8\ngoal 9\n";
  ExpectProved(StrCat("over i0 < M, i1 < M\nformula (i0 + i1, i1)\n", domain, "goal 10 -1*11\ngoal 11\n"), "injective");
  // Each index counts, also one that the formula does not have.
  ExpectRefused(StrCat("over i0 < M, i1 < M\nformula i0\n", domain, "goal 10\n"), 15,
                "expected 'goal' and the facts for goal 2, i1 - j1 = 0", "injective");
  ExpectRefused(StrCat("over i0 < M, i1 < M\nformula i0, i0\n", domain, "goal 10\ngoal 11\n"), 15,
                "goal 2, i1 - j1 = 0: the facts do not show it", "injective");
  // Names that are no indices are the same at both points, also j0.
  ExpectProved("over i0 < M\nformula i0 + j0\npath\n+\n+\ngoal 5\ngoal 6\ngoal 7\n", "injective");
  // A value that one of the points does not have is none to compare.
  const std::string layout = "layout s8[M]{0}\n";
  ExpectRefused(layout + "formula i0 floordiv i0\npath\nY\nY\ngoal 8\n", 8, "goal 1, i0 - j0 = 0: the facts do not",
                "injective");
  ExpectRefused(layout + "formula 1 floordiv 0\npath\ngoal 4\n", 6, "goal 1, -1 >= 0: the facts do not", "injective");
}

// i0 < 5 ? i0 : i0 - 7 is 0 at 0 and at 7. Where i0 < 5 and 5 <= j0, wrong outcomes make the values i0 - 7 and j0 - 7,
// and from i0 = j0 anything follows, also those outcomes.
TEST(FormulaClaim, EqualValuesAreNoReasonForOutcomes) {
  const std::string claim = "over i0 < 10\nformula i0 < 5 ? i0 : i0 - 7\nassume i0 < 5 || 1 == 1\n";
  const auto path = [](std::string_view decisions, std::string_view values, std::string_view goals) {
    return StrCat("path\n", decisions.substr(0, 1), "\n+\n", decisions.substr(1), "\n+\n", values.substr(0, 1), "\n",
                  values.substr(1), "\n", goals);
  };
  ExpectRefused("over i0 < 10\nformula i0 < 5 ? i0 + 100 : 0\npath\n+\n+\n+\n-\nfalse 1 -1*5\n", 10,
                "a contradiction: expected one of the facts 1 to 4 at '-1*5'", "injective");
  const std::string same = "goal 3\ngoal 4\ngoal 5\ngoal 6\ngoal 7\n";
  const std::string domain = "goal 3\ngoal 4\n";
  ExpectRefused(StrCat(claim, path("YY", "++", same), path("YN", "--", "false 5 6 7\n")), 25,
                "a contradiction: expected one of the facts 1 to 6 at '7'", "injective");
  ExpectRefused(StrCat(claim, path("YY", "++", same), path("YN", "--", domain + "goal 6 7\n")), 27,
                "goal 3, -5 + i0 >= 0: expected one of the facts 1 to 6 at '7'", "injective");
  ExpectRefused(StrCat(claim, path("YY", "++", same), path("YN", "+-", domain + "goal 5\ngoal 6\ngoal 7\n")), 29,
                "goal 1, i0 - j0 = 0: the facts do not", "injective");
}

TEST(FormulaClaim, BoundsAreOfAllIndicesOrOfNone) {
  ExpectRefused("layout 0:_3\nformula i0 + i1\nby enumeration\n", 3, "over: expected a bound of i1, too");
  ExpectRefused("over i0 < 0\nformula i0 + i1\nequals 0\nby enumeration\n", 3, "over: expected a bound of i1, too");
}

TEST(FormulaClaim, AssumptionsHoldAtBothPoints) {
  const std::string claim = "layout s8[M]{0}\nformula i0 < 3 ? i0 : 0\nassume i0 < 3\n";
  const std::string both = "path\nY\nY\n+\n+\ngoal 6\ngoal 7\ngoal 8\n";
  ExpectProved(claim + both + "path\nY\nN\npath\nN\n", "injective");
  ExpectRefused(claim + both + "path\nN\n", 15, "expected 'Y' as on the path before, found 'N'", "injective");
  ExpectRefused(claim + "path\nY\n+\n+\n+\ngoal 5\n", 11, "goal 1, 2 - j0 >= 0: the facts do not", "injective");
}

TEST(FormulaClaim, InBoundsHasTwoGoals) {
  const std::string claim = "layout s8[M]{0}\nformula i0\nbelow ";
  ExpectProved(claim + "M\npath\ngoal 3\ngoal 2\n", "in-bounds");
  ExpectRefused(claim + "M\npath\ngoal 3\n", 8, "expected 'goal' and the facts for goal 2, i0 >= 0", "in-bounds");
  ExpectRefused(claim + "M - 1\npath\ngoal 3\ngoal 2\n", 7, "goal 1, -2 + M - i0 >= 0: the facts do not", "in-bounds");
  ExpectProved("layout s8[M]{0}\nformula i0 - 1\nbelow M\nassume i0 > 0\npath\nY\ngoal 3\ngoal 4\npath\nN\n",
               "in-bounds");
  ExpectRefused("layout s8[M]{0}\nformula i0 - 1\nbelow M\npath\ngoal 3\ngoal 2\n", 8,
                "goal 2, -1 + i0 >= 0: the facts do not", "in-bounds");
  ExpectRefused(claim + "1 floordiv 0\npath\ngoal 3\ngoal 2\n", 7, "goal 1, -1 >= 0: the facts do not", "in-bounds");
}

TEST(FormulaClaim, EachLawHasItsParts) {
  const std::string formula = "layout s8[M]{0}\nformula i0\n";
  const std::string goals = "path\ngoal 3\ngoal 2\n";
  ExpectRefused(formula + "equals M\n" + goals, 3, "expected below, and no equals", "in-bounds");
  ExpectRefused(formula + "equals M\nbelow M\n" + goals, 3, "expected below, and no equals", "in-bounds");
  ExpectRefused(formula + goals, 3, "expected below, and no equals", "in-bounds");
  ExpectRefused(formula + "below M\n" + goals, 3, "expected no below beside the law formula");
  ExpectRefused(formula + "below M\n" + goals, 3, "expected neither equals nor below", "injective");
  ExpectRefused("formula N\npath\ngoal 1\n", 3, "expected a layout or over", "injective");
  ExpectRefused("layout s8[M]{0}\nformula i0, i0\nbelow M\n" + goals, 3, "expected one formula", "in-bounds");
  ExpectRefused("layout s8[M]{0}\nformula i0\nbelow (M, M)\n" + goals, 3, "expected one formula", "in-bounds");
  ExpectRefused(formula + goals, 2, "expected a law and a layout, or a law of formulas and a formula", "inverse");
}

// A claim about i0 < 3, whose first goal is that this holds: goal 2.
std::string Fits(std::string_view formula, std::string_view integer, std::string_view goals = "") {
  return StrCat("over i0 < 3\nformula ", formula, "\ninteger ", integer, "\npath\n+\ngoal 2\n", goals);
}

TEST(FormulaClaim, EachPartFitsTheInteger) {
  const std::string index = "goal 1\ngoal 2\n";
  ExpectProved(Fits("i0 + 2147483645", "int32", index + index), "no-overflow");
  ExpectRefused(Fits("i0 + 2147483646", "int32", index + index), 12, "goal 5, 1 - i0 >= 0: the facts do not",
                "no-overflow");
  ExpectProved(Fits("i0 + 2147483646", "int64", index + index), "no-overflow");
  ExpectProved(Fits("i0 + 4294967293", "uint32", index + index), "no-overflow");
  ExpectRefused(Fits("i0 + 4294967294", "uint32:c++20", index + index), 12, "goal 5, 1 - i0 >= 0", "no-overflow");
  const std::string negative = "goal 2\ngoal 1\n";
  ExpectProved(Fits("-i0 - 2147483646", "int32:c++20", index + negative + negative), "no-overflow");
  ExpectRefused(Fits("-i0 - 2147483647", "int32", index + negative + negative), 13, "goal 6, 1 - i0 >= 0",
                "no-overflow");
  ExpectRefused(Fits("i0 - 1", "uint32", index + index), 11, "goal 4, -1 + i0 >= 0", "no-overflow");
  // A part between others, although the value fits.
  ExpectRefused(Fits("i0 + 2147483646 - 2147483646", "int32", index + index + index), 12, "goal 5, ", "no-overflow");
  ExpectRefused(Fits("i0 + 2", "int32", index), 11, "expected 'goal' and the facts for goal 4", "no-overflow");
  // Operands of a comparison are parts. The value that ?: does not choose is none.
  const auto choice = [&](std::string_view formula) {
    return StrCat("over i0 < 3\nformula ", formula, "\ninteger uint32\npath\n+\n+\ngoal 2\ngoal 2\n", index);
  };
  ExpectProved(choice("i0 < 3 ? 1 : 4294967296"), "no-overflow");
  ExpectRefused(choice("i0 < 4294967296 ? 1 : 0"), 13, "expected 'goal' and the facts for goal 5, -1 >= 0",
                "no-overflow");
}

TEST(FormulaClaim, OperationsAreDefinedInTheirLanguage) {
  struct Operation {
    const char* formula;
    const char* integer;
    bool is_defined;
  };
  constexpr Operation kOperations[] = {
      {"0 >> 31", "int32", true},
      {"0 >> 32", "int32", false},
      {"0 >> 32", "uint32:c++20", false},
      {"0 << 32", "int32:c++20", false},
      {"0 >> 63", "int64", true},
      {"-1 << 0", "int32", false},
      {"-1 << 0", "int64", false},
      {"-1 << 0", "int32:c++20", true},
      {"-1 << 0", "int64:c++20", true},
      {"-1 << 31", "int32:c++20", true},
      {"-1 << 32", "int64:c++20", true},
      {"1 << 31", "int32:c++20", false},
      {"1 << 31", "uint32", true},
      {"-1 >> 1", "int32", true},
      {"(-2147483647 - 1) % -1", "int32", false},
      {"(-2147483647 - 1) % -1", "int32:c++20", false},
      {"(-2147483647 - 1) % -1", "int64", true},
      {"(-2147483647 - 1) % -2", "int32", true},
      {"(-2147483647 - 1) % 1", "int32", true},
      {"-2147483647 % -1", "int32", true},
      {"(-2147483647 - 1) / -1", "int32", false},
      {"(-2147483647 - 1) / -1", "int64", true},
      {"5 % -1", "uint32", false},
      {"1 floordiv 0", "int32", false},
      // In a & ~b, an unsigned ~b has the same bits; anywhere else it has another value.
      {"5 & ~1", "uint32", true},
      {"~1 & 5", "uint32:c++20", true},
      {"5 & ~1 & ~2", "uint32", true},
      {"5 & (~1 & ~2)", "uint32", false},
      {"5 & ~-1", "uint32", false},
      {"5 & ~4294967296", "uint32", false},
      {"5 & -2", "uint32", false},
      {"5 | ~1", "uint32", false},
      {"~1 + 3", "uint32", false},
      {"let y = ~1 in 5 & y", "uint32", false},
      {"5 & (0 ? 1 : ~1)", "uint32", false},
      {"5 & (let y = 1 in ~y)", "uint32", false},
      {"5 & -2", "int32", true},
      {"5 | ~1", "int32", true},
      {"[4294967296, 1][1]", "uint32", false},
      {"int8(255)", "uint32", false},
      {"int8(255)", "int32", true},
      {"min(1, 4294967296)", "uint32", false},
      {"0 && 4294967296", "uint32", true},
      {"1 && 4294967296", "uint32", false},
  };
  for (const Operation& operation : kOperations) {
    const Verdict verdict = Check(Fits(operation.formula, operation.integer), "no-overflow");
    EXPECT_EQ(verdict.proved, operation.is_defined) << operation.formula << " " << operation.integer << verdict.reason;
    const bool is_known_reason = verdict.reason.empty() || verdict.reason.contains("goal 2, -");
    EXPECT_TRUE(is_known_reason) << operation.formula << " " << operation.integer << verdict.reason;
  }
}

TEST(FormulaClaim, TheBytesOfALayoutFitTheInteger) {
  const auto claim = [](std::string_view layout, std::string_view formula, std::string_view goals) {
    return StrCat("layout ", layout, "\n", formula, "\ninteger int32\npath\n", goals);
  };
  const std::string byte = "goal 2\ngoal 3 1/8*4\n";
  ExpectProved(claim("s8[M]{0}", "formula i0", byte), "no-overflow");
  ExpectProved(claim("s8[M]{0}", "formula i0 + 1", byte + byte), "no-overflow");
  ExpectRefused(claim("s8[M]{0}", "formula i0 + 2", byte + byte), 10, "goal 4, 2147483645 - i0 >= 0", "no-overflow");
  ExpectRefused(claim("s4[M]{0:E(4)}", "formula i0", "goal 2\ngoal 3 1/4*4\n"), 8, "goal 2, ", "no-overflow");
  for (const char* layout : {"s4[M]{0}", "pred[M]{0}", "s4[M]{0:E(0)}", "c64[M]{0:E(8)}"}) {
    ExpectProved(claim(layout, "formula i0", byte), "no-overflow");
    ExpectRefused(claim(layout, "formula i0 + 2", byte + byte), 10, "goal 4, ", "no-overflow");
  }
  ExpectProved(claim("c64[M]{0}", "formula i0 * 8", "goal 2\ngoal 3 1/64*4\ngoal 8*2\ngoal 8*3 1/8*4\n"),
               "no-overflow");
  ExpectRefused(claim("s8[M]{0:E(8)E(8)}", "formula i0", byte), 3, "layout: ", "no-overflow");
  // The layout's own formula is its index.
  ExpectProved(claim("s8[M]{0}", "own i0", byte + "goal\n"), "no-overflow");
  ExpectRefused(claim("s8[M]{0}", "own i0", byte), 9, "expected 'goal' and the facts for goal 3, 0 = 0", "no-overflow");
  ExpectRefused(claim("s8[M]{0}", "own 0", "goal\n"), 7, "goal 1, -i0 = 0", "no-overflow");
  EXPECT_EQ(Check(claim("s8[M]{0}", "own i0", byte + "goal\n"), "no-overflow").integer, "int32");
}

TEST(FormulaClaim, AnIntegerIsNamedForNoOverflowAlone) {
  const std::string expected = "expected the integer int32, uint32 or int64";
  for (const char* integer : {"int16", "uint64", "int32:c", "int32:", ":c++20", "int32:c++20:c++20", "int32 "}) {
    ExpectRefused(Fits("0", integer), 3, expected, "no-overflow");
  }
  ExpectRefused("over i0 < 3\nformula 0\npath\n+\ngoal 2\n", 3, expected, "no-overflow");
  ExpectRefused("over i0 < 3\nformula 0\nequals 0\ninteger int32\npath\n+\ngoal 2\n", 3,
                "expected a layout or over, and one formula", "no-overflow");
  ExpectRefused("formula 0\ninteger int32\npath\n", 3, "expected a layout or over", "no-overflow");
  ExpectRefused("over i0 < 3\nown 0\ninteger int32\npath\n+\ngoal 2\n", 3, "expected a layout or over", "no-overflow");
  ExpectRefused("over i0 < 3\nformula 0, 0\ninteger int32\npath\n+\ngoal 2\n", 3, "expected one formula",
                "no-overflow");
  ExpectRefused("over i0 < 3\nformula 0\ninteger int32\nby enumeration\n", 6, "expected 'path'", "no-overflow");
  ExpectRefused("formula 0\nequals 0\ninteger int32\npath\ngoal\n", 3, "expected a formula, and no integer");
  ExpectRefused("layout s8[M]{0}\nown i0\npath\ngoal\n", 3, "expected a formula, and no integer");
  ExpectRefused("layout s8[M]{0}\ninteger int32\nsequent every index\ngoal 3\ngoal 2\n", 3, "expected a formula",
                "in-bounds");
}

}  // namespace
}  // namespace layoutcheck::verify
