// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns the command `explain`. `commands` are those of the program, which are topics, too.
Command ExplainCommand(std::vector<Command> commands);

}  // namespace layoutcheck
