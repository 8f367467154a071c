// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <string_view>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Reads an integer > 0 with a unit: "500ms", "30s", "5m", "2h". Errors: kSyntax; kOverflow for more than a year.
Expected<std::chrono::milliseconds> ReadDuration(std::string_view text);

}  // namespace layoutcheck
