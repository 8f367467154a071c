// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands about a project's claims.
#pragma once

#include <vector>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns `run`, whose file may have entries of these commands.
Command RunClaimsCommand(std::vector<Command> kinds);
// Returns `init`.
Command InitCommand();

}  // namespace layoutcheck
