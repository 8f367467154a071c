// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options with which a user says how a subject is run, and how a run of check or fuzz.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/subjects/factory/subject_factory.h"

namespace layoutcheck {

struct SubjectArguments {
  std::optional<std::string> timeout;  // 10 seconds if absent
  bool isolate = false;
};

// Returns --subject S, with the names of all subjects for completions.
Option SubjectOption(std::string description, OptionTarget subject);
Option SubjectTimeoutOption(SubjectArguments& arguments);

// The arguments of a run that draws cases, as the user wrote them.
struct RunArguments {
  std::string subject = "reference";
  std::optional<uint64_t> cases;
  std::string time;
  std::string known;
  std::optional<std::string> out;
  uint64_t seed = 1;
  std::string shard;
  uint64_t jobs = 1;
  SubjectArguments subject_arguments;
  bool stop_at_first = false;
  bool quiet = false;
  bool json = false;
  std::vector<GivenOption> given;
};

// Returns the options from `known` on. `verb` is "check" or "fuzz", and `drawn` what is drawn: "layouts".
std::vector<Option> RunOptions(std::string_view verb, std::string_view drawn, RunArguments& arguments);

// Returns the options for this subject. A library with a time limit is isolated, because a call in this process cannot
// be ended. Errors, which name the option: an invalid timeout; kUnavailable if the program's own file is not found.
Expected<SubjectOptions> ToSubjectOptions(const SubjectArguments& arguments, std::string_view subject);

}  // namespace layoutcheck
