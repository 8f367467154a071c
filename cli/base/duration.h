// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Durations on the command line.
#ifndef LAYOUTCHECK_CLI_BASE_DURATION_H_
#define LAYOUTCHECK_CLI_BASE_DURATION_H_

#include <chrono>
#include <string_view>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Reads "500ms", "30s", "5m" or "2h": an integer > 0 and a unit. Errors: any other text (kSyntax); more than a year
// (kOverflow).
Expected<std::chrono::milliseconds> ReadDuration(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_DURATION_H_
