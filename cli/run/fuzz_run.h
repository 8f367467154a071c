// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work behind `fuzz`.
#pragma once

#include <string>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/run/subject_arguments.h"

namespace layoutcheck {

// The arguments of `fuzz` as the user wrote them.
struct FuzzCommandLine : RunArguments {
  std::string kind = "shape";
  std::string corpus;
};

// Runs the command and prints its findings as they are found, and its totals.
ExitCode RunFuzz(const FuzzCommandLine& arguments);

}  // namespace layoutcheck
