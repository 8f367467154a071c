// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/manual/markdown.h"
#include <algorithm>
#include <cctype>
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {

std::vector<std::string_view> MarkdownLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

size_t HeadingLevel(std::string_view line) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level < line.size() && line[level] == ' ' ? level : 0;
}

std::string_view HeadingOf(std::string_view line) { return Trimmed(line.substr(HeadingLevel(line))); }

std::vector<std::string> CellsOf(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  for (size_t k = 1; k < row.size(); ++k) {
    if (row[k] == '|' && row[k - 1] != '\\') {
      cells.emplace_back(Trimmed(cell));
      cell.clear();
    } else {
      cell += row[k];
    }
  }
  return cells;
}

bool BeginsBlock(std::string_view line) {
  return Trimmed(line).empty() || line.starts_with('#') || line.starts_with('|') || line.starts_with("```");
}

std::optional<MarkdownLink> LinkAt(std::string_view text, size_t begin) {
  if (!text.substr(begin).starts_with('[')) return std::nullopt;
  const size_t middle = text.find("](", begin);
  const size_t end = text.find(')', middle);
  if (middle == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  const std::string_view words = text.substr(begin + 1, middle - begin - 1);
  if (words.find('[') != std::string_view::npos) return std::nullopt;
  return MarkdownLink{words, text.substr(middle + 2, end - middle - 2), end + 1};
}

std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ' || c == '-') {
      anchor += '-';
    } else if (std::isalnum(byte) != 0 || c == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

}  // namespace layoutcheck
