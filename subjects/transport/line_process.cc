// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/line_process.h"
#include <sys/wait.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/subjects/protocol/protocol.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kErrorsKept = size_t{16} << 10;
constexpr size_t kErrorLineShown = 300;
constexpr milliseconds kPatienceAtEnd{300};
// time between two looks at whether the run ends
constexpr milliseconds kBetweenLooks{50};

std::string LastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  if (const size_t newline = text.rfind('\n'); newline != std::string_view::npos) text.remove_prefix(newline + 1);
  return PrintableStart(text, kErrorLineShown);
}

// Returns the line that ends a sanitizer's report, such as "SUMMARY: AddressSanitizer: SEGV a.c:3 in main", or an empty
// text if there is no report.
std::string_view SanitizerSummary(std::string_view errors) {
  constexpr std::string_view kSummary = "SUMMARY: ";
  size_t begin = errors.rfind(kSummary);
  if (begin == std::string_view::npos) return {};
  const std::string_view line = errors.substr(begin, errors.find('\n', begin) - begin);
  return line.find("Sanitizer: ") == std::string_view::npos ? std::string_view() : line;
}

// Returns the reason for a program's end from its stderr: a sanitizer's summary; the fatal message of Google's logging,
// which precedes a stack trace, without its varying time and thread; otherwise the last line.
std::string ReasonIn(std::string_view errors) {
  if (const auto summary = SanitizerSummary(errors); !summary.empty()) {
    return PrintableStart(summary, kErrorLineShown);
  }
  for (size_t begin = 0; begin < errors.size();) {
    const std::string_view line = errors.substr(begin, errors.find('\n', begin) - begin);
    begin += line.size() + 1;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (line.size() < 6 || line[0] != 'F' || !std::ranges::all_of(line.substr(1, 4), is_digit)) continue;
    const size_t bracket = line.find("] ");
    if (bracket == std::string_view::npos) continue;
    return PrintableStart(line.substr(line.rfind(' ', bracket) + 1), kErrorLineShown);
  }
  return LastLine(errors);
}

// The requests of one exchange, sent as many at a time as may be in flight.
class OutgoingRequests {
 public:
  OutgoingRequests(std::span<const std::string> requests, size_t max_in_flight)
      : requests_(requests), max_in_flight_(max_in_flight) {}

  // Writes as many bytes as the limit and the pipe allow. A request larger than the limit goes alone.
  void WriteTo(ChildProcess& child) {
    if (written_ == pending_.size()) {
      pending_.clear();
      written_ = 0;
      while (sent_ < requests_.size() && !is_closed_ &&
             (in_flight_ == 0 || in_flight_ + requests_[sent_].size() <= max_in_flight_)) {
        in_flight_ += requests_[sent_].size();
        pending_ += requests_[sent_++];
      }
    }
    // A process that stopped reading may still have answers on their way, until its output ends.
    if (more_to_write()) written_ += child.Write(std::string_view(pending_).substr(written_));
  }

  // Sends no request that is not partly written.
  void Close() { is_closed_ = true; }
  bool more_to_write() const { return written_ < pending_.size(); }
  size_t sent() const { return sent_; }
  void NoteAnswered(size_t request) { in_flight_ -= requests_[request].size(); }

 private:
  std::span<const std::string> requests_;
  size_t max_in_flight_;  // in bytes
  size_t sent_ = 0;
  size_t in_flight_ = 0;  // bytes of unanswered requests
  std::string pending_;
  size_t written_ = 0;  // bytes of pending_
  bool is_closed_ = false;
};

// The time limit of each answer, which the end of the run cuts short.
class AnswerDeadline {
 public:
  AnswerDeadline(milliseconds timeout, const RunEndNow& end) : timeout_(timeout), end_(end) {}

  // Looks whether the run ends. Returns true if it does.
  bool LookForEnd() {
    const RunEnd end = end_ ? end_() : RunEnd::kNone;
    if (end == RunEnd::kInterrupted && !is_interrupted_) {
      is_interrupted_ = true;
      CutShort();
    }
    is_ending_ = is_ending_ || end != RunEnd::kNone;
    return is_ending_;
  }
  // Begins to wait for the next answer.
  void NoteAnswer() {
    deadline_ = Clock::now() + timeout_;
    if (is_ending_) CutShort();
  }
  milliseconds Left() const {
    return std::chrono::ceil<milliseconds>((last_ ? std::min(*last_, deadline_) : deadline_) - Clock::now());
  }
  // Returns true if the answers that do not come in time are left out, which is no failure.
  bool is_cut_short() const { return last_.has_value(); }

 private:
  void CutShort() {
    if (!last_) last_ = Clock::now() + kTimeAfterEnd;
  }

  milliseconds timeout_;
  const RunEndNow& end_;
  Clock::time_point deadline_ = Clock::now() + timeout_;
  std::optional<Clock::time_point> last_;  // of all answers
  bool is_ending_ = false;
  bool is_interrupted_ = false;
};

}  // namespace

Expected<std::unique_ptr<LineProcess>> LineProcess::Start(const std::string& command) {
  auto child = ChildProcess::Start(std::vector<std::string>{"/bin/sh", "-c", command},
                                   {.errors = ErrorStream::kPipe, .own_group = true});
  if (!child) {
    return MakeError(ErrorKind::kUnavailable, StrCat("cannot start a process: ", child.error().message));
  }
  return std::unique_ptr<LineProcess>(new LineProcess(*std::move(child)));  // the constructor is private
}

LineProcess::~LineProcess() {
  if (!failed_) Finish(kPatienceAtEnd);
}

std::optional<Failed> LineProcess::Finish(milliseconds patience, const RunEndNow& end) {
  constexpr milliseconds kBetweenReads{10};
  child_->CloseInput();
  failed_ = true;
  const Clock::time_point begin = Clock::now();
  const Clock::time_point deadline = begin + patience;
  // Reads on while it waits, because a process may write more at its end than a pipe holds.
  while (!child_->ReapWithin(std::min(kBetweenReads, patience))) {
    received_.clear();
    child_->ReadOutput(received_);
    ReadErrors();
    if (end && end() == RunEnd::kInterrupted && Clock::now() - begin >= kTimeAfterEnd) return std::nullopt;
    if (Clock::now() >= deadline) {
      return Fail(Failed::Kind::kTimeout, StrCat("still ran ", patience.count(), " ms after the end of its input"));
    }
  }
  ReadErrors();
  const std::optional<int> status = child_->wait_status();
  const bool ended_well = status && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
  if (ended_well && SanitizerSummary(last_errors_).empty()) return std::nullopt;
  return Fail(Failed::Kind::kCrash, StrCat(EndInWords(), " after the end of its input"));
}

std::optional<Failed> LineProcess::Exchange(std::span<const std::string> requests, const Limits& limits,
                                            const OnAnswer& on_answer) {
  const auto fail_long = [&] {
    return Fail(Failed::Kind::kProtocol, StrCat("an answer of more than ", limits.max_answer_bytes, " bytes"));
  };
  if (child_->ReadOutput(received_); !received_.empty()) return FailUnasked();
  OutgoingRequests outgoing(requests, limits.max_bytes_in_flight);
  size_t answered = 0;
  size_t scanned = 0;  // bytes of received_ without a newline
  AnswerDeadline deadline(limits.timeout, limits.end);

  while (answered < requests.size()) {
    if (deadline.LookForEnd()) outgoing.Close();
    outgoing.WriteTo(*child_);
    if (answered == outgoing.sent()) break;  // the run ends
    if (!child_->output_open()) return FailEnded();
    milliseconds left = deadline.Left();
    if (left <= milliseconds(0) && deadline.is_cut_short()) {
      failed_ = true;
      return std::nullopt;
    }
    if (left <= milliseconds(0)) {
      return Fail(Failed::Kind::kTimeout,
                  StrCat("no answer within ", limits.timeout.count(), " ms to ", LastLine(requests[answered])));
    }
    if (limits.end) left = std::min(left, kBetweenLooks);
    if (!child_->Wait(left, outgoing.more_to_write())) return Fail(Failed::Kind::kProtocol, std::strerror(errno));
    ReadErrors();
    if (child_->ReadOutput(received_) == 0) continue;

    size_t begin = 0;
    for (size_t newline = 0; (newline = received_.find('\n', std::max(begin, scanned))) != std::string::npos;
         begin = newline + 1) {
      if (answered == outgoing.sent()) break;
      outgoing.NoteAnswered(answered);
      std::string_view line(received_.data() + begin, newline - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.size() > limits.max_answer_bytes) return fail_long();
      if (auto failed = on_answer(answered, line)) return Fail(failed->kind, std::move(failed->what));
      ++answered;
      deadline.NoteAnswer();
    }
    received_.erase(0, begin);
    scanned = received_.size();
    if (answered == requests.size()) break;
    if (answered == outgoing.sent() && !received_.empty()) return FailUnasked();
    if (received_.size() > limits.max_answer_bytes) return fail_long();
  }
  return std::nullopt;
}

bool LineProcess::CommandNotFound() const {
  const auto status = child_->wait_status();
  return status && WIFEXITED(*status) && (WEXITSTATUS(*status) == 127 || WEXITSTATUS(*status) == 126);
}

Failed LineProcess::Fail(Failed::Kind kind, std::string reason) {
  failed_ = true;
  ReadErrors();
  if (const std::string line = ReasonIn(last_errors_); !line.empty()) StrAppend(reason, "; stderr: ", line);
  return {kind, std::move(reason)};
}

Failed LineProcess::FailUnasked() {
  return Fail(Failed::Kind::kProtocol, StrCat("output that nothing asked for: ", LastLine(received_.substr(0, 200))));
}

Failed LineProcess::FailEnded() {
  std::string reason = "closed its output";
  if (child_->ReapWithin(kPatienceAtEnd)) reason = EndInWords();
  reason += received_.empty() ? " without an answer" : " in the middle of an answer";
  return Fail(Failed::Kind::kCrash, std::move(reason));
}

std::string LineProcess::EndInWords() const {
  const int status = *child_->wait_status();
  // A shell turns a signal into an exit status above 128.
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return code > 128 && code < 128 + NSIG ? StrCat("killed by signal ", code - 128, " (", strsignal(code - 128), ")")
                                         : StrCat("ended with status ", code);
}

void LineProcess::ReadErrors() {
  // A bounded number of reads, because a process may write faster than this one reads.
  constexpr int kReads = 16;
  for (int read = 0; read < kReads && child_->ReadErrors(last_errors_) > 0; ++read) {
    if (last_errors_.size() > kErrorsKept) last_errors_.erase(0, last_errors_.size() - kErrorsKept);
  }
}

}  // namespace layoutcheck
