// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded faults of kinds that provers have had, each caught by the check that exists for it.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/formula_proof/prove_function.h"
#include "layoutcheck/solver/layout_proof/obligations.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kBudget = 2'000'000;

ProofVerdict VerdictOf(const FormulaRequest& request, const ProveOptions& options = {}) {
  const Expected<ProofResult> result = ProveFormula(request, options);
  EXPECT_TRUE(result.has_value()) << request.formula << ": " << (result ? "" : result.error().ToString());
  return result ? result->verdict : ProofVerdict::kUnknown;
}

// A lemma with a conclusion too strong by one is not proved. (lemma_test drops a premise instead.)
TEST(ProverFaults, TooStrongLemma) {
  int refuted = 0;
  int faults = 0;
  for (const Lemma& lemma : Lemmas()) {
    for (size_t k = 0; k < lemma.conclusions.size(); ++k) {
      Lemma wrong = lemma;
      const TermRelation& right = lemma.conclusions[k];
      using Kind = TermRelation::Kind;
      wrong.conclusions = {right.kind == Kind::kEqual       ? Equal(right.left, right.right + 1)
                           : right.kind == Kind::kLessEqual ? Less(right.left, right.right)
                                                            : Less(right.left + 1, right.right)};
      const SolverAnswer answer = RunZ3(LemmaQuery(wrong), kBudget).answer;
      EXPECT_NE(answer, SolverAnswer::kUnsat) << lemma.name << " " << k;
      refuted += answer == SolverAnswer::kSat ? 1 : 0;
      ++faults;
    }
  }
  EXPECT_GE(refuted * 2, faults);
  std::printf("%d conclusions made stronger: %d refuted, %d unknown, 0 proved\n", faults, refuted, faults - refuted);
}

// An instance whose premise does not hold proves nothing.
TEST(ProverFaults, InstanceWithoutItsPremise) {
  Certificate certificate;
  const Term value = certificate.terms().Variable("value"), size = certificate.terms().Variable("size");
  certificate.AddHypothesis(LessEqual(0, size));  // should be 1
  certificate.AddGoal(Less(Mod(value, size), size));
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(value), certificate.Normalize(size)});
  uint64_t work = 0;
  EXPECT_EQ(WhyNotConfirmed(certificate, kBudget, work), "the lemma instances do not imply it");
  certificate.AddHypothesis(LessEqual(1, size));
  EXPECT_EQ(WhyNotConfirmed(certificate, kBudget, work), "");
}

// A claim by which a path arrived at a relation does not follow from that relation.
TEST(ProverFaults, ALateHypothesisIsNoneOfEarlierGoals) {
  Certificate certificate;
  const Term i = certificate.terms().Variable("i"), j = certificate.terms().Variable("j");
  certificate.AddHypothesis(Less(j, 5));
  certificate.AddGoal(Less(i, 5));
  certificate.AddLateHypothesis(Equal(i, j));
  certificate.AddGoal(LessEqual(i, 4));
  uint64_t work = 0;
  EXPECT_EQ(WhyNotConfirmed(certificate, kBudget, work), "the lemma instances do not imply it");
  std::vector<SmtQuery> statement = StatementQueries(certificate);
  ASSERT_EQ(statement.size(), 2);
  EXPECT_EQ(RunZ3(statement[0], kBudget).answer, SolverAnswer::kUnsat);
  EXPECT_EQ(RunZ3(statement[1], kBudget).answer, SolverAnswer::kSat);
  certificate.AddHypothesis(Less(i, 5));
  EXPECT_EQ(WhyNotConfirmed(certificate, kBudget, work), "");
  statement = StatementQueries(certificate);
  EXPECT_EQ(RunZ3(statement[1], kBudget).answer, SolverAnswer::kUnsat);
}

// An operator that needs a condition (a nonzero divisor) is wrong where the condition fails. The value is multiplied by
// 0, so that only the condition can be wrong.
TEST(ProverFaults, DroppedSideCondition) {
  for (const char* formula :
       {"0 * (i0 / (N - 5))", "0 * (i0 % (N - 5))", "0 * (i0 floordiv (N - 5))", "0 * (i0 mod (N - 5))",
        "0 * (i0 ceildiv (N - 5))", "0 * (1 << N - 5)", "0 * (i0 >> N - 5)", "0 * [1, 2, 3][N - 6]"}) {
    const bool is_bounded = std::string_view(formula).find_first_of("<>[") != std::string_view::npos;
    EXPECT_EQ(VerdictOf({"f32[N]{0}", formula, "0", {}}), ProofVerdict::kRefuted) << formula;
    EXPECT_EQ(VerdictOf({"f32[N]{0}", formula, "0", {is_bounded ? "N > 5 && N < 9" : "N > 5"}}), ProofVerdict::kProved)
        << formula;
  }
}

TEST(ProverFaults, UnknownIsNotProved) {
  const auto offset = []<class Int>(std::span<const Int> i, std::span<const Int> n) {
    return ((i[0] / 8) * ((n[1] + 127) / 128) + i[1] / 128) * 1024 + i[0] % 8 * 128 + i[1] % 128;
  };
  const std::string layout = "f32[M,N]{1,0:T(8,128)}";
  const std::string formula = "(i0 / 8 * ((N + 127) / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + i1 % 128";
  for (const uint64_t budget : {1U, 100U}) {
    ProveOptions options;
    options.rlimit = budget;
    EXPECT_EQ(VerdictOf({layout, formula, {}, {}}, options), ProofVerdict::kUnknown) << budget;
    EXPECT_FALSE(Prove(layout, offset, options)) << budget;
  }
  for (const char* solver : {"echo unknown", "true"}) {
    ProveOptions options;
    options.exports.second_solver = solver;
    EXPECT_EQ(VerdictOf({layout, formula, {}, {}}, options), ProofVerdict::kUnknown) << solver;
    const FunctionProof proof = Prove(layout, offset, options);
    EXPECT_FALSE(proof) << solver;
    EXPECT_TRUE(proof.result()->disagreement.empty());
  }
  Certificate certificate;
  const Term a = certificate.terms().Variable("a");
  certificate.AddGoal(LessEqual(Mod(a, 7), 6));
  certificate.Apply(LemmaId::kEuclid, {certificate.Normalize(a), certificate.ring().FromConstant(7)});
  uint64_t work = 0;
  EXPECT_NE(WhyNotConfirmed(certificate, 1, work), "");
  EXPECT_EQ(WhyNotConfirmed(certificate, kBudget, work), "");
}

// C's division at points fixed by assumptions. A proof requires path arithmetic and evaluator to agree; rounding down
// is refuted wherever it differs from truncation.
TEST(ProverFaults, FloorForTruncation) {
  int different = 0;
  for (const int64_t a : {-7, -8, 7, 0}) {
    for (const int64_t b : {-2, 2, 3}) {
      const std::vector<std::string> point = {"a == " + std::to_string(a + 20), "b == " + std::to_string(b + 20)};
      const int64_t floor = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
      const auto verdict = [&](const char* formula, int64_t value) {
        return VerdictOf({"", formula, "0 * a * b + (" + std::to_string(value) + ")", point});
      };
      EXPECT_EQ(verdict("(a - 20) / (b - 20)", a / b), ProofVerdict::kProved) << a << " / " << b;
      EXPECT_EQ(verdict("(a - 20) % (b - 20)", a % b), ProofVerdict::kProved) << a << " % " << b;
      if (floor == a / b) continue;
      EXPECT_EQ(verdict("(a - 20) / (b - 20)", floor), ProofVerdict::kRefuted) << a << " / " << b;
      EXPECT_EQ(verdict("(a - 20) % (b - 20)", a - floor * b), ProofVerdict::kRefuted) << a << " % " << b;
      ++different;
    }
  }
  EXPECT_EQ(different, 4);
  EXPECT_EQ(VerdictOf({"f32[N]{0}", "(i0 - N) / 4", "(i0 - N) floordiv 4", {}}), ProofVerdict::kRefuted);
  EXPECT_EQ(VerdictOf({"f32[N]{0}", "(i0 - N) / 4", "-((N - i0) floordiv 4)", {}}), ProofVerdict::kProved);
  EXPECT_FALSE(Prove("f32[N]{0}", [](auto i) { return i[0] + (i[0] - 5) / 4 - FloorDiv(i[0] - 5, 4); }));
}

// Returns true if each value is at least its bound in the obligation's hypotheses, or 0 for a name that it lacks.
bool Covers(const Obligation& obligation, const std::map<std::string, int64_t>& values) {
  const Certificate& certificate = *obligation.certificate;
  for (const auto& [name, value] : values) {
    if (!certificate.sample.contains(name)) {
      if (value != 0) return false;
      continue;
    }
    for (const TermRelation& hypothesis : certificate.hypothesis_terms()) {
      if (!hypothesis.left.IsConstant() || hypothesis.right.IsConstant()) continue;
      const TermContext::Node& node = certificate.terms().node(hypothesis.right.node());
      const bool about_name = node.kind == TermKind::kVariable && certificate.terms().variable_name(node.a) == name;
      if (about_name && hypothesis.left.value().value > value) return false;
    }
  }
  return true;
}

// Obligations cover every size. Laws about offsets, which may exist without any index, need those about 0.
TEST(ProverFaults, ZeroDimensionsForgotten) {
  const auto layout = ParseSymbolicLayout("f32[M,N]{1,0:T(8,128)}");
  ASSERT_TRUE(layout.has_value());
  int caught = 0;
  for (const SymbolicLawId law :
       {SymbolicLawId::kOntoPaddedBox, SymbolicLawId::kInverse, SymbolicLawId::kPaddingMinimal}) {
    std::vector<Obligation> obligations = MakeObligations(*layout, law);
    const auto uncovered = [&] {
      int count = 0;
      for (const int64_t m : {0, 1, 5}) {
        for (const int64_t n : {0, 1, 5}) {
          const bool covered = std::ranges::any_of(
              obligations, [&](const Obligation& obligation) { return Covers(obligation, {{"M", m}, {"N", n}}); });
          count += covered ? 0 : 1;
        }
      }
      return count;
    };
    EXPECT_EQ(uncovered(), 0) << static_cast<int>(law);
    const size_t all = obligations.size();
    std::erase_if(obligations, [](const Obligation& obligation) { return obligation.part == "M = 0"; });
    if (obligations.size() == all) continue;
    EXPECT_GT(uncovered(), 0) << static_cast<int>(law);
    ++caught;
  }
  EXPECT_GE(caught, 1);
}

}  // namespace
}  // namespace layoutcheck
