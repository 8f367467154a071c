// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace layoutcheck {

// The reason why a run ends, or kNone while it goes on.
enum class RunEnd { kNone, kTimeUp, kInterrupted };

// Returns why the run ends now. Several threads may call it at once.
using RunEndNow = std::function<RunEnd()>;

// Time after the end of a run's time in which failures are still confirmed, and in which a process may still answer
// after an interruption.
inline constexpr std::chrono::milliseconds kTimeAfterEnd{500};

// Returns the reason as the end of a sentence: "..., because " + InWords(end).
constexpr std::string_view InWords(RunEnd end) {
  return end == RunEnd::kInterrupted ? "the run was interrupted" : "the time was up";
}

}  // namespace layoutcheck
