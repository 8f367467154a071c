// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/scan/budget.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/trim.h"

namespace layoutcheck {
namespace {

constexpr std::pair<std::string_view, BudgetAmount> kAmounts[] = {{"waste", BudgetAmount::kWaste},
                                                                  {"bytes", BudgetAmount::kBytes},
                                                                  {"copies", BudgetAmount::kCopies},
                                                                  {"peak", BudgetAmount::kPeak}};

// Returns the number of "20%", or nothing if the text is no percentage from 0 to 100.
std::optional<double> ParsePercent(std::string_view text) {
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  const std::string_view unit = Trimmed(std::string_view(rest, static_cast<size_t>(end - rest)));
  if (error != std::errc() || unit != "%" || !(percent >= 0 && percent <= 100)) return std::nullopt;
  return percent;
}

}  // namespace

Expected<Budget> ParseBudget(std::string_view text) {
  const auto column_of = [&](std::string_view part) { return static_cast<int64_t>(part.data() - text.data()) + 1; };
  Budget budget{.text = std::string(Trimmed(text))};
  const size_t less = text.find('<');
  const std::string_view name = Trimmed(text.substr(0, less));
  const auto amount = std::ranges::find(kAmounts, name, &std::pair<std::string_view, BudgetAmount>::first);
  if (amount == std::end(kAmounts)) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected waste, bytes, copies or peak, found '", name, "'"),
                     name.empty() ? 1 : column_of(name));
  }
  budget.amount = amount->second;
  if (less == std::string_view::npos) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected '<' and a limit after '", name, "'"),
                     static_cast<int64_t>(text.size()) + 1);
  }
  const std::string_view limit = Trimmed(text.substr(less + 1));
  const int64_t column = limit.empty() ? static_cast<int64_t>(less) + 2 : column_of(limit);
  if (budget.amount == BudgetAmount::kWaste) {
    const auto percent = ParsePercent(limit);
    if (percent) return budget.percent = *percent, budget;
    return MakeError(ErrorKind::kSyntax, StrCat("expected a percentage such as 20%, found '", limit, "'"), column);
  }
  const auto bytes = ParseBytes(limit);
  if (!bytes) return MakeError(bytes.error().kind, bytes.error().message, column);
  budget.bytes = *bytes;
  return budget;
}

}  // namespace layoutcheck
