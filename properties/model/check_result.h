// What a check of an implementation in the same program found, as a test wants it: true or false, and why in words.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_CHECK_RESULT_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_CHECK_RESULT_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

namespace layoutcheck {

// EXPECT_TRUE(layoutcheck::Check(...)) prints the message where the check failed, without any GoogleTest header here.
class CheckResult {
 public:
  // `evaluations` is the number of offsets that were looked at.
  static CheckResult Passed(int64_t evaluations) { return CheckResult("", evaluations); }
  // `message` must not be empty.
  static CheckResult Found(std::string message, int64_t evaluations) {
    return CheckResult(std::move(message), evaluations);
  }

  explicit operator bool() const { return message_.empty(); }
  // What was found, as lines for a person: the law, the first place where it is broken, expected and actual. Empty
  // where nothing was found.
  const std::string& message() const { return message_; }
  // How many offsets were looked at: a check of nothing passes.
  int64_t evaluations() const { return evaluations_; }

  // testing::AssertionResult and what looks like it.
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

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_CHECK_RESULT_H_
