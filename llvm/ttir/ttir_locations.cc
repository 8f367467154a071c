// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttir/ttir_locations.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMostAliases = 64;  // one inside another

// Returns the part of the text from `begin` on that ends before the parenthesis that closes what is open there.
std::string_view UpToClosing(std::string_view text, size_t begin) {
  int depth = 1;
  bool is_quoted = false;
  for (size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(begin, at - begin);
  }
  return text.substr(begin);
}

// Returns "kernel.py:7" of `"/home/me/kernel.py":7:3`, or an empty text.
std::string FileAndLine(std::string_view text) {
  const size_t end = text.find('"', 1);
  if (!text.starts_with('"') || end == std::string_view::npos || text.substr(end + 1, 1) != ":") return "";
  std::string_view file = text.substr(1, end - 1);
  file.remove_prefix(file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/') + 1);
  const std::string_view rest = text.substr(end + 2);
  const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return digits == 0 ? "" : StrCat(file, ":", rest.substr(0, digits));
}

}  // namespace

TtirLocations::TtirLocations(std::string_view text) {
  constexpr std::string_view kDefinition = " = loc(";
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view definition = text.substr(line, end - line);
    const size_t equals = definition.find(kDefinition);
    if (definition.starts_with('#') && equals != std::string_view::npos) {
      aliases_.emplace(definition.substr(0, equals), UpToClosing(definition, equals + kDefinition.size()));
    }
    line = end + 1;
  }
}

std::string TtirLocations::PlaceOf(std::string_view location, int depth) const {
  if (depth == kMostAliases) return "";
  if (location.starts_with('#')) {
    const auto known = aliases_.find(location);
    return known == aliases_.end() ? "" : PlaceOf(known->second, depth + 1);
  }
  if (const size_t call = location.rfind(" at "); location.starts_with("callsite(") && call != std::string_view::npos) {
    return PlaceOf(UpToClosing(location, call + 4), depth + 1);
  }
  if (const std::string place = FileAndLine(location); !place.empty()) return place;
  const size_t inner = location.find('(');  // `"name"(...)`
  return location.starts_with('"') && inner != std::string_view::npos
             ? PlaceOf(UpToClosing(location, inner + 1), depth + 1)
             : "";
}

}  // namespace layoutcheck
