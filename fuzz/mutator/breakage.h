// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breaks text on purpose, in the ways in which parsers fail.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// Returns the text with one change, usually malformed:
// - a token is removed, doubled, exchanged or inserted; an attribute is repeated or out of order;
// - an integer is huge, negative or not an integer; a comma is added; blanks stand inside a token;
// - brackets are nested up to and past the limit;
// - stray bytes: NUL, bytes >= 0x80, bytes that only look like white space;
// - the end is cut off, or more text follows it.
std::string BreakText(std::string_view text, Random& random);

}  // namespace layoutcheck
