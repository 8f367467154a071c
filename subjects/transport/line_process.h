// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that answers each line on standard input with a line on standard output. It may crash, hang, flood its
// output or not answer without harm to this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A process that runs `sh -c COMMAND` in its own process group. Unusable after a failed Exchange.
class LineProcess {
 public:
  // Maximum number of request bytes written before their answers are read.
  static constexpr size_t kMaxBytesInFlight = size_t{64} << 10;

  struct Limits {
    std::chrono::milliseconds timeout;  // for one answer
    size_t max_answer_bytes;
    size_t max_bytes_in_flight = kMaxBytesInFlight;  // 0: each request waits for the answer to the one before
    RunEndNow end = nullptr;                         // may be null
  };

  // Error (kUnavailable): no pipe or no process. A nonexistent command exits early with status 127.
  static Expected<std::unique_ptr<LineProcess>> Start(const std::string& command);

  // Closes the process's input, gives it a moment to exit, and kills the rest of its process group.
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // Receives the number of a request and its answer without the newline. A failure ends the exchange.
  using OnAnswer = std::function<std::optional<Failed>(size_t request, std::string_view answer)>;

  // Sends the requests, each with its newline, and hands over one answer line per request in order. Fails if the
  // process ends (kCrash), takes longer than limits.timeout for one answer (kTimeout), or writes a line longer than
  // limits.max_answer_bytes or unrequested output (kProtocol). The failure's text quotes the fatal message on stderr,
  // or else its last line. Ends early, without a failure, if the run ends: sends no more requests and waits for the
  // answers to those that it sent, for half a second and, if the time is up, for the first of them as long as always.
  std::optional<Failed> Exchange(std::span<const std::string> requests, const Limits& limits,
                                 const OnAnswer& on_answer);

  // Returns false after a failure, and after answers were left out at the end of the run: the next answer may belong to
  // an earlier request.
  bool is_usable() const { return !failed_; }

  // Closes the process's input and waits for its end. Fails if it does not end within `patience` (kTimeout), or if it
  // is killed by a signal, ends with a status other than 0, or has a sanitizer's report on stderr (kCrash). If the run
  // is interrupted, waits for half a second at most, and kills the process without a failure. Call this last.
  std::optional<Failed> Finish(std::chrono::milliseconds patience, const RunEndNow& end = nullptr);

  // Returns the memory of the process and its children in bytes, or nothing if unknown.
  std::optional<int64_t> ResidentBytes() const { return child_->ResidentBytes(); }

  // Returns true if the process has ended with the shell's status for a command that cannot run.
  bool CommandNotFound() const;

 private:
  explicit LineProcess(std::unique_ptr<ChildProcess> child) : child_(std::move(child)) {}

  Failed Fail(Failed::Kind kind, std::string reason);
  Failed FailEnded();
  // Returns the end of a reaped process in words.
  std::string EndInWords() const;
  Failed FailUnasked();
  void ReadErrors();

  std::unique_ptr<ChildProcess> child_;
  bool failed_ = false;
  std::string received_;     // output not handed over yet
  std::string last_errors_;  // end of its text on stderr
};

}  // namespace layoutcheck
