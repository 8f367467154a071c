// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

ProofResult ProveRequest(const FormulaRequest& request) {
  const Expected<ProofResult> result = ProveFormula(request);
  EXPECT_TRUE(result.has_value()) << request.formula << ": " << (result ? "" : result.error().ToString());
  return result ? *result : ProofResult{};
}

// The formula printed for a layout is its index and does not overflow if the array's bytes fit.
TEST(ProveFormula, ALayoutsOwnFormulaIsRight) {
  double seconds = 0;
  for (const char* text : {"f32[M,N]{1,0:T(8,128)}", "bf16[A,M,N]{2,1,0:T(8,128)(2,1)}", "f32[M,N]{0,1:T(P,Q)}",
                           "s8[M,N]{1,0:T(8,128)(4,1)}", "bf16[N]{0:T(1024)(128)(2,1)}", "f32[A,B,C]{2,1,0:T(2,*,4)}",
                           "f32[8,N]{1,0:T(2,2)(2,2,2,2,2)}", "f32[M,N]{1,0}"}) {
    const Expected<SymbolicLayout> layout = ParseSymbolicLayout(text);
    ASSERT_TRUE(layout.has_value()) << text;
    const std::string formula = LayoutFormula(*layout);
    const ProofResult right = ProveRequest({text, formula, {}, {}});
    EXPECT_EQ(right.verdict, ProofVerdict::kProved) << text << ": " << formula << ": " << right.reason;
    seconds += right.seconds;
#ifdef LAYOUTCHECK_SANITIZED
    if (layout->layout.dimensions.size() > 1) continue;
#endif
    for (const char* name : {"int32", "int64"}) {
      const Expected<ProofResult> fits = ProveNoOverflow({text, "", {}, {}}, *MachineIntegerOf(name));
      ASSERT_TRUE(fits.has_value()) << text;
      EXPECT_EQ(fits->verdict, ProofVerdict::kProved)
          << text << ": " << formula << ": " << name << ": " << fits->reason << " " << fits->subexpression;
      seconds += fits->seconds;
    }
  }
  // With two elements per byte an array may have more elements than int32 can count.
  const Expected<ProofResult> packed =
      ProveNoOverflow({"s4[M,N]{1,0:T(64,128)(8,1)E(4)}", "", {}, {}}, *MachineIntegerOf("int32"));
  ASSERT_TRUE(packed.has_value());
  EXPECT_EQ(packed->verdict, ProofVerdict::kRefuted);
  std::printf("%.2f s\n", seconds);
}

// With names for tile sizes, too, every part of a layout's formula is at most a product of sizes in the padded array.
TEST(ProveFormula, ALayoutsOwnFormulaFitsForTilesWithNames) {
#ifdef LAYOUTCHECK_SANITIZED
  GTEST_SKIP() << "takes long with sanitizers";
#endif
  const auto prove = [](const char* layout, const std::string& more, const char* integer) {
    const std::string formula = LayoutFormula(*ParseSymbolicLayout(layout)) + more;
    const Expected<ProofResult> result = ProveNoOverflow({layout, formula, {}, {}}, *MachineIntegerOf(integer));
    EXPECT_TRUE(result.has_value()) << layout;
    if (!result) return ProofVerdict::kUnknown;
    std::printf("%-40s %-6s%-8s %s %.2f s %s\n", layout, integer, more.c_str(), ProofVerdictName(result->verdict),
                result->seconds, result->reason.c_str());
    return result->verdict;
  };
  const char* const rank5 = "f32[A,B,C,D,E]{4,3,2,1,0:T(P,Q)}";
  for (const char* integer : {"int32", "int64"}) {
    EXPECT_EQ(prove("f32[M,N]{1,0:T(P,Q)}", "", integer), ProofVerdict::kProved) << integer;
  }
  // At rank 5 it is not shown yet. A tile fits; as many of them as it has rows need not.
  EXPECT_NE(prove(rank5, "", "int32"), ProofVerdict::kRefuted);
  EXPECT_EQ(prove(rank5, " + (P * P * Q - P * P * Q)", "int32"), ProofVerdict::kRefuted);
  // Two elements share a byte, so an array that fits has more elements than int32 can count.
  EXPECT_EQ(prove("s4[A,B,C,D,E]{4,3,2,1,0:T(P,Q)E(4)}", "", "int32"), ProofVerdict::kRefuted);
}

TEST(ProveFormula, AssumptionsThatLeaveNothingAreAnError) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{{"f32[M]{0}", "i0", {}, {"M < 0"}},
                                                                   {"f32[M]{0}", "i0 + 1", {}, {"M == 0"}},
                                                                   {"f32[M]{0}", "i0", {}, {"M > 7", "M % 8 == M + 1"}},
                                                                   {"f32[M]{0}", "i0", {}, {"M / 0 == 1"}},
                                                                   {"f32[0,M]{1,0}", "i0", {}, {}},
                                                                   {"", "a", "a", {"0"}}}) {
    const Expected<ProofResult> result = ProveFormula(request);
    ASSERT_FALSE(result.has_value()) << request.formula << ": " << ProofVerdictName(result->verdict);
    EXPECT_EQ(result.error().kind, ErrorKind::kInvalidArgument);
  }
}

// The search finds one of the few large points that the assumptions allow, so the claim is not vacuous.
TEST(ProveFormula, AssumptionsThatLeaveLittleAreNotVacuous) {
  EXPECT_EQ(ProveRequest({"f32[M]{0}", "i0", {}, {"M * M == 152411787558627529"}}).verdict, ProofVerdict::kProved);
  const ProofResult result = ProveRequest({"f32[M]{0}", "i0 + (M == 390406290)", {}, {"M * M == 152417071271564100"}});
  EXPECT_EQ(result.verdict, ProofVerdict::kRefuted) << result.reason;
}

ProofVerdict OverflowVerdict(const FormulaRequest& request, const char* integer) {
  const Expected<ProofResult> result = ProveNoOverflow(request, *MachineIntegerOf(integer));
  EXPECT_TRUE(result.has_value()) << request.formula << ": " << (result ? "" : result.error().ToString());
  return result ? result->verdict : ProofVerdict::kUnknown;
}

// A cast may wrap, but every part must fit the one type in which C computes, so a cast to a type that fits never
// overflows. In a & ~b of an unsigned type the complement is no part of its own.
TEST(ProveFormula, CastsAndComplementsOverflowOnlyWhereTheTypeLacksTheirValue) {
  const std::string layout = "s8[M,N]{1,0}";
  for (const auto& [formula, integer] :
       std::vector<std::pair<std::string, const char*>>{{"int16(i0 * N + i1)", "int32"},
                                                        {"uint16(i0 - M)", "int32"},
                                                        {"int8(i0 * N) + [i0, i1][i0 % 2]", "int64"},
                                                        {"uint32(i0 * N + i1)", "uint32"},
                                                        {"(i0 & ~127) + (~7 & i1 % 8)", "uint32"},
                                                        {"~i0 + ~i1", "int32"},
                                                        {"let x = i0 * N in x + i1", "uint32"}}) {
    EXPECT_EQ(OverflowVerdict({layout, formula, {}, {}}, integer), ProofVerdict::kProved) << formula;
  }
  for (const auto& [formula, integer] :
       std::vector<std::pair<std::string, const char*>>{{"int16(2 * i0 * N)", "int32"},
                                                        {"uint32(i0 - M)", "int32"},
                                                        {"int8(i0 - M)", "uint32"},
                                                        {"~i0", "uint32"},
                                                        {"~i0 & ~i1", "uint32"},
                                                        {"i0 | ~127", "uint32"},
                                                        {"[0, 2 * i0 * N][0]", "int32"},
                                                        {"let x = 2 * i0 * N in x & 1", "uint32"}}) {
    EXPECT_EQ(OverflowVerdict({layout, formula, {}, {}}, integer), ProofVerdict::kRefuted) << formula;
  }
}

TEST(ProveFormula, ALetHidesNoName) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{{"f32[M]{0}", "let M = 1 in M * i0", {}, {}},
                                                                   {"f32[M]{0}", "let i1 = 1 in i1 * i0", {}, {}},
                                                                   {"f32[M]{0}", "i0", {}, {"let d0 = 1 in d0"}},
                                                                   {"", "let K = 3 in K + i0", "K + i0", {}}}) {
    const Expected<ProofResult> result = ProveFormula(request);
    ASSERT_FALSE(result.has_value()) << request.formula;
    EXPECT_EQ(result.error().kind, ErrorKind::kInvalidArgument);
    EXPECT_NE(result.error().message.find("column 1: expected a new name after 'let'"), std::string::npos)
        << result.error().message;
  }
}

TEST(ProveFormula, LargeFormulasEnd) {
  std::string power = "(a + b + c + d)";
  std::string choices = "0";
  for (int k = 0; k < 20; ++k) power += " * (a + b + c + d)";
  for (int k = 1; k < 8; ++k) choices += " + (a % " + std::to_string(k + 1) + " < b % " + std::to_string(k + 2) + ")";
  EXPECT_NE(ProveRequest({"", power, power + " + 0 * a", {}}).verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(ProveRequest({"", choices, choices + " + 1", {}}).verdict, ProofVerdict::kRefuted);
#ifndef LAYOUTCHECK_SANITIZED
  EXPECT_NE(ProveRequest({"", choices, "0 + " + choices, {}}).verdict, ProofVerdict::kRefuted);
#endif
}

ProofResult ProveWithCertificate(const FormulaRequest& request) {
  ProveOptions options;
  options.certificates = true;
  const auto result = ProveFormula(request, options);
  EXPECT_TRUE(result.has_value()) << result.error().ToString();
  return result.value_or(ProofResult());
}

TEST(FormulaCertificate, HasAPathPerSideOfADecision) {
  const ProofResult result = ProveWithCertificate({"", "min(x, y)", "y > x ? x : y", {}, {}, ""});
  EXPECT_EQ(result.certificate,
            "layoutcheck certificate 1\n"
            "law formula\n"
            "formula min(x, y)\n"
            "equals y > x ? x : y\n"
            "path\n"
            "Y\n"
            "+\n"
            "goal 3\n"
            "goal\n"
            "path\n"
            "N\n"
            "Y\n"
            "goal 3 | 4\n"
            "path\n"
            "N\n"
            "N\n"
            "goal\n"
            "end\n")
      << result.certificate;
}

TEST(FormulaCertificate, TellsTheDomainAndIsTheSameEachTime) {
  const FormulaRequest request = {"", "i0 / 4 % 3", "i0 % 12 / 4", {"M % 4 == 0"}, {}, "i0 < M"};
  const ProofResult result = ProveWithCertificate(request);
  EXPECT_TRUE(
      result.certificate.starts_with("layoutcheck certificate 1\nlaw formula\nover i0 < M\n"
                                     "formula i0 / 4 % 3\nequals i0 % 12 / 4\nassume M % 4 == 0\npath\n"))
      << result.certificate;
  EXPECT_EQ(ProveWithCertificate(request).certificate, result.certificate);
}

// The bits of x make two cases of a formula without a condition.
TEST(FormulaCertificate, DividesAPathByABitThatItComputes) {
  const ProofResult result = ProveWithCertificate({"", "x ^ 5 ^ 5", "x", {}, {}, ""});
  EXPECT_TRUE(result.certificate.contains("\nsplit !1 - !2 Y\n")) << result.certificate << result.no_certificate;
  EXPECT_TRUE(result.certificate.contains("\nsplit !1 - !2 N\n"));
}

TEST(FormulaCertificate, SaysWhyThereIsNone) {
  const auto reason = [](const FormulaRequest& request) {
    const ProofResult result = ProveWithCertificate(request);
    EXPECT_EQ(result.certificate, "");
    return result.no_certificate;
  };
  EXPECT_EQ(reason({"", "(x, y)", "(x, y + 0)", {}, {}, ""}), "the format has none for this claim about formula");
  EXPECT_EQ(reason({"", "(x & x - 1) == 0 ? x << 1 & x : 0", "0", {"x < 1 << 22"}, {}, ""}),
            "a proof by bit-vectors has no steps");
  EXPECT_EQ(reason({"", "x", "x + 1", {}, {}, ""}), "");  // refuted
}

// Returns the certificate that no part of the formula overflows.
std::string NoOverflowCertificate(const FormulaRequest& request, std::string_view integer) {
  ProveOptions options;
  options.certificates = true;
  const auto result = ProveNoOverflow(request, MachineIntegerOf(integer).value(), options);
  EXPECT_TRUE(result.has_value()) << result.error().ToString();
  return result ? result->certificate + result->no_certificate : "";
}

TEST(FormulaCertificate, OfOverflowHasTwoGoalsPerPart) {
  EXPECT_EQ(NoOverflowCertificate({"", "i0 << 2", {}, {}, {}, "i0 < 9"}, "int64"),
            "layoutcheck certificate 1\n"
            "law no-overflow\n"
            "over i0 < 9\n"
            "formula i0 << 2\n"
            "integer int64\n"
            "path\n"
            "+\n"
            "goal 2\n"
            "goal 1\n"    // the least int64 <= i0
            "goal 2\n"    // i0 <= the largest int64
            "goal 1\n"    // 0 <= i0, because C shifts no negative number
            "goal 4*1\n"  // the least int64 <= 4 * i0
            "goal 4*2\n"
            "end\n");
}

TEST(FormulaCertificate, OfALayoutNamesItsOwnFormula) {
  EXPECT_EQ(NoOverflowCertificate({"s8[M]{0}", "", {}, {}, {}, ""}, "uint32:c++20"),
            "layoutcheck certificate 1\n"
            "law no-overflow\n"
            "layout s8[M]{0}\n"
            "own i0\n"
            "integer uint32:c++20\n"
            "path\n"
            "goal 2\n"
            "goal 3 1/8*4\n"
            "goal\n"
            "end\n");
}

// M ^ 127 is largest if the low bits of M are 0: its quotient by 128 is then below 2^24 by rounding.
TEST(FormulaCertificate, RoundsQuotientsOfTheLargestInteger) {
  const FormulaRequest request = {"s8[M]{0}", "M ^ 127", {}, {}, {}, ""};
  for (const char* integer : {"int32", "uint32", "int64"}) {
    const std::string certificate = NoOverflowCertificate(request, integer);
    EXPECT_TRUE(certificate.ends_with("end\n")) << certificate;
  }
}

// The multipliers of a bound of 2^63 bytes would have denominators that no checker adds up.
TEST(FormulaCertificate, HasMultipliersThatFit) {
  const std::string formula = "[3, 16, i0][min(2, max(0, i1))] % N - 4";
  const std::string certificate = NoOverflowCertificate({"f32[8,N]{1,0}", formula, {}, {}, {}, ""}, "int64");
  EXPECT_TRUE(certificate.ends_with("end\n")) << certificate;
  EXPECT_FALSE(certificate.contains("/92233720")) << certificate;
}

// C's / and %, floordiv, shifts, masks and casts of names that may be negative.
TEST(ProveFormula, NamesMayBeNegative) {
  const auto verdict = [](const char* formula, const char* equals, std::vector<std::string> signed_names,
                          std::vector<std::string> assumptions = {}) {
    const ProofResult result = ProveRequest({.formula = formula,
                                             .equals = equals,
                                             .assumptions = std::move(assumptions),
                                             .signed_names = std::move(signed_names)});
    std::string text = ProofVerdictName(result.verdict);
    if (!result.counterexample.empty()) StrAppend(text, " ", result.counterexample[0].second);
    return text;
  };
  const char* const down = "base / 32 * 32";
  EXPECT_EQ(verdict(down, "base - base mod 32", {}), "proved");
  EXPECT_EQ(verdict(down, "base - base mod 32", {"base"}), "refuted -1");
  EXPECT_EQ(verdict(down, "base - base mod 32", {"base"}, {"base >= 0"}), "proved");
  EXPECT_EQ(verdict(down, "base - base % 32", {"base"}), "proved");
  EXPECT_EQ(verdict("b >> 3", "b floordiv 8", {"b"}), "proved");
  EXPECT_EQ(verdict("b >> 3", "b / 8", {"b"}), "refuted -1");
  EXPECT_EQ(verdict("b & 31", "b mod 32", {"b"}), "proved");
  EXPECT_EQ(verdict("b & 31", "b % 32", {"b"}), "refuted -1");
  EXPECT_EQ(verdict("b ^ -1", "-1 - b", {"b"}), "proved");
  EXPECT_EQ(verdict("int8(b)", "b", {"b"}, {"b < 128"}), "refuted -129");
  EXPECT_EQ(verdict("int8(b)", "b", {"b"}, {"b < 128", "b >= -128"}), "proved");
  EXPECT_EQ(verdict("b * b * b", "c * c * c", {"b", "c"}, {"b == c"}), "proved");
  EXPECT_EQ(verdict("b + (b == -1000003)", "b", {"b"}), "refuted -1000003");
  EXPECT_EQ(ProveRequest({.formula = "b", .equals = "b", .signed_names = {"b"}}).ranges,
            (NameRanges{{"b", kIntegerRange}}));
}

TEST(ProveFormula, WhatMayBeNegative) {
  const auto error = [](const FormulaRequest& request) {
    const auto result = ProveFormula(request);
    return result ? std::string("none") : result.error().message;
  };
  const std::string none = "the assumptions contradict each other or leave no element: there is nothing to prove";
  EXPECT_EQ(error({.formula = "B", .equals = "B", .assumptions = {"B < 0"}}),
            none + "; B is >= 0 unless --signed B says otherwise");
  EXPECT_EQ(error({.formula = "B", .equals = "B", .assumptions = {"B < 0", "B > 5"}}), none);
  const std::string size =
      "--signed: expected a name that may be negative, which no index, size or tile size is, found ";
  EXPECT_EQ(error({.layout = "f32[N]{0}", .formula = "i0", .signed_names = {"N"}}), size + "'N'");
  EXPECT_EQ(error({.formula = "i0", .equals = "i0", .over = "i0 < M", .signed_names = {"M"}}), size + "'M'");
  EXPECT_EQ(error({.formula = "i0", .equals = "i0", .signed_names = {"i0"}}), size + "'i0'");
  EXPECT_EQ(error({.formula = "B", .equals = "B", .signed_names = {"C"}}),
            "--signed: expected a name of the formulas, found 'C'");
}

}  // namespace
}  // namespace layoutcheck
