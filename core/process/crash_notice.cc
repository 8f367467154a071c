// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/process/crash_notice.h"
#include <signal.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace layoutcheck {
namespace {

struct NamedSignal {
  int number;
  std::string_view name;
};
constexpr std::array kSignals = {
    NamedSignal{SIGSEGV, "Segmentation fault"},
    NamedSignal{SIGBUS, "Bus error"},
    NamedSignal{SIGILL, "Illegal instruction"},
    NamedSignal{SIGFPE, "Floating point exception"},
    NamedSignal{SIGABRT, "Aborted"},
};
constexpr size_t kNameColumns = 10;  // of the names in a finding
constexpr size_t kStackBytes = size_t{64} << 10;

std::mutex mutex;  // of the following two
int notices = 0;
std::array<struct sigaction, kSignals.size()> before;

thread_local const CallUnderWay* under_way = nullptr;

// NoteCrash is a signal handler: it and everything that it calls allocate nothing.

// Collects a text and writes it to stderr in large parts.
class Message {
 public:
  ~Message() { Flush(); }
  void Add(std::string_view text) {
    while (!text.empty()) {
      const size_t part = text.copy(buffer_.data() + size_, buffer_.size() - size_);
      size_ += part;
      text.remove_prefix(part);
      if (size_ == buffer_.size()) Flush();
    }
  }
  void Add(int64_t number) {
    std::array<char, 24> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    Add(std::string_view(digits.data(), static_cast<size_t>(end - digits.data())));
  }
  void Add(std::span<const int64_t> numbers) {
    for (size_t k = 0; k < numbers.size(); ++k) {
      if (k > 0) Add(",");
      Add(numbers[k]);
    }
  }

 private:
  void Flush() {
    for (size_t begin = 0; begin < size_;) {
      const ssize_t written = write(STDERR_FILENO, buffer_.data() + begin, size_ - begin);
      if (written < 0 && errno != EINTR) break;
      if (written > 0) begin += static_cast<size_t>(written);
    }
    size_ = 0;
  }

  std::array<char, 1024> buffer_;
  size_t size_ = 0;
};

void WriteNotice(const CallUnderWay& call, const NamedSignal& signal) {
  Message message;
  message.Add("FOUND: ");
  message.Add(call.subject);
  message.Add(" breaks subject-crash\n");
  message.Add(call.question);
  if (!call.at_name.empty()) {
    message.Add("  ");
    message.Add(call.at_name);
    message.Add(std::string_view("          ").substr(std::min(call.at_name.size(), kNameColumns)));
    message.Add(" (");
    message.Add(call.at);
    message.Add(")\n");
  }
  message.Add("  expected   an answer\n  actual     killed by signal ");
  message.Add(int64_t{signal.number});
  message.Add(" (");
  message.Add(signal.name);
  message.Add(")\n");
  if (call.repeat.empty()) return;
  message.Add("  repeat     ");
  message.Add(call.repeat);
  message.Add(call.at);
  message.Add(call.after_at);
  message.Add("\n");
}

extern "C" void NoteCrash(int number, siginfo_t* info, void* context) {
  const int error = errno;
  size_t k = 0;
  while (k + 1 < kSignals.size() && kSignals[k].number != number) ++k;
  if (const CallUnderWay* const call = std::exchange(under_way, nullptr)) WriteNotice(*call, kSignals[k]);
  errno = error;
  const struct sigaction& earlier = before[k];
  if ((earlier.sa_flags & SA_SIGINFO) != 0) return earlier.sa_sigaction(number, info, context);
  if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) return earlier.sa_handler(number);
  // The signal is blocked until this handler returns, and then ends the process.
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

CrashNotice::CrashNotice() {
  stack_t present{};
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0) {
    stack_ = std::malloc(kStackBytes);
    const stack_t own{.ss_sp = stack_, .ss_flags = 0, .ss_size = kStackBytes};
    if (stack_ != nullptr) sigaltstack(&own, nullptr);
  }
  const std::lock_guard lock(mutex);
  if (notices++ > 0) return;
  struct sigaction action{};
  action.sa_sigaction = NoteCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k].number, &action, &before[k]);
}

CrashNotice::~CrashNotice() {
  {
    const std::lock_guard lock(mutex);
    if (--notices == 0) {
      for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k].number, &before[k], nullptr);
    }
  }
  if (stack_ == nullptr) return;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
  std::free(stack_);
}

CrashNotice::Call::Call(const CallUnderWay& call) : before_(under_way), call_(call) { under_way = &call_; }

CrashNotice::Call::~Call() { under_way = before_; }

}  // namespace layoutcheck
