// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/outcomes.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

// Returns true for the line of a decision for `choice`: "Y", or "split POLYNOMIAL Y".
bool IsDecision(std::string_view line, char choice) {
  if (line.size() == 1) return line[0] == choice;
  return line.starts_with("split ") && line.ends_with(StrCat(' ', choice));
}

}  // namespace

bool Outcomes::StartPath() {
  while (!taken_.empty() && !IsDecision(taken_.back(), 'Y')) taken_.pop_back();
  if (taken_.empty() && !std::exchange(is_first_, false)) return false;
  is_first_ = false;
  if (!taken_.empty()) taken_.back().back() = 'N';
  repeated_ = std::exchange(taken_, {});
  return true;
}

Checked<std::string_view> Outcomes::Take() {
  const std::string_view line = lines_.line();
  if (taken_.size() < repeated_.size()) {
    const std::string& expected = repeated_[taken_.size()];
    if (line != expected) return lines_.RefuseLine(StrCat(Quoted(expected), " as on the path before"));
  } else if (IsDecision(line, 'N')) {
    return lines_.Refuse("expected the path with Y before the one with N");
  }
  taken_.emplace_back(line);
  lines_.Advance();
  return line;
}

Checked<void> Outcomes::EndPath() const {
  if (taken_.size() >= repeated_.size()) return {};
  return lines_.RefuseLine(StrCat(Quoted(repeated_[taken_.size()]), " as on the path before"));
}

}  // namespace layoutcheck::verify
