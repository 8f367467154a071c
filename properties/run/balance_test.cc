// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws whose answers are true or false ask about as many true as false cases, so that neither constant passes for
// long.
#include <gtest/gtest.h>
#include <cstdio>
#include <string>
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

// Answers like the reference and counts the answers that are true or false.
class Counting final : public ReferenceSubject {
 public:
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    return Count(ReferenceSubject::Bitcast(from, to, transpose));
  }
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    return Count(ReferenceSubject::AreEqual(a, b, ignored_parts));
  }

  int64_t answers() const { return answers_; }
  double share_of_true() const { return static_cast<double>(true_answers_) / static_cast<double>(answers_); }

 private:
  Answer<bool> Count(Answer<bool> answer) {
    ++answers_;
    true_answers_ += std::get<bool>(answer) ? 1 : 0;
    return answer;
  }

  int64_t answers_ = 0;
  int64_t true_answers_ = 0;
};

TEST(Balance, AboutHalfOfTheAnswersAreTrue) {
  for (const std::string_view law : {"reshape-bitcast", "transpose-bitcast", "layout-equality"}) {
    Counting subject;
    CheckOptions options;
    options.laws = {FindLaw(law)};
    options.cases = 500;
    const CheckSummary summary = CheckRandom(subject, options);
    EXPECT_TRUE(summary.findings.empty()) << law;
    EXPECT_GT(subject.answers(), 500) << law;
    EXPECT_GT(subject.share_of_true(), 0.35) << law;
    EXPECT_LT(subject.share_of_true(), 0.65) << law;
    std::printf("%s: %.1f%% of %lld answers are true\n", std::string(law).c_str(), 100 * subject.share_of_true(),
                static_cast<long long>(subject.answers()));
  }
}

}  // namespace
}  // namespace layoutcheck
