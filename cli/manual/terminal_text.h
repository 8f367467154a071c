// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns Markdown as text for a terminal of so many columns: paragraphs and items are wrapped, blocks of code are
// indented, each row of a table is its first cell with the others below it, and links are their text. With `bold`,
// headings, strong text and first cells are bold by escape sequences.
std::string TerminalText(std::string_view markdown, size_t width, bool bold);

}  // namespace layoutcheck
