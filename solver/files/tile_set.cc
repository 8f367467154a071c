// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/files/tile_set.h"
#include <cerrno>
#include <cstring>
#include <fstream>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
Expected<ProveEntry> ParseProveEntry(const std::string& line) {
  ProveEntry entry;
  entry.text = Trimmed(line);
  size_t begin = 0;
  for (bool first = true; begin <= line.size(); first = false) {
    const size_t end = std::min(line.find(';', begin), line.size());
    const std::string_view field = Trimmed(std::string_view(line).substr(begin, end - begin));
    const auto column = static_cast<int64_t>(line.find_first_not_of(" \t\r", begin) + 1);
    begin = end + 1;
    if (first) {
      entry.layout = field;
      continue;
    }
    const std::string_view key = field.substr(0, field.find_first_of(" \t"));
    const std::string value(Trimmed(field.substr(key.size())));
    if (key == "formula" && !entry.formula) {
      entry.formula = value;
    } else if (key == "equals" && !entry.equals) {
      entry.equals = value;
    } else if (key == "assume") {
      entry.assumptions.push_back(value);
    } else if (key == "signed") {
      entry.signed_names.push_back(value);
    } else {
      return MakeError(
          ErrorKind::kSyntax,
          StrCat("expected 'formula', 'equals' (once each), 'assume' or 'signed' after ';', found '", key, "'"),
          column);
    }
  }
  if (!entry.formula && (entry.equals || !entry.assumptions.empty() || !entry.signed_names.empty())) {
    return MakeError(ErrorKind::kSyntax, "expected 'formula', too, where 'equals', 'assume' or 'signed' is given");
  }
  if (entry.layout.empty() && !entry.equals) {
    return MakeError(ErrorKind::kSyntax, "expected a layout before ';', or 'equals'", 1);
  }
  return entry;
}

Expected<std::vector<ProveEntry>> ReadTileSet(const std::string& file) {
  std::ifstream in(file);
  if (!in) return UnavailableError("cannot read ", file, ": ", std::strerror(errno));
  std::vector<ProveEntry> entries;
  std::string line;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    const std::string_view text = Trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    Expected<ProveEntry> entry = ParseProveEntry(line);
    if (!entry) {
      return MakeError(entry.error().kind, StrCat(file, ": line ", number, ": ", entry.error().ToString()));
    }
    entries.push_back(std::move(*entry));
  }
  if (in.bad()) return UnavailableError("cannot read ", file, ": ", std::strerror(errno));
  if (entries.empty()) return ArgumentError(file, " has no entry");
  return entries;
}

}  // namespace layoutcheck
