// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that answers each line on its standard input with a line on its standard output. It may crash, hang, flood
// its output or answer nothing without hurting the program that asks.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_LINE_PROCESS_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_LINE_PROCESS_H_

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

// A process that runs `sh -c COMMAND` in a process group of its own. After a failed Exchange it is not used again.
class LineProcess {
 public:
  // Request bytes that may be written before their answers are read.
  static constexpr size_t kMaxBytesInFlight = size_t{64} << 10;

  // Error: no pipe or no process (kUnavailable). A command that does not exist shows as an early exit with status 127.
  static Expected<std::unique_ptr<LineProcess>> Start(const std::string& command);

  // Closes the input of the process, gives it a moment to end by itself, and kills what is left of its process group.
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // Receives the number of a request and its answer (without the newline); a failure ends the exchange.
  using OnAnswer = std::function<std::optional<Failed>(size_t request, std::string_view answer)>;

  // Sends the requests, each of which ends with a newline, and hands over one line per request, in order. Fails if the
  // process ends (kCrash), takes longer than `timeout` for one answer (kTimeout), or writes a line of more than
  // `max_answer_bytes` or output that nothing asked for (kProtocol). The text of a failure quotes the fatal message
  // that the process wrote to stderr, or else its last line there.
  std::optional<Failed> Exchange(std::span<const std::string> requests, std::chrono::milliseconds timeout,
                                 size_t max_answer_bytes, const OnAnswer& on_answer);

  // Closes the input of the process and returns true if it then ends by itself within `patience`. Ends its use.
  bool EndsAfterInput(std::chrono::milliseconds patience);

  // Memory, in bytes, that the process and its children hold; nothing if the system does not tell.
  std::optional<int64_t> ResidentBytes() const { return child_->ResidentBytes(); }

  // Returns true if the process has ended with the status that a shell gives for a command that it cannot run.
  bool CommandNotFound() const;

 private:
  explicit LineProcess(std::unique_ptr<ChildProcess> child) : child_(std::move(child)) {}

  Failed Fail(Failed::Kind kind, std::string reason);
  Failed FailEnded();
  Failed FailUnasked();
  void ReadErrors();

  std::unique_ptr<ChildProcess> child_;
  bool failed_ = false;
  std::string received_;     // output that is not handed over yet
  std::string last_errors_;  // the end of the text that it wrote to stderr
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_LINE_PROCESS_H_
