// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds texts from pieces. Core uses no formatting library, because it depends on the standard library alone.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace layoutcheck {

inline void StrAppendOne(std::string& out, std::string_view piece) { out.append(piece); }
inline void StrAppendOne(std::string& out, char piece) { out.push_back(piece); }
template <std::integral T>
  requires(!std::same_as<T, char> && !std::same_as<T, bool>)
void StrAppendOne(std::string& out, T piece) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), piece).ptr;
  out.append(digits, end);
}

// Returns the length of the piece; 1 for an integer, which may be longer.
inline size_t LeastLengthOf(std::string_view piece) { return piece.size(); }
template <std::integral T>
size_t LeastLengthOf(T) {
  return 1;
}

// Appends the pieces (text, characters, integers) to `out`.
template <class... Pieces>
void StrAppend(std::string& out, const Pieces&... pieces) {
  (StrAppendOne(out, pieces), ...);
}

// Returns the pieces as one string.
template <class... Pieces>
std::string StrCat(const Pieces&... pieces) {
  std::string out;
  out.reserve((LeastLengthOf(pieces) + ... + 0));
  StrAppend(out, pieces...);
  return out;
}

// Returns the items of a range with `separator` between them: StrJoin({3, 5}, ",") is "3,5".
template <class Range>
std::string StrJoin(const Range& items, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out.append(separator);
    first = false;
    StrAppendOne(out, item);
  }
  return out;
}

}  // namespace layoutcheck
