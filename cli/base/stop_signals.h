// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace layoutcheck {

// Time that a command has to report what it has after an interruption, if what it does cannot be cut short.
inline constexpr std::chrono::milliseconds kTimeToReport{1000};

// Options for the end of a run, which StopSignals::Requested() announces in any case.
struct StopOptions {
  // Interrupts the work. Called from another thread, again and again until the run has ended.
  std::function<void()> on_stop = {};
  // Time that the run has to end by itself. After it, the program writes what it has printed, says that `command` was
  // interrupted, and exits with code 3. Without it, the run has as much time as it needs.
  std::optional<std::chrono::milliseconds> patience = {};
  std::string command = {};
  // The run ends, too, when nobody reads the pipe to which it prints. Without this, it ends at its next write.
  bool ends_without_reader = false;
};

// While an object is alive, the run is asked to end and to report what it has by the first Ctrl-C (SIGINT), SIGTERM or
// SIGHUP. One that comes over a second later ends the program at once. SIGHUP stays ignored where it is, as nohup wants
// it. At most one object is alive. It has a thread: make it after a fork.
class StopSignals {
 public:
  explicit StopSignals(StopOptions options = {});
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Returns true once the run was asked to end, also after the object's end.
  static bool Requested();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

  void Watch();

  StopOptions options_;
  std::array<struct sigaction, kSignals.size()> before_{};
  std::mutex mutex_;
  std::condition_variable end_;
  bool is_over_ = false;  // the object ends
  std::thread watch_;
};

}  // namespace layoutcheck
