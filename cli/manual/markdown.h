// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Markdown of the pages in docs/, as far as it goes: headings, paragraphs, items, tables, fenced code, links.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck {

// Returns the lines of a text, without their ends.
std::vector<std::string_view> MarkdownLines(std::string_view text);

// Returns the text of a heading without its marks, and its level: the number of marks, or 0 for another line.
std::string_view HeadingOf(std::string_view line);
size_t HeadingLevel(std::string_view line);

// Returns the cells of a row of a table, trimmed. A mark behind a backslash separates no cells.
std::vector<std::string> CellsOf(std::string_view row);

// Returns true for a line with which a paragraph before it ends: an empty one, a heading, a table or a fence.
bool BeginsBlock(std::string_view line);

// A link, [text](target).
struct MarkdownLink {
  std::string_view text;
  std::string_view target;
  size_t end = 0;  // behind it, in the text
};
// Returns the link that begins at a place of a text, if one does.
std::optional<MarkdownLink> LinkAt(std::string_view text, size_t begin);

// Returns the anchor of a heading, as GitHub makes it: "Tags of CATLASS" has "tags-of-catlass".
std::string AnchorOf(std::string_view heading);

}  // namespace layoutcheck
