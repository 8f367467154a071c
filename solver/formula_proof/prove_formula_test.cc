// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include <gtest/gtest.h>
#include <cstdio>
#include "layoutcheck/solver/layout_proof/layout_formula.h"

namespace layoutcheck {
namespace {

ProofResult Prove(const FormulaRequest& request) {
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
    const ProofResult right = Prove({text, formula, {}, {}});
    EXPECT_EQ(right.verdict, ProofVerdict::kProved) << text << ": " << formula << ": " << right.reason;
    seconds += right.seconds;
#ifdef LAYOUTCHECK_SANITIZED
    if (layout->layout.dimensions.size() > 1) continue;
#endif
    // No proof is known for int32 that a product of tile sizes fits whenever the allocation does.
    if (layout->IsTileName("Q")) continue;
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
  EXPECT_EQ(Prove({"f32[M]{0}", "i0", {}, {"M * M == 152411787558627529"}}).verdict, ProofVerdict::kProved);
  const ProofResult result = Prove({"f32[M]{0}", "i0 + (M == 390406290)", {}, {"M * M == 152417071271564100"}});
  EXPECT_EQ(result.verdict, ProofVerdict::kRefuted) << result.reason;
}

TEST(ProveFormula, LargeFormulasEnd) {
  std::string power = "(a + b + c + d)";
  std::string choices = "0";
  for (int k = 0; k < 20; ++k) power += " * (a + b + c + d)";
  for (int k = 1; k < 8; ++k) choices += " + (a % " + std::to_string(k + 1) + " < b % " + std::to_string(k + 2) + ")";
  EXPECT_NE(Prove({"", power, power + " + 0 * a", {}}).verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(Prove({"", choices, choices + " + 1", {}}).verdict, ProofVerdict::kRefuted);
#ifndef LAYOUTCHECK_SANITIZED
  EXPECT_NE(Prove({"", choices, "0 + " + choices, {}}).verdict, ProofVerdict::kRefuted);
#endif
}

}  // namespace
}  // namespace layoutcheck
