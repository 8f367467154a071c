// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves layouts with symbolic dimensions and tile sizes: ranks 1 to 8, up to three tilings, with and without `*`.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_queries.h"
#include "layoutcheck/solver/certificate/external_solver.h"
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

// Returns f32[A,B,...]{...} in row-major order.
std::string Text(int rank, const std::string& tiles) {
  std::vector<std::string> dimensions;
  std::vector<std::string> order;
  for (int d = 0; d < rank; ++d) dimensions.push_back(std::string(1, static_cast<char>('A' + d)));
  for (int d = rank; d-- > 0;) order.push_back(std::to_string(d));
  return StrCat("f32[", StrJoin(dimensions, ","), "]{", StrJoin(order, ","), tiles.empty() ? "" : ":T", tiles, "}");
}

// Returns (p0,p1,...), a tile of named sizes.
std::string NamedTile(const std::string& prefix, int count) {
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(StrCat(prefix, k));
  return StrCat("(", StrJoin(names, ","), ")");
}

struct Family {
  const char* name;
  std::set<std::string> refuted;  // laws that are false for some sizes
  std::vector<std::string> layouts;
};

std::vector<Family> Families() {
  const std::set<std::string> onto = {"onto-padded-box"};
  std::vector<Family> families = {{"no tile", {}, {}},
                                  {"one tile, every dimension", {}, {}},
                                  {"one tile of two", {}, {}},
                                  {"two levels, every dimension", onto, {}},
                                  {"two levels of two", onto, {}},
                                  {"two levels, the second exact", {}, {}},
                                  {"three levels", onto, {}},
                                  {"second level longer", onto, {}},
                                  {"tile longer than the array", {}, {}},
                                  {"*, one level", onto, {}},
                                  {"*, two levels", onto, {}}};
  for (int rank = 1; rank <= kMaxRank; ++rank) {
    const std::string all = NamedTile("p", rank);
    families[0].layouts.push_back(Text(rank, ""));
    families[1].layouts.push_back(Text(rank, all));
    if (rank > 2) families[2].layouts.push_back(Text(rank, NamedTile("p", 2)));
    families[3].layouts.push_back(Text(rank, all + NamedTile("r", rank)));
    if (rank > 2) families[4].layouts.push_back(Text(rank, NamedTile("p", 2) + NamedTile("r", 2)));
    if (rank > 1) families[5].layouts.push_back(Text(rank, "(8,128)(4,1)"));
    if (rank <= 2) families[6].layouts.push_back(Text(rank, all + NamedTile("r", rank) + NamedTile("s", rank)));
    if (rank <= 4) families[7].layouts.push_back(Text(rank, NamedTile("p", 1) + NamedTile("r", rank + 1)));
    families[8].layouts.push_back(Text(rank, NamedTile("p", rank + 1)));
    if (rank > 1) families[9].layouts.push_back(Text(rank, StrCat("(", rank > 2 ? "*,p0,*" : "*", ",p1)")));
    if (rank > 2) families[10].layouts.push_back(Text(rank, StrCat("(p0,*,p1)(r0,*,r1)")));
  }
  for (Family& family : families) {
    // (*,p0,*,p1) has four entries, so an array of rank 3 gets a leading dimension, which is combined.
    std::ranges::sort(family.layouts);
    family.layouts.erase(std::ranges::unique(family.layouts).begin(), family.layouts.end());
  }
  return families;
}

TEST(RankTable, EveryTrueObligationIsProvedAndTheOtherRefuted) {
  const bool second = RunExternalSolver(kSecondSolver, {}).has_value();
  std::printf("%-30s %8s %12s %8s %8s %9s %12s %12s %14s %12s\n", "tiling, all sizes names", "layouts", "obligations",
              "proved", "refuted", "max ms", "max lemmas", "steps / proof", "max steps, ms", "max bytes");
  int64_t obligations = 0;
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
    std::printf("%-30s %8zu %12lld %8d %8d %9.1f %12lld %12.2f %14.1f %12zu\n", family.name, family.layouts.size(),
                static_cast<long long>(family_obligations), verdicts[ProofVerdict::kProved],
                verdicts[ProofVerdict::kRefuted], slowest * 1000, static_cast<long long>(most_instances),
                certificate_seconds / proof_seconds, slowest_certificate * 1000, longest_certificate);
  }
  std::printf(
      "%lld obligations (max ms: of one, building, deciding and confirming it; steps: time of finding those of "
      "the certificate, and its size); second solver %s\n",
      static_cast<long long>(obligations), second ? "installed" : "not installed");
}

// cvc5 answers every query (certificates, hypotheses, normal forms, lemmas) of some of these layouts again.
TEST(RankTable, SecondSolverAgrees) {
  if (!RunExternalSolver(kSecondSolver, {})) GTEST_SKIP() << "cvc5 is not installed";
  int laws = 0;
  int64_t obligations = 0;
  const ProveOptions options{.exports = {.emit_directory = {}, .second_solver = kSecondSolver}};
  for (const Family& family : Families()) {
    for (const std::string& layout : family.layouts) {
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
