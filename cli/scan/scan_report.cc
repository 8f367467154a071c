// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/scan_report.h"
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the name of a budget among the rules that were not applied.
std::string NameOf(const Budget& budget) { return StrCat("budget ", budget.text); }

}  // namespace

void TopRows::Add(double weight, Json row) {
  rows_.emplace(weight, std::move(row));
  if (rows_.size() > size_) rows_.erase(std::prev(rows_.end()));
}

std::vector<Json> TopRows::Rows() const {
  std::vector<Json> rows;
  for (const auto& [weight, row] : rows_) rows.push_back(row);
  return rows;
}

void ScanFindings::AddFinding(Json finding) {
  ++counts[finding["severity"].text()][finding["rule"].text()];
  findings.push_back(std::move(finding));
}

int64_t ScanFindings::CountOf(const std::string& severity) const {
  int64_t sum = 0;
  const auto rules = counts.find(severity);
  if (rules == counts.end()) return 0;
  for (const auto& [rule, count] : rules->second) sum += count;
  return sum;
}

bool ScanReport::IsSelected(const ArrayCost& array) const {
  return array.bytes >= options_.min_bytes &&
         (options_.opcode.empty() || array.instruction->opcode == options_.opcode) &&
         (options_.computation.empty() || array.computation->name == options_.computation);
}

double ScanReport::WeightOf(const ArrayCost& array) const {
  switch (options_.order) {
    case ArrayOrder::kPadding: return static_cast<double>(array.padding());
    case ArrayOrder::kBytes: return static_cast<double>(array.bytes);
    case ArrayOrder::kWaste: return array.waste();
  }
  return 0;
}

void ScanReport::Print(const Json& row) const {
  if (options_.json && print_ != nullptr) print_(row);
}

void ScanReport::AddFinding(Json finding) {
  Print(finding);
  results_.AddFinding(std::move(finding));
}

void ScanReport::AddToTables(ModuleScan& scan) {
  for (const ArrayCost& array : scan.arrays) {
    if (!IsSelected(array)) continue;
    if (options_.json) {
      if (options_.arrays) Print(ArrayJson(scan, array));
      continue;
    }
    const double weight = WeightOf(array);
    if (weight > 0 && largest_.Takes(weight)) largest_.Add(weight, ArrayJson(scan, array));
    const auto bytes = static_cast<double>(array.bytes);
    if (bytes > 0 && IsCopy(*array.instruction) && copies_.Takes(bytes)) copies_.Add(bytes, ArrayJson(scan, array));
  }
}

void ScanReport::Add(ModuleScan& scan) {
  ++results_.modules;
  results_.instructions += scan.instructions;
  results_.totals.Add(scan.totals);
  results_.copies.Add(scan.copies);
  for (const auto& [space, totals] : scan.by_memory_space) results_.by_memory_space[space].Add(totals);
  if (scan.on_device) {
    if (!results_.on_device) results_.on_device.emplace();
    results_.on_device->Add(*scan.on_device);
  }
  Json row = ModuleJson(scan);
  for (const Budget& budget : options_.budgets) {
    if (const std::string why = WhyNotHeld(budget, scan); !why.empty()) row["not_applied"][NameOf(budget)] = why;
  }
  Print(row);
  results_.module_rows.push_back(std::move(row));
  for (const RuleFinding& finding : scan.verdict.findings) AddFinding(FindingJson(scan, finding));
  for (const Budget& budget : options_.budgets) {
    if (!WhyNotHeld(budget, scan).empty()) continue;
    if (auto exceeded = ExceededJson(budget, scan)) AddFinding(*std::move(exceeded));
  }
  results_.findings_until.push_back(results_.findings.size());
  AddToTables(scan);
}

void ScanReport::Finish() {
  const auto none_is_held_to = [&](std::string_view name) {
    return std::ranges::all_of(results_.module_rows,
                               [&](const Json& row) { return row["not_applied"].contains(name); });
  };
  for (const Budget& budget : options_.budgets) {
    if (!none_is_held_to(NameOf(budget))) continue;
    AddFinding({{"type", "budget"},
                {"rule", "budget"},
                {"budget", budget.text},
                {"severity", SeverityName(Severity::kUndecided)},
                {"message", "no module could be held to this budget"}});
  }
  for (const ModuleRule& rule : ModuleRules()) {
    if (std::ranges::find(options_.requirements, rule.requirement) == options_.requirements.end()) continue;
    if (!none_is_held_to(rule.name)) continue;
    AddFinding({{"type", "requirement"},
                {"rule", rule.name},
                {"requirement", rule.requirement},
                {"severity", SeverityName(Severity::kUndecided)},
                {"message", StrCat("no module could be held to --require ", rule.requirement)}});
  }
}

ExitCode ScanFindings::exit_code() const {
  if (counts.contains("error")) return ExitCode::kRejected;
  return counts.contains("undecided") ? ExitCode::kUndecided : ExitCode::kAccepted;
}

}  // namespace layoutcheck
