// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/fact.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::string FactsText(std::span<const Fact> facts, const TextStyle& style) {
  std::string text;
  for (const auto& [name, value] : facts) {
    std::string line = "  " + name;
    line.resize(std::max<size_t>(line.size() + 2, 20), ' ');
    StrAppend(text, line, WrappedWords(value, line.size(), style), "\n");
  }
  return text;
}

std::string WrappedWords(std::string_view words, size_t column, const TextStyle& style) {
  if (!style.wraps) return std::string(words);
  const auto width = static_cast<size_t>(style.width);
  std::string text;
  size_t at = column;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    const auto length = static_cast<size_t>(
        std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    if (at > column && at + 1 + length > width) {
      StrAppend(text, "\n", std::string(column, ' '));
      at = column;
    } else if (at > column) {
      text += ' ';
      ++at;
    }
    text += word;
    at += length;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return text;
}

}  // namespace layoutcheck
