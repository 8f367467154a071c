// Durations as the command line writes them.
#ifndef LAYOUTCHECK_CLI_BASE_DURATION_H_
#define LAYOUTCHECK_CLI_BASE_DURATION_H_

#include <chrono>
#include <string_view>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// "500ms", "30s", "5m", "2h": an integer > 0 and a unit. Errors: anything else (kSyntax); more than a year (kOverflow).
Expected<std::chrono::milliseconds> ReadDuration(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_DURATION_H_
