// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of checking an implementation in the same program, for EXPECT_TRUE.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

namespace layoutcheck {

// A verdict, true or false, with the reason in words. EXPECT_TRUE(layoutcheck::Check(...)) prints the reason of a
// failed check, although this header does not use GoogleTest.
class CheckResult {
 public:
  // `evaluations` is the number of checked offsets.
  static CheckResult Passed(int64_t evaluations) { return CheckResult("", evaluations); }
  // `message` must not be empty.
  static CheckResult Found(std::string message, int64_t evaluations) {
    return CheckResult(std::move(message), evaluations);
  }

  explicit operator bool() const { return message_.empty(); }
  // Returns the finding as lines for a person (the law, the first place that breaks it, expected and actual), or
  // nothing.
  const std::string& message() const { return message_; }
  // Returns the number of checked offsets. A check of no offset passes, too.
  int64_t evaluations() const { return evaluations_; }

  // Converts to testing::AssertionResult and to types with the same members.
  template <class Assertion>
    requires requires(Assertion assertion, const std::string& text) {
      Assertion(true);
      assertion.failure_message();
      assertion << text;
    }
  operator Assertion() const {
    return message_.empty() ? Assertion(true) : Assertion(false) << "\n" + message_;
  }

  friend std::ostream& operator<<(std::ostream& stream, const CheckResult& result) {
    return stream << (result.message_.empty() ? "nothing found" : result.message_);
  }

 private:
  CheckResult(std::string message, int64_t evaluations) : message_(std::move(message)), evaluations_(evaluations) {}

  std::string message_;
  int64_t evaluations_;
};

}  // namespace layoutcheck
