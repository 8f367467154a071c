// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace layoutcheck {

// Returns the text with control characters as escapes, so that it is one line. Bytes >= 0x80 are kept.
std::string OneLine(std::string_view text);

}  // namespace layoutcheck
