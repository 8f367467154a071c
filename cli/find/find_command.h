// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command find.
#pragma once

#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

Command FindCommand();

}  // namespace layoutcheck
