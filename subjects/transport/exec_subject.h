// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject exec:COMMAND: an implementation in any language that runs as a process and answers over pipes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/question.h"
#include "layoutcheck/subjects/protocol/members.h"
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/transport/line_process.h"

namespace layoutcheck {

// A subject that is a process. One that takes shape:stride notation and not HLO's gets only layouts without padding, as
// LayoutText writes them; coordinates then have one integer per mode.
//
// Crashes, timeouts and broken answers are Failed, and the process is started again for the next request. Once an
// operation keeps failing, every further request for it is declined, with a warning.
class ExecSubject final : public UniformSubject<ExecSubject> {
 public:
  // An operation is given up after this many timeouts, or this many failures in a row.
  static constexpr int kTimeoutsAtMost = 8;
  static constexpr int kFailuresInARowAtMost = 200;
  // Number of coordinates per layout in a law.
  static constexpr int64_t kQuestionsPerLayout = 256;
  // Number of texts in flight, enough that neither side waits for the other.
  static constexpr size_t kTextsInFlight = 64;

  // Starts `sh -c command` and says hello. Error (kUnavailable): no process or no such command. Failed: improper answer
  // to hello.
  static std::variant<std::unique_ptr<ExecSubject>, Error, Failed> Start(std::string command,
                                                                         std::chrono::milliseconds timeout);

  // Asks for every operation from here on, however often it fails.
  void NeverGiveUp() { gives_up_ = false; }
  // Takes the process for `layoutcheck serve`, which checks laws by itself, and does not limit the number of questions.
  void ExpectLayoutcheck();

  const SubjectInfo& info() const override { return hello_.info; }
  // Asks any question (UniformSubject).
  template <class Question>
  Answer<typename Question::Result> Ask(const Question& question);
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override;
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override;
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override;
  std::vector<Answer<ShardAnswer>> ShardsOf(std::string_view layout, std::span<const int64_t> devices) override;

  bool ChecksLaws() const override { return checks_laws_; }
  // After a failure, the process is no longer asked to check laws: their own questions show which one it fails.
  std::vector<Answer<LawResult>> CheckLaws(std::span<const LawQuestion> questions) override;

  // Closes the process's input and waits for its end, at most as long as for an answer.
  std::optional<Failed> Finish() override;
  int64_t Requests() const override { return requests_; }
  void SetMinimizing(bool minimizing) override { minimizing_ = minimizing; }
  void SetOneAtATime(bool one_at_a_time) override { one_at_a_time_ = one_at_a_time; }
  std::optional<int64_t> ResidentBytes() const override {
    return child_ == nullptr ? std::nullopt : child_->ResidentBytes();
  }
  // Returns one warning per operation that was given up.
  std::vector<std::string> Warnings() const override;

 private:
  struct Tally {
    int timeouts = 0;
    int failures_in_a_row = 0;
    bool given_up() const { return timeouts >= kTimeoutsAtMost || failures_in_a_row >= kFailuresInARowAtMost; }
  };

  ExecSubject(std::string command, std::chrono::milliseconds timeout)
      : command_(std::move(command)), timeout_(timeout) {}

  std::optional<std::variant<Error, Failed>> EnsureStarted();
  // Returns the time that the process has for its next answer.
  std::chrono::milliseconds Patience() const;
  LineProcess::Limits LimitsFor(std::chrono::milliseconds timeout, size_t integers_in_answer) const;
  // Returns why the subject is not asked for this operation; nothing if it is.
  std::optional<Declined> NotAsked(Operation operation) const;
  // Sends at least one request for questions of a kind, with several in flight, and reads each answer, of the size.
  // Returns one answer per request, up to the first at which the process ended, hung or broke the protocol.
  template <class Question>
  std::vector<Answer<typename Question::Result>> AskTogether(Operation operation, std::span<const std::string> requests,
                                                             AnswerSize size);
  // Asks questions about one layout. Returns all results, or the first answer without one.
  template <class Question>
  Answer<std::vector<typename Question::Result>> AskAll(const Shape& shape, std::span<const Question> questions);

  std::string command_;
  std::chrono::milliseconds timeout_;
  HelloAnswer hello_;
  std::unique_ptr<LineProcess> child_;
  std::array<Tally, kOperationCount> tallies_;
  std::chrono::steady_clock::duration slowest_{};  // time of the slowest answer, across restarts
  bool minimizing_ = false;
  bool one_at_a_time_ = false;
  bool gives_up_ = true;
  bool is_layoutcheck_ = false;
  bool checks_laws_ = false;
  int64_t requests_ = 0;  // to the present process, or to the last one
};

extern template class UniformSubject<ExecSubject>;

}  // namespace layoutcheck
