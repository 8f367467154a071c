// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that merged shares have the findings of one process.
#include "layoutcheck/cli/run/check_share.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"

namespace layoutcheck {
namespace {

using RunOnce = std::function<CheckSummary(Subject& subject, const CheckOptions& options)>;

// Returns one line per finding, in order: law, layout and count.
std::string FindingsOf(const CheckSummary& summary) {
  std::string text;
  for (const Finding& finding : summary.findings) {
    StrAppend(text, finding.law, " on ", finding.layout, ": ", finding.count, "\n");
  }
  return text;
}

// Returns the same for merged shares, each of which went through its manifest.
std::string MergedFindingsOf(const Fault& fault, const RunOnce& run, const CheckOptions& whole, uint64_t shards) {
  std::vector<CheckShare> shares;
  for (uint64_t index = 0; index < shards; ++index) {
    CheckOptions options = whole;
    options.shard_index = index;
    options.shard_count = shards;
    options.for_merge = true;
    const auto subject = MakeFaultySubject(fault);
    const CheckSummary summary = run(*subject, options);
    auto share = CheckShareFromJson(Json::Parse(ToJson(CheckShare{summary.failures, summary.laws, {}}).Dump()).value());
    EXPECT_TRUE(share) << fault.name;
    if (share) shares.push_back(*std::move(share));
  }
  std::string text;
  for (const auto& [share, law, layout, count] : MergeFailures(shares).findings) {
    StrAppend(text, law, " on ", layout, ": ", count, "\n");
  }
  return text;
}

constexpr uint64_t kCases = 60;

// Returns the number of faults that were found.
size_t CompareShares(std::span<const Fault> faults, const RunOnce& run, const CheckOptions& options) {
  size_t found = 0;
  for (const Fault& fault : faults) {
    const auto subject = MakeFaultySubject(fault);
    const std::string whole = FindingsOf(run(*subject, options));
    EXPECT_EQ(MergedFindingsOf(fault, run, options, 3), whole) << fault.name;
    if (!whole.empty()) ++found;
  }
  return found;
}

// Returns the faults with which this build asks.
std::vector<Fault> Some(const std::vector<Fault>& faults) {
  std::vector<Fault> some;
  for (size_t k = 0; k < faults.size(); k += EveryNth(8, 20)) some.push_back(faults[k]);
  return some;
}

TEST(CheckShare, MergedSharesFindWhatOneProcessFinds) {
  CheckOptions options;
  options.cases = kCases;
  const auto random = [](Subject& subject, const CheckOptions& run) { return CheckRandom(subject, run); };
  const std::vector<Fault> faults = Some(AllFaults());
  EXPECT_GT(CompareShares(faults, random, options) * 2, faults.size());
}

TEST(CheckShare, MergedSharesOfTheAlgebraToo) {
  CheckOptions options;
  options.cases = kCases;
  const auto random = [](Subject& subject, const CheckOptions& run) {
    return CheckAlgebra(subject, AlgebraLaws(), run);
  };
  const std::vector<Fault> faults = Some(AlgebraFaults());
  EXPECT_GT(CompareShares(faults, random, options) * 2, faults.size());
}

TEST(CheckShare, MergedSharesOfAScopeAndOfGivenLayoutsToo) {
  const auto exhaustive = [](Subject& subject, const CheckOptions& run) {
    return CheckExhaustive(subject, ExhaustiveLadder()[0], run);
  };
  const auto given = [](Subject& subject, const CheckOptions& run) {
    std::vector<Shape> shapes;
    for (const char* text : {"f32[9,1]{1,0:T(8,128)}", "f32[3]{0}", "f32[3,5]{0,1:T(2)}", "f32[9,1]{1,0:T(8,128)}",
                             "f32[10,1]{1,0:T(8,128)}", "f32[17,3]{1,0:T(8,128)}", "f32[18,3]{1,0:T(8,128)}"}) {
      shapes.push_back(*ParseShape(text));
    }
    return CheckLayouts(subject, shapes, run);
  };
  const std::vector<Fault> all = IndexFaults();
  const auto faults = std::span(all).first(6);
  EXPECT_GT(CompareShares(faults, exhaustive, CheckOptions()), 0u);
  EXPECT_GT(CompareShares(faults, given, CheckOptions()), 0u);
}

// By hand: two causes at most, and two repetitions in a row. Equal first letters are not equal layouts.
TEST(CheckShare, TheRuleIsThatOfTheWholeRun) {
  ShareFailures first{.rule = {.causes = 2, .repetitions = 2}};
  first.causes = {{{"a"}, "law", "a"}, {{"c"}, "law", "c"}};
  first.failures = {{0, "law", "law", "a", {}, 0}, {2, "law", "law", "a", {}, 0}, {4, "law", "law", "c", {}, 1}};
  first.not_shrunk = {{"law", 5}};
  ShareFailures second{.rule = first.rule};
  second.causes = {{{"b"}, "law", "b"}};
  second.failures = {{1, "law", "law", "b", {}, 0}, {3, "law", "law", "k", 7, {}}};
  std::vector<CheckShare> shares(2);
  shares[0].failures = {first};
  shares[1].failures = {second};
  shares[1].laws["law"].known = 1;
  const MergedFailures merged = MergeFailures(shares);
  // The run ends with the second cause. The difference of case 3, which a line accepts, counts with the first one.
  ASSERT_EQ(merged.findings.size(), 2u);
  EXPECT_EQ(merged.findings[0].layout, "a");
  EXPECT_EQ(merged.findings[0].count, 1 + 1 + 1 + 1 + 5);
  EXPECT_EQ(merged.findings[1].layout, "b");
  EXPECT_EQ(merged.findings[1].count, 1);
  EXPECT_EQ(merged.unseen_lines, std::set<int64_t>{7});
  EXPECT_EQ(merged.laws.at("law").known, 0);
}

TEST(CheckShare, RefusesOtherJson) {
  const Json good = ToJson(CheckShare{{ShareFailures{}}, {{"sizes", {}}}, {}});
  ASSERT_TRUE(CheckShareFromJson(good));
  constexpr Json& (*kPlaces[])(Json&) = {
      [](Json& share) -> Json& { return share["runs"][0]["failures"]; },
      [](Json& share) -> Json& { return share["runs"][0]["causes_at_most"]; },
      [](Json& share) -> Json& { return share["runs"]; },
      [](Json& share) -> Json& { return share["laws"]["sizes"]["known"]; },
      [](Json& share) -> Json& { return share["known_lines"]; },
  };
  for (const auto place : kPlaces) {
    Json bad = good;
    place(bad) = "x";
    EXPECT_FALSE(CheckShareFromJson(bad)) << bad;
  }
  Json bad = good;
  bad["runs"][0]["failures"].push_back({{"case", 0}, {"name", "n"}, {"law", "n"}, {"layout", ""}, {"cause", 0}});
  EXPECT_FALSE(CheckShareFromJson(bad));
}

}  // namespace
}  // namespace layoutcheck
