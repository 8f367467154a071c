// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/lemma.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/certificate/z3_solver.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kLemmaBudget = 20'000'000;
const char* const kSecondSolver = "cvc5 --lang smt2";

bool HasSecondSolver() {
  static const bool has = RunExternalSolver(kSecondSolver, {}).has_value();
  return has;
}

TEST(Lemma, IdsAreTheirPlaces) {
  for (size_t k = 0; k < Lemmas().size(); ++k) EXPECT_EQ(static_cast<size_t>(Lemmas()[k].id), k) << Lemmas()[k].name;
}

TEST(Lemma, TwoSolversProveEachClosedStatement) {
  int confirmed = 0;
  for (const Lemma& lemma : Lemmas()) {
    const SmtQuery query = LemmaQuery(lemma);
    EXPECT_EQ(RunZ3(query, kLemmaBudget).answer, SolverAnswer::kUnsat) << query.text;
    if (!HasSecondSolver()) continue;
    const auto answer = RunExternalSolver(kSecondSolver, std::span(&query, 1));
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->front(), SolverAnswer::kUnsat) << query.text;
    ++confirmed;
  }
  std::printf("%zu lemmas proved by Z3, %d of them by cvc5, too\n", Lemmas().size(), confirmed);
}

TEST(Lemma, PremisesCanHold) {
  for (const Lemma& lemma : Lemmas()) {
    Lemma premises = lemma;
    premises.conclusions = {Less(1, 0)};
    EXPECT_EQ(RunZ3(LemmaQuery(premises), kLemmaBudget).answer, SolverAnswer::kSat) << lemma.name;
  }
}

// Without any one of its premises, a lemma does not hold.
TEST(Lemma, EachPremiseIsNeeded) {
  int needed = 0;
  for (const Lemma& lemma : Lemmas()) {
    for (size_t k = 0; k < lemma.premises.size(); ++k) {
      Lemma weaker = lemma;
      weaker.premises.erase(weaker.premises.begin() + static_cast<std::ptrdiff_t>(k));
      const SolverRun run = RunZ3(LemmaQuery(weaker), kLemmaBudget);
      EXPECT_NE(run.answer, SolverAnswer::kUnsat) << lemma.name << " does not need premise " << k;
      needed += run.answer == SolverAnswer::kSat ? 1 : 0;
    }
  }
  std::printf("%d premises shown to be needed by a counterexample without them\n", needed);
}

TEST(Lemma, WhatFollowsFromOthersFollows) {
  for (const Lemma& lemma : Lemmas()) {
    if (lemma.follows_from.empty()) continue;
    for (const Lemma::Use& use : lemma.follows_from) EXPECT_LT(use.lemma, lemma.id) << lemma.name;
    Certificate certificate;
    certificate.AddLemma(lemma);
    EXPECT_EQ(RunZ3(CertificateQuery(certificate), kLemmaBudget).answer, SolverAnswer::kUnsat) << lemma.name;
    EXPECT_EQ(RunZ3(VacuityQuery(certificate), kLemmaBudget).answer, SolverAnswer::kSat) << lemma.name;
  }
}

}  // namespace
}  // namespace layoutcheck
