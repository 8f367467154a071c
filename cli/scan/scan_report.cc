// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/scan_report.h"
#include <functional>
#include <iterator>
#include <utility>

namespace layoutcheck {
namespace {

// Returns true if the instruction writes elements of its operand to other places and computes nothing.
bool IsCopy(const ModuleInstruction& instruction) {
  return instruction.opcode == "copy" || instruction.opcode == "transpose" || instruction.opcode == "reshape" ||
         instruction.opcode == "copy-start";
}

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

void ScanReport::Add(ModuleScan& scan) {
  ++results_.modules;
  results_.instructions += scan.instructions;
  results_.totals.Add(scan.totals);
  for (const auto& [space, totals] : scan.by_memory_space) results_.by_memory_space[space].Add(totals);
  results_.module_rows.push_back(ModuleJson(scan));
  if (options_.json) PrintJson(results_.module_rows.back());
  for (const RuleFinding& finding : scan.verdict.findings) {
    results_.findings.push_back(FindingJson(scan, finding));
    ++results_.counts[std::string(SeverityName(finding.severity))][std::string(finding.rule)];
    if (options_.json) PrintJson(results_.findings.back());
  }
  for (const ArrayCost& array : scan.arrays) {
    const bool is_copy = IsCopy(*array.instruction);
    if (is_copy) {
      MemoryTotals moved{0, results_.copied_bytes, 0};
      moved.Add({0, array.bytes, 0});
      results_.copied_bytes = moved.bytes;
    }
    if (!IsSelected(array)) continue;
    if (options_.json && options_.arrays) PrintJson(ArrayJson(scan, array));
    if (options_.json) continue;
    const double weight = WeightOf(array);
    if (weight > 0 && largest_.Takes(weight)) largest_.Add(weight, ArrayJson(scan, array));
    const auto bytes = static_cast<double>(array.bytes);
    if (is_copy && bytes > 0 && copies_.Takes(bytes)) copies_.Add(bytes, ArrayJson(scan, array));
  }
}

ExitCode ScanReport::exit_code() const {
  if (results_.counts.contains("error")) return ExitCode::kRejected;
  return results_.counts.contains("undecided") ? ExitCode::kUndecided : ExitCode::kAccepted;
}

}  // namespace layoutcheck
