// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/name_ranges.h"
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns "all M, N >= 0", "every int32 B", "every integer B" or "every B from 0 to 127".
std::string PartText(const std::string& range, const std::vector<std::string>& names) {
  const std::string list = StrJoin(names, ", ");
  if (range.starts_with(">=")) return StrCat("all ", list, " ", range);
  const std::string quantifier = names.size() == 1 ? "every" : "all";
  if (range.contains(' ')) return StrCat(quantifier, " ", list, " from ", range);
  const bool is_plural = range == kIntegerRange && names.size() > 1;
  return StrCat(quantifier, " ", range, is_plural ? "s " : " ", list);
}

}  // namespace

std::string RangeOf(const std::string& name, const NameRanges& ranges) {
  const auto range = ranges.find(name);
  return range == ranges.end() ? kNotNegativeRange : range->second;
}

std::string ForAllText(std::span<const std::string> names, const NameRanges& ranges) {
  std::vector<std::pair<std::string, std::vector<std::string>>> parts;  // the names of each range
  for (const std::string& name : names) {
    const std::string range = RangeOf(name, ranges);
    auto part = std::ranges::find(parts, range, &decltype(parts)::value_type::first);
    if (part == parts.end()) part = parts.insert(parts.end(), {range, {}});
    part->second.push_back(name);
  }
  std::string text = "for ";
  for (size_t k = 0; k < parts.size(); ++k) {
    StrAppend(text, PartText(parts[k].first, parts[k].second), k + 1 < parts.size() ? ", " : " and ");
  }
  return text + "every index";
}

}  // namespace layoutcheck
