// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/stop_signals.h"
#include <atomic>

namespace layoutcheck {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

extern "C" void RequestStop(int) { requested = true; }

}  // namespace

StopSignals::StopSignals() {
  struct sigaction action{};
  action.sa_handler = RequestStop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &before_interrupt_);
  sigaction(SIGTERM, &action, &before_terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &before_interrupt_, nullptr);
  sigaction(SIGTERM, &before_terminate_, nullptr);
}

bool StopSignals::Requested() { return requested; }

}  // namespace layoutcheck
