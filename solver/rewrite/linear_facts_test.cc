// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/linear_facts.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

constexpr uint64_t kRlimit = 100'000;

// Returns a x + b y + c of two unknowns.
Polynomial Linear(Int128 a, Int128 b, Int128 c) {
  Polynomial polynomial;
  if (c != 0) polynomial.addends.emplace_back(0, c);
  if (a != 0) polynomial.addends.emplace_back(1, a);
  if (b != 0) polynomial.addends.emplace_back(2, b);
  return polynomial;
}

TEST(LinearAnswers, AreThoseOfTheFactsAtHand) {
  const LinearAnswers answers;
  LinearFacts none(kRlimit);
  EXPECT_FALSE(none.Imply(Linear(1, 0, 0)));
  LinearFacts facts(kRlimit);
  facts.Add(Linear(1, -1, 0));  // x >= y
  EXPECT_FALSE(facts.Imply(Linear(1, 0, 0)));
  facts.Add(Linear(0, 1, 0));  // y >= 0
  EXPECT_TRUE(facts.Imply(Linear(1, 0, 0)));
  EXPECT_FALSE(facts.Imply(Linear(1, 0, -1)));
}

TEST(LinearFacts, AQuestionIsOpenAtNumbersAtWhichAllFactsHold) {
  const LinearAnswers answers;
  LinearFacts facts(kRlimit);
  facts.Add(Linear(0, 2, 1));                                  // y >= -1/2
  const std::vector<Polynomial> candidates{Linear(1, -1, 0)};  // x >= y
  EXPECT_FALSE(facts.IsOpenWith(Linear(2, 0, 1), candidates));
  EXPECT_TRUE(facts.IsOpenWith(Linear(1, 0, -1), candidates));
  EXPECT_TRUE(facts.IsOpenWith(Linear(1, 0, -2), candidates));
  EXPECT_TRUE(facts.IsOpenWith(Linear(2, 0, 1), {}));
  facts.Add(Linear(0, 1, -2));  // y >= 2: the numbers that were found are no longer of use
  EXPECT_FALSE(facts.IsOpenWith(Linear(1, 0, -2), candidates));
  EXPECT_TRUE(facts.Imply(Linear(0, 1, -1)));
  EXPECT_FALSE(facts.Imply(Linear(0, 1, -3)));
}

TEST(LinearAnswers, AreNotAskedForTwice) {
  const LinearAnswers answers;
  const auto ask = [] {
    LinearFacts facts(kRlimit);
    facts.Add(Linear(0, 1, 0));
    const std::vector<Polynomial> candidates{Linear(1, -1, 0)};
    EXPECT_EQ(facts.ImplyWith(Linear(1, 0, 0), candidates), std::vector<size_t>{0});
    EXPECT_FALSE(facts.Imply(Linear(1, 0, 0)));
    return facts.questions();
  };
  EXPECT_EQ(ask(), 2);
  EXPECT_EQ(ask(), 0);
}

TEST(LinearAnswers, EndWithTheirScope) {
  {
    const LinearAnswers outer;
    {
      const LinearAnswers inner;
      LinearFacts facts(kRlimit);
      EXPECT_FALSE(facts.Imply(Linear(1, 0, 0)));
    }
    LinearFacts again(kRlimit);
    EXPECT_FALSE(again.Imply(Linear(1, 0, 0)));
    EXPECT_EQ(again.questions(), 0);
  }
  LinearFacts after(kRlimit);
  EXPECT_FALSE(after.Imply(Linear(1, 0, 0)));
  EXPECT_EQ(after.questions(), 1);
}

}  // namespace
}  // namespace layoutcheck
