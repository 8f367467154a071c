// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answering side of the subject protocol, for a subject in this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// Returns the answer to a request line, without a newline: {"unsupported":why} if the subject declines or the line is
// not a request of protocol 1, and {"error":why} if the subject fails.
std::string AnswerRequest(Subject& subject, std::string_view request);

// Answers the lines from descriptor `input` on `output` until the input ends or nobody reads the answers. Answers to
// requests that came together are written together, each after a tenth of a second at most. Calls `on_answer` after
// each answer, before writing it. Error (kUnavailable): the input cannot be read or the output cannot be written, for
// example because the disk is full.
Expected<void> Serve(Subject& subject, int input, int output, const std::function<void()>& on_answer = [] {});

}  // namespace layoutcheck
