// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/steps/proof_steps.h"
#include <gtest/gtest.h>
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kBudget = 20'000'000;

std::string StepsOf(Certificate& certificate) {
  const auto proof = FindProofSteps(certificate, {certificate.hypotheses(), certificate.goals()}, kBudget);
  return proof ? ProofText(certificate.ring(), {&*proof, 1}) : "none: " + proof.error();
}

// 0 <= i < t makes i mod t equal to i: K4 gives the quotient 0, and K1 the rest.
TEST(ProofSteps, AreThoseOfTheProof) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i");
  const Term t = certificate.terms().Variable("t");
  certificate.AddHypothesis(LessEqual(1, t));
  certificate.AddHypothesis(LessEqual(0, i));
  certificate.AddHypothesis(Less(i, t));
  certificate.AddGoal(Equal(Mod(i, t), i));
  const Polynomial value = certificate.Normalize(i);
  const Polynomial divisor = certificate.Normalize(t);
  const Polynomial quotient = certificate.Normalize(FloorDiv(i, t));
  certificate.Apply(LemmaId::kPositiveProduct, {divisor, divisor});  // which the proof does not need
  // The conclusion of the next one is needed before those of the one after it.
  certificate.Apply(LemmaId::kEqualProducts, {quotient, {}, divisor});
  certificate.Apply(LemmaId::kUniqueQuotient, {value, {}, value, divisor});
  certificate.Apply(LemmaId::kEuclid, {value, divisor});
  const std::string text = StepsOf(certificate);
  EXPECT_EQ(text,
            "lemma K4 i ; 0 ; i ; t\n"
            "by 2\n"
            "by 3\n"
            "by\n"
            "lemma K1 i ; t\n"
            "by 1\n"
            "atom !1 floordiv i ; t\n"
            "lemma C1 !1 ; 0 ; t\n"
            "by 4\n"
            "goal -1*5 -1*8\n");
}

TEST(ProofSteps, AreNoneForAStatementThatDoesNotFollow) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i");
  certificate.AddHypothesis(LessEqual(0, i));
  certificate.AddGoal(LessEqual(1, i));
  EXPECT_EQ(StepsOf(certificate), "none: no multipliers were found for the goal 1 <= i");
}

TEST(ProofSteps, RoundOnce) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i");
  const Term j = certificate.terms().Variable("j");
  certificate.AddHypothesis(LessEqual(1, Term(2) * i));
  certificate.AddHypothesis(LessEqual(Term(3) * i, Term(2)));
  certificate.AddHypothesis(LessEqual(j, i));
  certificate.AddHypothesis(LessEqual(i, j));
  certificate.AddGoal(LessEqual(1, i));
  certificate.AddGoal(Equal(i, j));
  EXPECT_EQ(StepsOf(certificate), "goal 1/2*1\ngoal 3 | 4\n");
}

TEST(ProofSteps, ContradictoryHypothesesProveEveryGoal) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i");
  certificate.AddHypothesis(LessEqual(Term(2), i));
  certificate.AddHypothesis(Less(i, Term(2)));
  certificate.AddGoal(Equal(i, Term(7)));
  certificate.AddGoal(Equal(i, Term(8)));
  EXPECT_EQ(StepsOf(certificate), "goal 6*1 5*2 | 2\ngoal 7*1 6*2 | 2\n");
}

// i floordiv 8 >= 0 has to be rounded before it is a factor, and i floordiv 8 <= 0 before its multiple is 0.
TEST(ProofSteps, CutWhereOneRoundingIsTooFew) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i");
  certificate.AddHypothesis(LessEqual(0, i));
  certificate.AddHypothesis(Less(i, Term(8)));
  certificate.AddGoal(Equal(Term(1024) * FloorDiv(i, Term(8)), Term(0)));
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(i), certificate.Normalize(Term(8))});
  EXPECT_EQ(StepsOf(certificate),
            "lemma K1 i ; 8\n"
            "by\n"
            "atom !1 floordiv i ; 8\n"
            "cut !1\n"
            "by 1/8*1 -1/8*3 1/8*5\n"
            "cut -!1\n"
            "by 1/8*2 1/8*3 1/8*4\n"
            "goal 1024*6 | 1024*7\n");
}

TEST(ProofSteps, EveryLawOfALayoutHasACertificateThatIsTheSameEachTime) {
  for (const char* layout : {"f32[M,N]{1,0:T(8,128)}", "f32[M,N]{1,0:T(P,Q)}", "f32[M,0]{1,0:T(P,Q)}", "s32[]{:T(128)}",
                             "bf16[M,N]{0,1:T(8,128)(2,1)}"}) {
    const auto first = ProveLayout(layout, {}, {.exports = {}, .certificates = true});
    const auto second = ProveLayout(layout, {}, {.exports = {}, .certificates = true});
    ASSERT_TRUE(first.has_value() && second.has_value());
    for (size_t k = 0; k < first->size(); ++k) {
      const ProofResult& result = (*first)[k];
      EXPECT_EQ(result.no_certificate, "") << layout << " " << result.law;
      EXPECT_TRUE(result.certificate.starts_with("layoutcheck certificate 1\nlaw " + result.law + "\nlayout " + layout +
                                                 "\nsequent "))
          << result.certificate;
      EXPECT_EQ(result.certificate, (*second)[k].certificate);
    }
  }
}

TEST(ProofSteps, AProofWithoutStepsSaysSo) {
  const auto results = ProveLayout("zN<8,4>:f16[M,N]", {}, {.exports = {}, .certificates = true});
  ASSERT_TRUE(results.has_value());
  for (const ProofResult& result : *results) {
    EXPECT_EQ(result.verdict, ProofVerdict::kProved) << result.law;
    EXPECT_EQ(result.no_certificate.empty(), result.law != "equals-hlo") << result.law;
    EXPECT_EQ(result.certificate.empty(), result.law == "equals-hlo") << result.law;
  }
}

// x is below 256 and so equal to x mod 256: the quotient has to be rounded to 0.
TEST(ProofSteps, CutBoundsOfQuotients) {
  Certificate certificate;
  const Term x = certificate.terms().Variable("x");
  certificate.AddHypothesis(LessEqual(0, x));
  certificate.AddHypothesis(Less(x, 256));
  certificate.AddGoal(Equal(x, Mod(x, 256)));
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(x), certificate.Normalize(Term(256))});
  EXPECT_TRUE(StepsOf(certificate).starts_with("lemma K1 x ; 256\n")) << StepsOf(certificate);
}

// (x floordiv 8) - 4 ((x + 80) floordiv 32) is in [-10, -7].
TEST(ProofSteps, CutBoundsOfDifferencesOfQuotients) {
  Certificate certificate;
  const Term x = certificate.terms().Variable("x");
  const Term difference = FloorDiv(x, 8) - Term(4) * FloorDiv(x + 80, 32);
  certificate.AddGoal(LessEqual(-20, Term(2) * difference));
  certificate.AddGoal(LessEqual(Term(2) * difference, -14));
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(x), certificate.Normalize(Term(8))});
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(x + 80), certificate.Normalize(Term(32))});
  EXPECT_TRUE(StepsOf(certificate).starts_with("lemma K1 x ; 8\n")) << StepsOf(certificate);
  certificate.AddGoal(LessEqual(Term(2) * difference, -15));
  EXPECT_TRUE(StepsOf(certificate).starts_with("none: ")) << StepsOf(certificate);
}

}  // namespace
}  // namespace layoutcheck
