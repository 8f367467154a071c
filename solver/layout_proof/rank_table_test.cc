// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the layouts of corpus/tiles/ranks.txt: ranks 1 to 8, up to three tilings, with and without `*`.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/layout_proof/obligations.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {
namespace {

const char* const kSecondSolver = "cvc5 --lang smt2";

#if defined(LAYOUTCHECK_SANITIZED)
constexpr int kMaxRank = 3;  // smaller scope with sanitizers
#else
constexpr int kMaxRank = 8;
#endif

struct Family {
  std::string name;
  std::set<std::string> refuted;  // laws that are false for some sizes
  std::vector<std::string> layouts;
};

// Returns the families of corpus/tiles/ranks.txt, up to kMaxRank.
std::vector<Family> Families() {
  std::vector<Family> families;
  std::ifstream file(LAYOUTCHECK_CORPUS "/tiles/ranks.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      constexpr std::string_view kNot = "; not ";
      const size_t end = line.find(kNot);
      families.push_back({line.substr(3, end - 3), {}, {}});
      if (end != std::string::npos) families.back().refuted.insert(line.substr(end + kNot.size()));
    } else if (!line.empty() && !line.starts_with('#')) {
      const std::string_view dimensions = std::string_view(line).substr(0, line.find(']'));
      if (std::ranges::count(dimensions, ',') < kMaxRank) families.back().layouts.push_back(line);
    }
  }
  EXPECT_EQ(families.size(), 11u);
  return families;
}

TEST(RankTable, EveryTrueObligationIsProvedAndTheOtherRefuted) {
  const bool second = RunExternalSolver(kSecondSolver, {}).has_value();
  std::printf("%-30s %8s %12s %8s %8s %9s %12s %12s %14s %12s\n", "tiling, all sizes names", "layouts", "obligations",
              "proved", "refuted", "max ms", "max lemmas", "steps / proof", "max steps, ms", "max bytes");
  int64_t obligations = 0;
  int64_t proved = 0;
  for (const Family& family : Families()) {
    std::map<ProofVerdict, int> verdicts;
    int64_t family_obligations = 0;
    int64_t most_instances = 0;
    double slowest = 0;
    double proof_seconds = 0;
    double certificate_seconds = 0;
    double slowest_certificate = 0;
    size_t longest_certificate = 0;
    for (const std::string& layout : family.layouts) {
      const auto results = ProveLayout(layout, {}, {.exports = {}, .certificates = true});
      ASSERT_TRUE(results.has_value()) << layout << " " << results.error().ToString();
      for (const ProofResult& result : *results) {
        const auto expected = family.refuted.contains(result.law) ? ProofVerdict::kRefuted : ProofVerdict::kProved;
        EXPECT_EQ(result.verdict, expected) << layout << " " << result.law << " " << result.reason;
        ++verdicts[result.verdict];
        EXPECT_EQ(result.certificate.empty(), result.verdict != ProofVerdict::kProved)
            << layout << " " << result.law << " " << result.no_certificate;
        proof_seconds += result.certificate.empty() ? 0 : result.seconds;
        certificate_seconds += result.certificate_seconds;
        slowest_certificate = std::max(slowest_certificate, result.certificate_seconds);
        longest_certificate = std::max(longest_certificate, result.certificate.size());
        family_obligations += result.obligations;
        most_instances = std::max(most_instances, result.lemma_instances);
        slowest = std::max(slowest, result.seconds / static_cast<double>(std::max<int64_t>(1, result.obligations)));
      }
    }
    obligations += family_obligations;
    proved += verdicts[ProofVerdict::kProved];
    std::printf("%-30s %8zu %12lld %8d %8d %9.1f %12lld %12.2f %14.1f %12zu\n", family.name.c_str(),
                family.layouts.size(), static_cast<long long>(family_obligations), verdicts[ProofVerdict::kProved],
                verdicts[ProofVerdict::kRefuted], slowest * 1000, static_cast<long long>(most_instances),
                certificate_seconds / proof_seconds, slowest_certificate * 1000, longest_certificate);
  }
  std::printf(
      "%lld obligations (max ms: of one, building, deciding and confirming it; steps: time of finding those of "
      "the certificate, and its size); second solver %s\n",
      static_cast<long long>(obligations), second ? "installed" : "not installed");
  if (kMaxRank < 8) return;
  std::ifstream file(LAYOUTCHECK_CORPUS "/../README.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(page.find(StrCat(proved, " about tilings of every rank")), std::string::npos) << proved;
}

// cvc5 answers every query (certificates, hypotheses, normal forms, lemmas) of some of these layouts again.
TEST(RankTable, SecondSolverAgrees) {
  if (!RunExternalSolver(kSecondSolver, {})) GTEST_SKIP() << "cvc5 is not installed";
  int laws = 0;
  int64_t obligations = 0;
  const ProveOptions options{.exports = {.emit_directory = {}, .second_solver = kSecondSolver}};
  const size_t step = EveryNth(24, 24);
  size_t layouts = 0;
  for (const Family& family : Families()) {
    for (const std::string& layout : family.layouts) {
      if (layouts++ % step != 0) continue;
      const auto results = ProveLayout(layout, {}, options);
      ASSERT_TRUE(results.has_value()) << results.error().ToString();
      for (const ProofResult& result : *results) {
        EXPECT_EQ(result.disagreement, "") << layout << " " << result.law;
        if (family.refuted.contains(result.law)) continue;
        EXPECT_EQ(result.verdict, ProofVerdict::kProved) << layout << " " << result.law << " " << result.reason;
        ++laws;
        obligations += result.obligations;
      }
    }
  }
  std::printf("cvc5 agrees on %d laws, %lld obligations, three queries each, and their lemmas\n", laws,
              static_cast<long long>(obligations));
}

}  // namespace
}  // namespace layoutcheck
