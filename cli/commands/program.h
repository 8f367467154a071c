// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program without its process, for main() and for tests.
#pragma once

#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

// Runs the command that the arguments of the process name, and writes all of its output. Returns the exit code of the
// process.
ExitCode RunCommandLine(int argc, char** argv);

}  // namespace layoutcheck
