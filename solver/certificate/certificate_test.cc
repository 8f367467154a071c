// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/certificate.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <map>
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/layout_proof/obligations.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kBudget = 20'000'000;

std::vector<Obligation> ObligationsOf(const char* text, SymbolicLawId law) {
  const auto layout = ParseSymbolicLayout(text);
  EXPECT_TRUE(layout.has_value()) << text;
  return MakeObligations(*layout, law);
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

TEST(Certificate, NormalFormsAreEqualForEqualPolynomials) {
  Certificate certificate;
  TermContext& terms = certificate.terms();
  const Term a = terms.Variable("a"), b = terms.Variable("b"), c = terms.Variable("c");
  EXPECT_EQ(certificate.Normalize((a + b) * c), certificate.Normalize(c * b + a * c));
  EXPECT_EQ(certificate.Normalize((a - b) * (a + b)), certificate.Normalize(a * a - b * b));
  EXPECT_EQ(certificate.Normalize(FloorDiv(a + b, c)), certificate.Normalize(FloorDiv(b + a, c)));
  EXPECT_NE(certificate.Normalize(FloorDiv(a, c)), certificate.Normalize(Mod(a, c)));
  EXPECT_TRUE(certificate.Normalize(a * b - b * a).IsZero());
}

// Without any one hypothesis or instance that it needs, the certificate proves nothing.
TEST(Certificate, FailsWithoutTheInstancesThatItNeeds) {
  int instances = 0;
  int needed = 0;
  std::map<std::string, int> needed_by_lemma;
  for (const char* layout :
       {"f32[M]{0:T(P)}", "f32[M,N]{1,0:T(8,128)}", "f32[M,N]{1,0:T(P,Q)(R,S)}", "f32[A,B,C]{2,1,0:T(P,*,Q)}"}) {
    for (const SymbolicLaw& law : SymbolicLaws()) {
      if (law.id == SymbolicLawId::kOntoPaddedBox) continue;  // does not hold for two of them
      for (const Obligation& obligation : ObligationsOf(layout, law.id)) {
        const SmtQuery query = CertificateQuery(*obligation.certificate);
        ASSERT_EQ(RunZ3(query, kBudget).answer, SolverAnswer::kUnsat) << query.text;
        int needed_here = 0;
        for (const std::string& line : Lines(query.text)) {
          const size_t comment = line.find(" ; ");
          if (!line.starts_with("(assert (=> ") || comment == std::string::npos) continue;
          SmtQuery less = query;
          less.text.erase(less.text.find(line), line.size());
          ++instances;
          const SolverAnswer answer = RunZ3(less, kBudget).answer;
          ASSERT_NE(answer, SolverAnswer::kUnknown) << less.text;
          if (answer != SolverAnswer::kSat) continue;
          ++needed_here;
          ++needed_by_lemma[line.substr(comment + 3, line.find(':', comment) - comment - 3)];
        }
        needed += needed_here;
        // With numeric sizes, linear arithmetic may not need a lemma.
        const bool only_names = std::string_view(layout).find('8') == std::string_view::npos;
        if (only_names && !obligation.certificate->instances().empty()) {
          EXPECT_GT(needed_here, 0) << layout << " " << law.name << " " << obligation.part;
        }
      }
    }
  }
  std::printf("%d instances, %d needed:", instances, needed);
  for (const auto& [lemma, count] : needed_by_lemma) std::printf(" %s %d", lemma.c_str(), count);
  std::printf("\n");
}

TEST(Certificate, FailsWithoutAHypothesis) {
  for (const char* layout : {"f32[M,N]{1,0:T(P,Q)}", "f32[A,B,C]{2,1,0:T(P,*,Q)}"}) {
    for (const SymbolicLawId law : {SymbolicLawId::kInBounds, SymbolicLawId::kInjective, SymbolicLawId::kInverse}) {
      for (const Obligation& obligation : ObligationsOf(layout, law)) {
        const SmtQuery query = CertificateQuery(*obligation.certificate);
        int needed = 0;
        for (const std::string& line : Lines(query.text)) {
          if (!line.starts_with("(assert ") || line.starts_with("(assert (=> ") || line.starts_with("(assert (not "))
            continue;
          SmtQuery less = query;
          less.text.erase(less.text.find(line), line.size());
          needed += RunZ3(less, kBudget).answer == SolverAnswer::kSat ? 1 : 0;
        }
        EXPECT_GT(needed, 0) << layout << " " << obligation.part;
      }
    }
  }
}

TEST(Certificate, ASampleFindsAFalseInstance) {
  auto obligations = ObligationsOf("f32[M,N]{1,0:T(8,128)}", SymbolicLawId::kInBounds);
  Certificate& certificate = *obligations[0].certificate;
  EXPECT_EQ(certificate.FailsForSample(), "");
  certificate.sample["i0"] = 3;  // M is 3 in the sample
  EXPECT_EQ(certificate.FailsForSample(), "a hypothesis");
  certificate.sample["i0"] = 0;
  certificate.AddGoal(Less(certificate.terms().Variable("i0"), 0));
  EXPECT_EQ(certificate.FailsForSample(), "a goal");
  Lemma wrong = GetLemma(LemmaId::kCeilPositive);
  wrong.premises.clear();
  EXPECT_EQ(RunZ3(LemmaQuery(wrong), kBudget).answer, SolverAnswer::kSat);
}

TEST(Certificate, NormalFormsAreConfirmed) {
  for (const char* layout : {"f32[M,N]{1,0:T(P,Q)(R,S)}", "f32[A,B,C]{2,1,0:T(P,*,Q)}"}) {
    for (const SymbolicLaw& law : SymbolicLaws()) {
      for (const Obligation& obligation : ObligationsOf(layout, law.id)) {
        SmtQuery query = RingQuery(*obligation.certificate);
        ASSERT_EQ(RunZ3(query, kBudget).answer, SolverAnswer::kUnsat) << query.text;
        // Changes the last equation by 1.
        const size_t last = query.text.rfind("(= 0 (- ");
        if (last == std::string::npos) continue;
        query.text.replace(last, 5, "(= 1 ");
        EXPECT_EQ(RunZ3(query, kBudget).answer, SolverAnswer::kSat) << query.text;
      }
    }
  }
}

TEST(SolverAnswers, AreGivenAgainWithTheirWork) {
  const SmtQuery query = LemmaQuery(GetLemma(LemmaId::kEuclid));
  const SolverAnswers answers;
  const SolverRun first = RunZ3(query, kBudget);
  const SolverRun again = RunZ3(query, kBudget);
  EXPECT_EQ(first.answer, SolverAnswer::kUnsat);
  EXPECT_EQ(again.answer, SolverAnswer::kUnsat);
  EXPECT_EQ(again.rlimit, first.rlimit);
}

}  // namespace
}  // namespace layoutcheck
