// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/stop_signals.h"
#include <poll.h>
#include <unistd.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using std::chrono::milliseconds;

// time between two looks of the watching thread
constexpr milliseconds kBetweenLooks{50};

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

std::atomic<int64_t> requested_at = 0;  // in nanoseconds

extern "C" void RequestStop(int number) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t now = time.tv_sec * kSecond + time.tv_nsec;
  if (!requested.exchange(true)) {
    requested_at = now;
  } else if (now - requested_at > kSecond) {  // timeout(1) sends its signal twice: to the program and to its group
    std::signal(number, SIG_DFL);
    raise(number);
  }
}

// Returns true if standard output is a pipe or a terminal that nobody reads any more.
bool NobodyReads() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

StopSignals::StopSignals(StopOptions options) : options_(std::move(options)) {
  struct sigaction action = {};
  action.sa_handler = RequestStop;
  action.sa_flags = SA_RESTART;
  for (size_t k = 0; k < kSignals.size(); ++k) {
    sigaction(kSignals[k], nullptr, &before_[k]);
    if (kSignals[k] == SIGHUP && before_[k].sa_handler == SIG_IGN) continue;
    sigaction(kSignals[k], &action, nullptr);
  }
  watch_ = std::thread([this] { Watch(); });
}

StopSignals::~StopSignals() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  end_.notify_one();
  watch_.join();
  for (size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &before_[k], nullptr);
}

void StopSignals::Watch() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return is_over_; };
  while (!requested) {
    if (end_.wait_for(lock, kBetweenLooks, is_over)) return;
    if (options_.ends_without_reader && NobodyReads()) requested = true;
  }
  const auto stopped = std::chrono::steady_clock::now();
  while (!options_.patience || std::chrono::steady_clock::now() - stopped < *options_.patience) {
    if (options_.on_stop) options_.on_stop();
    if (end_.wait_for(lock, kBetweenLooks, is_over)) return;
  }
  std::fflush(stdout);
  PrintDiagnostic(options_.command, "warning: the run was interrupted; what was not printed is undecided");
  _exit(static_cast<int>(ExitCode::kUndecided));
}

bool StopSignals::Requested() { return requested; }

}  // namespace layoutcheck
