// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: reads the code blocks of a page.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace layoutcheck {

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Returns the lines of each block that begins with the line ```LANGUAGE.
inline std::vector<std::vector<std::string>> Blocks(const std::string& markdown, const std::string& language) {
  std::vector<std::vector<std::string>> blocks;
  bool inside = false;
  bool wanted = false;
  for (const std::string& line : Lines(markdown)) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line == "```" + language;
      if (wanted) blocks.emplace_back();
    } else if (wanted) {
      blocks.back().push_back(line);
    }
  }
  return blocks;
}

}  // namespace layoutcheck
