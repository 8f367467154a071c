// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the program's arguments. parse_arguments.cc is the only file that knows the library behind it, CLI11.
#pragma once

#include <expected>
#include <vector>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns the options of the program itself, which print a page: --version, --man and --completion.
std::vector<Option> PageOptions();

// Reads the arguments of main() into the targets of the options of the command that they name, and returns that
// command. The program and each command also have --help. If the arguments ask for a page, prints it and returns
// kAccepted. If they cannot be used, prints why and returns kUnusable; without a command, also the help. With --json
// among them, errors are JSON from then on.
std::expected<const Command*, ExitCode> ParseArguments(const Command& program, int argc, const char* const* argv);

}  // namespace layoutcheck
