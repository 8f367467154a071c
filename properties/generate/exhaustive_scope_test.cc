// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <set>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

TEST(ExhaustiveScope, DrawsEveryLayoutOnce) {
  for (size_t rung = 0; rung < 3; ++rung) {
    const ExhaustiveScope& scope = ExhaustiveLadder()[rung];
    CountedChoices choices;
    std::set<std::string> texts;
    int64_t drawn = 0;
    do {
      const std::string text = ToString(DrawFromScope(choices, scope));
      if (drawn % 97 == 0) {
        EXPECT_TRUE(ParseShape(text).has_value()) << text;
      }
      texts.insert(text);
      ++drawn;
    } while (choices.Advance());
    EXPECT_EQ(drawn, scope.layouts());
    EXPECT_EQ(static_cast<int64_t>(texts.size()), drawn);
  }
}

TEST(ExhaustiveScope, TheReferenceKeepsEveryLawOnTheFirstRungs) {
#ifdef LAYOUTCHECK_SANITIZED
  constexpr size_t kRungs = 2;
#else
  constexpr size_t kRungs = 3;
#endif
  for (size_t rung = 0; rung < kRungs; ++rung) {
    ReferenceSubject reference;
    const CheckSummary summary = CheckExhaustive(reference, ExhaustiveLadder()[rung], {});
    std::printf("%s: %llu layouts, %zu disagreements, %lld index evaluations\n",
                ExhaustiveLadder()[rung].ToString().c_str(), static_cast<unsigned long long>(summary.cases),
                summary.findings.size(), static_cast<long long>(summary.index_evaluations));
    EXPECT_EQ(static_cast<int64_t>(summary.cases), ExhaustiveLadder()[rung].layouts());
    EXPECT_GT(summary.index_evaluations, 0);
    EXPECT_TRUE(summary.findings.empty());
  }
}

TEST(ExhaustiveScope, ShardsTogetherAreTheScope) {
  ReferenceSubject reference;
  CheckOptions options;
  options.laws = {FindLaw("linear-index")};
  options.shard_count = 4;
  uint64_t cases = 0;
  for (options.shard_index = 0; options.shard_index < 4; ++options.shard_index) {
    cases += CheckExhaustive(reference, ExhaustiveLadder()[1], options).cases;
  }
  EXPECT_EQ(static_cast<int64_t>(cases), ExhaustiveLadder()[1].layouts());
}

}  // namespace
}  // namespace layoutcheck
