// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pages about a program and its commands: --help, the manual page, shell completions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include "layoutcheck/cli/base/option.h"

namespace layoutcheck {

// Returns the text that --help prints, or with the details that of --help=all, wrapped to at most `width` columns where
// lines may be rewrapped.
std::string HelpText(const Command& command, size_t width, bool with_details);

// Returns the program's manual page in roff.
std::string ManualPage(const Command& program);

inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
// Returns the completion script for one of kShells.
std::string CompletionScript(const Command& program, std::string_view shell);

}  // namespace layoutcheck
