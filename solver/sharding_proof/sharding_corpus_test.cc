// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every formula of corpus/sharding gets the right verdict.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

struct Pair {
  std::string id;
  std::string layout;
  std::vector<std::string> assumptions;
  std::string wrong;
  std::string right;
};

std::vector<Pair> ReadPairs() {
  std::vector<Pair> pairs;
  std::ifstream in(StrCat(LAYOUTCHECK_CORPUS, "/sharding/pairs.jsonl"));
  for (std::string line; std::getline(in, line);) {
    const auto json = Json::Parse(line).value();
    Pair& pair = pairs.emplace_back();
    pair.id = json["id"].text();
    pair.layout = json["layout"].text();
    if (json.contains("assume")) pair.assumptions = json["assume"].get<std::vector<std::string>>();
    pair.wrong = json["wrong"].text();
    pair.right = json["right"].text();
  }
  return pairs;
}

// Returns "refuted" if one of the formulas is refuted, "proved" if all are proved, or the reason for neither.
std::string VerdictOn(const Pair& pair, const std::string& formula) {
  const auto results = ProvePlaceFormula(pair.layout, formula, pair.assumptions);
  if (!results) return results.error().ToString();
  std::string verdict = "proved";
  for (const ProofResult& result : *results) {
    if (result.verdict == ProofVerdict::kRefuted) return "refuted";
    if (result.verdict == ProofVerdict::kUnknown) verdict = result.reason;
  }
  return verdict;
}

class ShardingCorpus : public testing::TestWithParam<Pair> {};

TEST_P(ShardingCorpus, TheWrongOneIsRefutedAndTheRightOneProved) {
  EXPECT_EQ(VerdictOn(GetParam(), GetParam().wrong), "refuted");
  EXPECT_EQ(VerdictOn(GetParam(), GetParam().right), "proved");
}

INSTANTIATE_TEST_SUITE_P(Pairs, ShardingCorpus, testing::ValuesIn(ReadPairs()), [](const auto& parameter) {
  std::string name = parameter.param.id;
  std::erase(name, '-');
  return name;
});

TEST(ShardingPairs, AreAllThere) { EXPECT_EQ(ReadPairs().size(), 22u); }

}  // namespace
}  // namespace layoutcheck
