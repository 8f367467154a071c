// A program that is asked a line and answers a line, over pipes: it may crash, hang, flood or answer nothing at all
// without hurting the one who asks.
#ifndef LAYOUTCHECK_SUBJECTS_TRANSPORT_CHILD_PROCESS_H_
#define LAYOUTCHECK_SUBJECTS_TRANSPORT_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A child that runs `sh -c COMMAND` in a process group of its own. After a failed Exchange the child is not used again.
class ChildProcess {
 public:
  // Request bytes that may be under way before their answers are read.
  static constexpr size_t kMaxBytesInFlight = size_t{64} << 10;

  // Errors: no pipe or no process (kUnavailable). A command that does not exist shows as an early exit with status 127.
  static Expected<std::unique_ptr<ChildProcess>> Start(const std::string& command);

  // Closes the child's input, gives it a moment to end by itself, and kills what is left of its process group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Called with the number of a request and its answer (without the newline); a failure ends the exchange.
  using OnAnswer = std::function<std::optional<Failed>(size_t request, std::string_view answer)>;

  // Sends the requests (each ends with a newline) and hands over one line for each, in order. Fails where the child
  // ends (kCrash), takes longer than `timeout` for one answer (kTimeout), or writes a line of more than
  // `max_answer_bytes`, or output that nothing asked for (kProtocol). The fatal
  // message that the child wrote to stderr, or its last line there, is in the text of a failure.
  std::optional<Failed> Exchange(std::span<const std::string> requests, std::chrono::milliseconds timeout,
                                 size_t max_answer_bytes, const OnAnswer& on_answer);

  // Memory that the child and the processes that it started hold; nothing where the system does not tell.
  std::optional<int64_t> ResidentBytes() const;

  // The exit status that the shell gives for a command that it cannot run, once the child has ended with it.
  bool CommandNotFound() const;

 private:
  ChildProcess(pid_t pid, int input, int output, int errors)
      : pid_(pid), input_(input), output_(output), errors_(errors) {}

  Failed Fail(Failed::Kind kind, std::string what);
  // How the child ended, after its output did.
  Failed FailEnded();
  void ReadErrors();
  // Whether the child ended in that time; what it left of its process group is killed then.
  bool ReapWithin(std::chrono::milliseconds patience);
  void KillAndReap();

  pid_t pid_;
  int input_;   // the child's stdin
  int output_;  // its stdout
  int errors_;  // its stderr
  bool errors_open_ = true;
  bool failed_ = false;
  bool ended_ = false;
  int status_ = 0;  // as waitpid gives it, once ended
  std::string received_;
  std::string last_errors_;  // the end of what it wrote to stderr
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_TRANSPORT_CHILD_PROCESS_H_
