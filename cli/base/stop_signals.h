// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>

namespace layoutcheck {

// While an object is alive, the first Ctrl-C (SIGINT) or SIGTERM asks the run to end and report what it has. One that
// comes over a second later ends the program at once. At most one object is alive.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Returns true once a signal has come, also after the object's end.
  static bool Requested();

 private:
  struct sigaction before_interrupt_{};
  struct sigaction before_terminate_{};
};

}  // namespace layoutcheck
