// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The self-test of a subject, for its author: plays a short transcript of the subject protocol with a process and
// compares each answer with the reference's.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

struct SelfTestStep {
  enum class Result { kRight, kDeclined, kWrong };

  std::string name;  // "offset f32[2,3]{0,1}"
  Result result = Result::kWrong;
  std::string sent;      // request lines without the last newline; empty if not asked
  std::string expected;  // the reference's answer or the behavior that the protocol requires
  std::string received;  // the answer line, the failure, or the reason if declined
};

// "right", "declined" or "wrong".
std::string_view SelfTestResultName(SelfTestStep::Result result);

// Starts `sh -c command`, plays the transcript and returns its steps. Restarts the process after a step in which it
// crashes, hangs or breaks the protocol. Error (kUnavailable): the command cannot be run, or declines `hello`.
Expected<std::vector<SelfTestStep>> RunSelfTest(const std::string& command, std::chrono::milliseconds timeout);

}  // namespace layoutcheck
