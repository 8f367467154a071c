// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/budget.h"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::pair<std::string_view, BudgetAmount> kAmounts[] = {{"waste", BudgetAmount::kWaste},
                                                                  {"bytes", BudgetAmount::kBytes},
                                                                  {"copies", BudgetAmount::kCopies},
                                                                  {"peak", BudgetAmount::kPeak}};

std::string_view WithoutBlanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Returns the number of "20%", or nothing if the text is no percentage from 0 to 100.
std::optional<double> ParsePercent(std::string_view text) {
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  const std::string_view unit = WithoutBlanks(std::string_view(rest, static_cast<size_t>(end - rest)));
  if (error != std::errc() || unit != "%" || !(percent >= 0 && percent <= 100)) return std::nullopt;
  return percent;
}

// Returns the part of the amount that one array makes, in bytes.
int64_t ShareOf(BudgetAmount amount, const ArrayCost& array) {
  switch (amount) {
    case BudgetAmount::kWaste: return array.padding();
    case BudgetAmount::kBytes:
    case BudgetAmount::kPeak: return array.bytes;
    case BudgetAmount::kCopies: return IsCopy(*array.instruction) ? array.bytes : 0;
  }
  return 0;
}

// Returns the arrays that make most of the amount, the largest first.
std::vector<const ArrayCost*> LargestArrays(BudgetAmount amount, const ModuleScan& scan) {
  constexpr size_t kMostArrays = 3;
  std::vector<const ArrayCost*> arrays;
  for (const ArrayCost& array : amount == BudgetAmount::kPeak ? scan.live->peak_arrays : scan.arrays) {
    if (ShareOf(amount, array) > 0) arrays.push_back(&array);
  }
  const auto middle = arrays.begin() + static_cast<ptrdiff_t>(std::min(kMostArrays, arrays.size()));
  std::ranges::partial_sort(arrays, middle, [&](const ArrayCost* a, const ArrayCost* b) {
    const int64_t share_a = ShareOf(amount, *a);
    const int64_t share_b = ShareOf(amount, *b);
    return share_a != share_b ? share_a > share_b : a < b;
  });
  arrays.erase(middle, arrays.end());
  return arrays;
}

// Returns the bytes that a budget limits, and those of their elements.
MemoryTotals BytesOf(BudgetAmount amount, const ModuleScan& scan) {
  if (amount == BudgetAmount::kCopies) return scan.copies;
  if (amount != BudgetAmount::kPeak) return scan.totals;
  const LiveBytes& peak = scan.live->curve[scan.live->peak];
  return {0, peak.bytes, peak.needed_bytes};
}

// Returns the amount in words.
std::string Sentence(BudgetAmount amount, const MemoryTotals& totals) {
  const std::string bytes = RoundedBytes(totals.bytes);
  switch (amount) {
    case BudgetAmount::kWaste: return fmt::format("{:.4g} % of {} are padding", 100 * totals.waste(), bytes);
    case BudgetAmount::kBytes: return StrCat(bytes, " are allocated");
    case BudgetAmount::kCopies: return StrCat("copies write ", bytes);
    case BudgetAmount::kPeak: return StrCat(bytes, " are alive at the peak");
  }
  return "";
}

}  // namespace

Expected<Budget> ParseBudget(std::string_view text) {
  const auto column_of = [&](std::string_view part) { return static_cast<int64_t>(part.data() - text.data()) + 1; };
  Budget budget{.text = std::string(WithoutBlanks(text))};
  const size_t less = text.find('<');
  const std::string_view name = WithoutBlanks(text.substr(0, less));
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
  const std::string_view limit = WithoutBlanks(text.substr(less + 1));
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

std::string WhyNotHeld(const Budget& budget, const ModuleScan& scan) {
  if (!scan.facts->has_assigned_layouts()) return "no layouts yet";
  if (budget.amount == BudgetAmount::kPeak && !scan.live) return "live memory is not known";
  return "";
}

std::optional<Json> ExceededJson(const Budget& budget, ModuleScan& scan) {
  const bool is_waste = budget.amount == BudgetAmount::kWaste;
  const MemoryTotals totals = BytesOf(budget.amount, scan);
  const bool is_kept =
      is_waste ? 100 * totals.waste() < budget.percent || totals.bytes == 0 : totals.bytes < budget.bytes;
  if (is_kept) return std::nullopt;
  std::string message = Sentence(budget.amount, totals);
  Json arrays = Json::array();
  std::string_view separator = "; most by ";
  for (const ArrayCost* array : LargestArrays(budget.amount, scan)) {
    arrays.push_back(ArrayJson(scan, *array));
    StrAppend(message, separator, array->computation->name, "/", array->instruction->name, " (",
              RoundedBytes(ShareOf(budget.amount, *array)), ")");
    separator = ", ";
  }
  Json json{{"type", "budget"},
            {"rule", "budget"},
            {"budget", budget.text},
            {"file", scan.file},
            {"line", scan.module->place.line},
            {"column", scan.module->place.column},
            {"module", scan.module->name},
            {"severity", SeverityName(Severity::kError)},
            {"message", std::move(message)},
            {"value", is_waste ? Json(totals.waste()) : Json(totals.bytes)},
            {"limit", is_waste ? Json(budget.percent / 100) : Json(budget.bytes)},
            {"arrays", std::move(arrays)}};
  return json;
}

}  // namespace layoutcheck
