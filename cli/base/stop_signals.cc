// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/stop_signals.h"
#include <atomic>
#include <cstdint>
#include <ctime>

namespace layoutcheck {
namespace {

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

}  // namespace

StopSignals::StopSignals() {
  struct sigaction action{};
  action.sa_handler = RequestStop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_interrupt_);
  sigaction(SIGTERM, &action, &before_terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &before_interrupt_, nullptr);
  sigaction(SIGTERM, &before_terminate_, nullptr);
}

bool StopSignals::Requested() { return requested; }

}  // namespace layoutcheck
