// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options with which a user says how a subject is run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace CLI {
class App;
}  // namespace CLI

namespace layoutcheck {

struct SubjectArguments {
  std::optional<std::string> timeout;  // 10 seconds if absent
  bool isolate = false;
};

void AddSubjectTimeout(CLI::App& command, SubjectArguments& arguments);
void AddIsolate(CLI::App& command, SubjectArguments& arguments);

// Returns the options for this subject. A library with a time limit is isolated, because a call in this process cannot
// be ended. Errors, which name the option: an invalid timeout; kUnavailable if the program's own file is not found.
Expected<SubjectOptions> ToSubjectOptions(const SubjectArguments& arguments, std::string_view subject);

}  // namespace layoutcheck
