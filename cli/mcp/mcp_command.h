// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns the command `mcp`, whose tools are some of the commands of the program, `commands`.
Command McpCommand(std::vector<Command> commands);

}  // namespace layoutcheck
