// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

// Returns the text behind the keyword of the present line and moves behind the line. Returns nothing if it has another.
std::optional<std::string_view> TakeText(Lines& lines, std::string_view keyword) {
  std::string_view line = lines.line();
  if (!line.starts_with(keyword) || line.size() <= keyword.size() || line[keyword.size()] != ' ') return std::nullopt;
  line.remove_prefix(keyword.size() + 1);
  lines.Advance();
  return line;
}

}  // namespace

std::string Claim::Subject() const {
  std::string text;
  const auto add = [&](std::string_view word, const std::optional<std::string_view>& part) {
    if (part) StrAppend(text, text.empty() ? "" : " ", word, *part);
  };
  add("", layout);
  add("own ", own);
  add("", formula);
  add("equals ", equals);
  add("below ", below);
  add("over ", over);
  add("in ", integer);
  add("read from ", source);
  return text;
}

std::string Claim::ToText() const {
  std::string text = StrCat(law, ": ", Subject());
  for (const std::string_view name : signed_names) StrAppend(text, " signed ", name);
  for (const std::string_view assumption : assumptions) StrAppend(text, " where ", assumption);
  return text;
}

Checked<Claim> TakeClaim(Lines& lines) {
  Claim claim;
  const auto law = TakeText(lines, "law");
  if (!law) return lines.RefuseLine("'law' and its name");
  claim.law = *law;
  claim.layout = TakeText(lines, "layout");
  if (!claim.layout) claim.over = TakeText(lines, "over");
  claim.own = TakeText(lines, "own");
  if (!claim.own) claim.formula = TakeText(lines, "formula");
  claim.equals = TakeText(lines, "equals");
  claim.below = TakeText(lines, "below");
  while (const auto name = TakeText(lines, "signed")) claim.signed_names.push_back(*name);
  while (const auto assumption = TakeText(lines, "assume")) claim.assumptions.push_back(*assumption);
  claim.integer = TakeText(lines, "integer");
  claim.source = TakeText(lines, "source");
  return claim;
}

}  // namespace layoutcheck::verify
