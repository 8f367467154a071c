// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string_view>
#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

// Returns run(), the work of a command that uses Z3. Under a limit of the address space (ulimit -v) it runs in a
// process of its own, because Z3 does not survive every failed allocation: a process that dies leaves its questions
// undecided, and stderr says so.
ExitCode RunWithinMemoryLimit(std::string_view command, const std::function<ExitCode()>& run);

}  // namespace layoutcheck
