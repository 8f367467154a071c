// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties that the text targets check for every text, well formed or not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// Returns a sentence about the first property that core breaks on this text, or nothing:
// - an accepted value is printed, read back equal, and printed the same again;
// - a rejection names a column in the text or right after it, and is a syntax error or an invalid layout;
// - an accepted value is valid, and only a well-formed text is rejected as an invalid layout;
// - white space and comments between tokens change nothing (checked for one text in eight, chosen by its hash).
std::optional<std::string> BrokenTextProperty(TextKind kind, std::string_view text);

}  // namespace layoutcheck
