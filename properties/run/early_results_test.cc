// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs whose subject checks laws in its own process: the outcome is that of the laws' own questions.
#include "layoutcheck/properties/run/early_results.h"
#include <gtest/gtest.h>
#include <functional>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

constexpr const char* kLinearIndex = "linear-index";

LawResult CheckOn(Subject& subject, const LawQuestion& question) {
  if (question.about == LawQuestion::About::kArguments) {
    return FindAlgebraLaw(question.law)->check(subject, question.arguments);
  }
  const Law& law = *FindLaw(question.law);
  const Shape shape = ParseShape(question.arguments.at(0)).value();
  return question.about == LawQuestion::About::kAllElements ? law.Check(subject, LayoutCase::Create(shape).value())
                                                            : law.CheckHuge(subject, HugeCase::Create(shape).value());
}

// A reference whose tables are wrong for layouts of rank 2 with tiles, if `is_wrong`, and which can check laws. Counts
// the questions of the laws that are asked from outside.
class LawChecker final : public ReferenceSubject {
 public:
  using Check = std::function<std::vector<Answer<LawResult>>(LawChecker&, std::span<const LawQuestion>)>;

  LawChecker(bool is_wrong, Check check) : is_wrong_(is_wrong), check_(std::move(check)) {}

  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    ++tables_;
    auto answer = ReferenceSubject::Table(shape);
    auto* const offsets = std::get_if<std::vector<int64_t>>(&answer);
    const bool is_hit = is_wrong_ && shape.rank() == 2 && !shape.layout->tiles.empty();
    if (offsets != nullptr && !offsets->empty() && is_hit) offsets->back() += 1;
    return answer;
  }
  bool ChecksLaws() const override { return check_ != nullptr; }
  std::vector<Answer<LawResult>> CheckLaws(std::span<const LawQuestion> questions) override {
    const int64_t before = tables_;
    auto answers = check_(*this, questions);
    tables_ = before;
    return answers;
  }
  int64_t tables() const { return tables_; }

 private:
  bool is_wrong_;
  Check check_;
  int64_t tables_ = 0;
};

std::vector<Answer<LawResult>> CheckAll(LawChecker& subject, std::span<const LawQuestion> questions) {
  std::vector<Answer<LawResult>> answers;
  for (const LawQuestion& question : questions) answers.emplace_back(CheckOn(subject, question));
  return answers;
}

CheckOptions Cases(uint64_t cases) {
  CheckOptions options;
  options.cases = cases;
  return options;
}

std::string CountsAndFindings(const CheckSummary& summary) {
  std::string text = std::to_string(summary.cases);
  for (const auto& [name, law] : summary.laws) {
    for (const int64_t count : {law.agreed, law.disagreed, law.explained, law.outside_domain, law.declined}) {
      text += " " + std::to_string(count);
    }
  }
  for (const Finding& finding : summary.findings) {
    text += "\n" + finding.law + " " + finding.layout + " " + finding.expected + " " + finding.actual;
  }
  return text;
}

TEST(EarlyResults, DoNotChangeTheOutcomeAndSaveTheQuestions) {
  for (const bool is_wrong : {false, true}) {
    LawChecker plain(is_wrong, nullptr);
    LawChecker early(is_wrong, CheckAll);
    EXPECT_EQ(CountsAndFindings(CheckRandom(early, Cases(200))), CountsAndFindings(CheckRandom(plain, Cases(200))))
        << is_wrong;
    EXPECT_LT(early.tables(), plain.tables()) << is_wrong;
    // A run asks by itself whether there are tables.
    if (!is_wrong) {
      EXPECT_EQ(early.tables(), 1);
    }
    const auto algebra = [&](LawChecker& subject) {
      return CountsAndFindings(CheckAlgebra(subject, AlgebraLaws(), Cases(30)));
    };
    EXPECT_EQ(algebra(early), algebra(plain)) << is_wrong;
  }
}

// A failure that the laws' own questions do not show again is not lost.
TEST(EarlyResults, AFailureThatOnlyTheProcessSawIsAFinding) {
  LawChecker subject(false, [&](LawChecker& self, std::span<const LawQuestion> questions) {
    auto answers = CheckAll(self, questions);
    answers.front() = LawResult::Disagree("1", "2");
    return answers;
  });
  CheckOptions options = Cases(3);
  options.laws = {FindLaw(kLinearIndex)};
  const CheckSummary summary = CheckRandom(subject, options);
  ASSERT_FALSE(summary.findings.empty());
  EXPECT_EQ(summary.findings.front().law, kLinearIndex);
  EXPECT_EQ(summary.findings.front().actual, "2");
  EXPECT_FALSE(summary.findings.front().layout.empty());
}

TEST(EarlyResults, ACrashThatOnlyTheProcessSawIsAFindingAndASlowProcessIsNone) {
  for (const auto kind : {Failed::Kind::kCrash, Failed::Kind::kTimeout}) {
    LawChecker subject(false, [&](LawChecker&, std::span<const LawQuestion>) {
      return std::vector<Answer<LawResult>>{Failed{kind, "killed by signal 11"}};
    });
    const CheckSummary summary = CheckRandom(subject, Cases(3));
    ASSERT_EQ(summary.findings.empty(), kind == Failed::Kind::kTimeout);
    if (summary.findings.empty()) continue;
    EXPECT_EQ(summary.findings.front().law, "subject-crash");
    EXPECT_FALSE(summary.findings.front().layout.empty());
  }
}

// A process that answers too little, or declines, leaves the rest to the laws' own questions.
TEST(EarlyResults, AnswersThatAreMissingAreAskedFor) {
  LawChecker plain(true, nullptr);
  const std::string expected = CountsAndFindings(CheckRandom(plain, Cases(50)));
  for (const size_t answered : {0u, 1u, 5u}) {
    LawChecker subject(true, [&](LawChecker& self, std::span<const LawQuestion> questions) {
      auto answers = CheckAll(self, questions.first(answered));
      answers.emplace_back(Declined{"no such law"});
      return answers;
    });
    EXPECT_EQ(CountsAndFindings(CheckRandom(subject, Cases(50))), expected) << answered;
  }
}

}  // namespace
}  // namespace layoutcheck
