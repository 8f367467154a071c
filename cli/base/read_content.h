// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Returns the content of a file, or of standard input for "-". Errors (unavailable), which name it: it cannot be read
// to its end; it has more than `most` bytes.
Expected<std::string> ReadContent(const std::string& name, size_t most = std::numeric_limits<size_t>::max());

}  // namespace layoutcheck
