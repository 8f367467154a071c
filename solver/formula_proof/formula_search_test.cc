// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_search.h"
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include "layoutcheck/solver/formula_laws/law_goals.h"

namespace layoutcheck {
namespace {

constexpr int64_t kPoints = 20'000;

TEST(FormulaSearch, EachStrategyFindsItsFault) {
  const std::string row_major = "i0 * N + i1 + ";
  const std::map<std::string, FormulaRequest> faults = {
      {"largest shapes", {"f32[M,N]{1,0}", "i0 * N * 5 + i1 - 4 * i0 * N", {}, {}}},
      {"small shapes", {"f32[M,N]{1,0}", row_major + "(i0 == 1)", {}, {}}},
      {"shape grid", {"f32[M,N]{1,0}", row_major + "(M == 37 && N == 41)", {}, {}}},
      {"tile shapes", {"f32[M,N]{1,0}", row_major + "(M == 129 && i0 == 64)", {}, {"M % 128 == 1"}}},
      {"collisions", {"", "i0 * N + i1 - (i0 == 2 && i1 == 3)", {}, {"N > 3"}, {}, "i0 < M, i1 < N"}},
      {"signs", {.formula = "B + (B == -128)", .equals = "B", .signed_names = {"B"}}},
      {"random shapes", {"f32[M,N]{1,0}", row_major + "(M * N > 2147483647)", {}, {}}},
  };
  EXPECT_EQ(SearchStrategies().size(), faults.size());
  for (const SearchStrategy& strategy : SearchStrategies()) {
    const FormulaRequest& request = faults.at(strategy.name);
    const bool is_pair = !request.over.empty();
    const FormulaQuestion question = is_pair ? *MakeInjectivityQuestion(request) : *MakeFormulaQuestion(request);
    std::optional<InjectiveGoal> injective;
    if (is_pair) injective.emplace(question);
    EqualityGoal equality(question);
    OverflowGoal overflow(question, *MachineIntegerOf("int32"));
    const bool at_bound = strategy.name == std::string("largest shapes");
    FormulaGoal& goal = is_pair    ? static_cast<FormulaGoal&>(*injective)
                        : at_bound ? static_cast<FormulaGoal&>(overflow)
                                   : equality;
    PointSearch search(goal, kPoints);
    strategy.run(search);
    ASSERT_TRUE(search.result.found) << strategy.name;
    EXPECT_TRUE(goal.IsInDomain(*search.result.found) && goal.FailsAt(*search.result.found)) << strategy.name;
    EXPECT_TRUE(SearchPoints(goal, SearchRound::kFirst).found) << strategy.name;
  }
}

// The share of a budget ends with its scope, which leaves unspent points to the next one.
TEST(FormulaSearch, SharesAreScoped) {
  const FormulaQuestion question = *MakeFormulaQuestion({"f32[M]{0}", "i0", {}, {}});
  EqualityGoal goal(question);
  SearchBudget budget(goal, 100);
  {
    const SearchBudget::Share share(budget, 4);
    for (int k = 0; k < 25; ++k) budget.SpendPoint();
    EXPECT_TRUE(budget.IsSpent());
  }
  EXPECT_FALSE(budget.IsSpent());
}

// Random numbers are hardly ever all at least 64 if there are twelve of them.
TEST(FormulaSearch, NamesAreDrawnFromTheirLeastValuesOn) {
  FormulaRequest request{.formula = "0", .equals = "0 * (n + a + b + c + d + e + f + g + h + j + k + l + m) + 1"};
  request.assumptions.push_back("n == 3");
  for (const char name : std::string("abcdefghjklm")) request.assumptions.push_back(std::string(1, name) + " >= 64");
  const FormulaQuestion question = *MakeFormulaQuestion(request);
  EqualityGoal goal(question);
  EXPECT_TRUE(SearchPoints(goal, SearchRound::kFirst).found);
}

// The threads i0 of blocks i1 are wrong from T = 17 on. At T = 129, one of block 1 is wrong, too.
TEST(FormulaSearch, AtASmallerSizeAnotherThreadGoesWrong) {
  const FormulaQuestion question =
      *MakeFormulaQuestion({.formula = "T * 0 + (i0 < 128 && i1 * 128 + i0 < T && i1 * 128 + i0 >= 16)",
                            .equals = "0",
                            .more_names = {"T"}});
  ASSERT_EQ(question.variables[0].name, "T");
  EqualityGoal goal(question);
  EXPECT_EQ(MinimizePoint(goal, {129, 0, 1}), (FormulaPoint{17, 16, 0}));
  EXPECT_EQ(MinimizePoint(goal, {1000, 100, 7}), (FormulaPoint{17, 16, 0}));
}

}  // namespace
}  // namespace layoutcheck
