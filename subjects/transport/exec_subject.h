// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subject exec:COMMAND: an implementation that is a process in any language and is asked over pipes.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_EXEC_SUBJECT_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_EXEC_SUBJECT_H_

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

#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/subjects/protocol/protocol.h"
#include "layoutcheck/subjects/transport/line_process.h"

namespace layoutcheck {

// Returns the text of the layout in a notation that a subject takes; nothing if there is none. A layout without padding
// has a text in shape:stride notation, with one mode per dimension.
std::optional<std::string> LayoutText(const HelloAnswer& hello, const Shape& shape);

// A subject that is a process. If it takes shape:stride notation and not HLO's, it is asked about layouts without
// padding only, as LayoutText writes them; coordinates then have one integer per mode.
//
// A crash, a timeout and a broken answer are Failed answers; the process is started again for the next request. An
// operation that keeps failing is given up: every further request for it is declined, and a warning says so.
class ExecSubject final : public Subject {
 public:
  // An operation is given up after this many timeouts in a run, or this many failures in a row.
  static constexpr int kTimeoutsAtMost = 8;
  static constexpr int kFailuresInARowAtMost = 200;
  // Number of coordinates that a law asks for per layout.
  static constexpr int64_t kQuestionsPerLayout = 256;
  // Texts under way at a time: enough that neither side waits for the other.
  static constexpr size_t kTextsInFlight = 64;

  // Starts `sh -c command` and says hello. Error (kUnavailable): no process, or no such command. Failed: the answer to
  // hello is not a proper one.
  static std::variant<std::unique_ptr<ExecSubject>, Error, Failed> Start(std::string command,
                                                                         std::chrono::milliseconds timeout);

  const SubjectInfo& info() const override { return hello_.info; }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override;
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override;
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override;
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override;
  Answer<std::vector<int64_t>> Table(const Shape& shape) override;
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override;
  Answer<std::vector<std::optional<Coordinate>>> CoordinatesAt(const Shape& shape,
                                                               std::span<const int64_t> offsets) override;
  Answer<SizeAnswer> Size(const Shape& shape) override;
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override;
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, int64_t rows, int64_t columns) override;
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override;

  std::optional<int64_t> ResidentBytes() const override {
    return child_ == nullptr ? std::nullopt : child_->ResidentBytes();
  }
  // Returns one warning per operation that was given up.
  std::vector<std::string> Warnings() const override;

 private:
  // The failures of one operation.
  struct Tally {
    int timeouts = 0;
    int failures_in_a_row = 0;
    bool given_up() const { return timeouts >= kTimeoutsAtMost || failures_in_a_row >= kFailuresInARowAtMost; }
  };

  ExecSubject(std::string command, std::chrono::milliseconds timeout)
      : command_(std::move(command)), timeout_(timeout) {}

  // Starts a process and says hello, unless one runs.
  std::optional<std::variant<Error, Failed>> EnsureStarted();
  // Returns the reason why the subject is not asked for this operation; nothing if it is.
  std::optional<Declined> NotAsked(Operation operation) const;
  // Sends the requests, of which there is at least one, with several under way, and reads each answer with
  // `read(line)`. Returns one answer per request, up to the first at which the process ended, hung or broke the
  // protocol.
  template <class T, class Read>
  std::vector<Answer<T>> AskTogether(Operation operation, std::span<const std::string> requests,
                                     size_t integers_in_answer, Read read);
  // Sends the requests. Returns all values, or the first answer that has none.
  template <class T, class Read>
  Answer<std::vector<T>> AskAll(Operation operation, std::span<const std::string> requests, size_t integers_in_answer,
                                Read read);
  template <class T, class Read>
  Answer<T> Ask(Operation operation, std::string request, size_t integers_in_answer, Read read);

  std::string command_;
  std::chrono::milliseconds timeout_;
  HelloAnswer hello_;
  std::unique_ptr<LineProcess> child_;
  std::array<Tally, kOperationCount> tallies_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_EXEC_SUBJECT_H_
