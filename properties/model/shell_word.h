// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace layoutcheck {

// Returns the text as one word of a POSIX shell command: unchanged if safe, otherwise in single quotes.
std::string ShellWord(std::string_view word);

}  // namespace layoutcheck
