// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/budget.h"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

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
