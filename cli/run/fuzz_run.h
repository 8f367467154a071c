// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work behind `fuzz`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/run/manifest.h"
#include "layoutcheck/cli/run/subject_arguments.h"

namespace layoutcheck {

// The arguments of `fuzz` as the user wrote them.
struct FuzzCommandLine {
  std::string subject = "reference";
  std::string kind = "shape";
  std::string time;  // empty: a minute, or no limit with --cases
  std::optional<uint64_t> cases;
  std::string corpus;
  std::string out = "layoutcheck-out";
  bool out_given = false;
  std::string shard;
  Work work;  // for the manifest of a share
  uint64_t seed = 1;
  size_t jobs = 1;
  SubjectArguments subject_arguments;
  std::string known;
  bool stop_at_first = false;
  bool quiet = false;
  bool json = false;
};

// Runs the command and prints its findings as they are found, and its totals.
ExitCode RunFuzz(const FuzzCommandLine& arguments);

}  // namespace layoutcheck
