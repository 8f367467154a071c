// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns "1,204 modules" or "1 module".
std::string Count(int64_t count, std::string_view noun) { return StrCat(count, " ", noun, count == 1 ? "" : "s"); }

std::string MemoryText(const MemoryTotals& totals) {
  return fmt::format("{} allocated for {}, {}: {:.1f} % padding", RoundedBytes(totals.bytes),
                     RoundedBytes(totals.needed_bytes), Count(totals.arrays, "array"), 100 * totals.waste());
}

std::string Totals(const ScanResults& results) {
  std::string text = StrCat(Count(results.modules, "module"), ", ", Count(results.instructions, "instruction"), "\n  ",
                            MemoryText(results.totals), "\n");
  for (const auto& [space, totals] : results.by_memory_space) {
    if (results.by_memory_space.size() > 1) StrAppend(text, "  memory space ", space, ": ", MemoryText(totals), "\n");
  }
  if (results.copied_bytes > 0) StrAppend(text, "  copies move ", RoundedBytes(results.copied_bytes), "\n");
  return text;
}

// Returns the largest peak of live memory: "peak 1.2 GiB at main/fusion.3, of which 200 MiB padding".
std::string Peak(const ScanResults& results) {
  const Json* largest = nullptr;
  for (const Json& module : results.module_rows) {
    if (!module.contains("peak_bytes")) continue;
    if (largest == nullptr || module["peak_bytes"] > (*largest)["peak_bytes"]) largest = &module;
  }
  if (largest == nullptr) return "";
  std::string text = StrCat("  peak ", RoundedBytes((*largest)["peak_bytes"].get<int64_t>()), " at ",
                            (*largest)["peak_at"].get<std::string>(), ", of which ",
                            RoundedBytes((*largest)["peak_padding"].get<int64_t>()), " padding");
  if (results.modules > 1) StrAppend(text, " (", (*largest)["file"].get<std::string>(), ")");
  return text + "\n";
}

// Returns the modules to which some rules do not apply.
std::string NotApplied(const ScanResults& results) {
  std::string text;
  for (const Json& module : results.module_rows) {
    if (module["not_applied"].empty()) continue;
    std::string rules;
    for (const auto& [rule, why] : module["not_applied"].items()) StrAppend(rules, rules.empty() ? "" : ", ", rule);
    StrAppend(text, module["file"].get<std::string>(), ": ", module["not_applied"].front().get<std::string>(),
              ", so these rules were not applied: ", rules, "\n");
  }
  return text.empty() ? text : "\n" + text;
}

std::string SourceOf(const Json& row) {
  if (!row.contains("source_file")) return "";
  return StrCat("  (", row["source_file"].get<std::string>(), ":", row["source_line"].get<int64_t>(), ")");
}

// Returns "computation/instruction opcode".
std::string NameOf(const Json& row) {
  const std::string computation = row.value("computation", "");
  const std::string instruction = row.value("instruction", "");
  return StrCat(computation, instruction.empty() ? "" : "/", instruction, instruction.empty() ? "" : " ",
                row.value("opcode", ""));
}

std::string FindingText(const Json& finding) {
  std::string text = StrCat("\n", finding["severity"].get<std::string>(), ": ", finding["file"].get<std::string>(), ":",
                            finding["line"].get<int64_t>(), ":", finding["column"].get<int64_t>(), ": ",
                            finding["rule"].get<std::string>(), "\n");
  const std::string name = NameOf(finding);
  if (!name.empty() || finding.contains("shape")) {
    StrAppend(text, "  ", name, finding.contains("shape") ? " " : "", finding.value("shape", ""), SourceOf(finding),
              "\n");
  }
  return StrAppend(text, "  ", finding["message"].get<std::string>(), "\n"), text;
}

// Prints the first findings of each rule and severity; the rest are counted.
std::string Findings(const ScanResults& results, std::string_view severity) {
  constexpr int64_t kMostPerRule = 10;
  std::string text;
  std::map<std::string, int64_t> printed;
  for (const Json& finding : results.findings) {
    if (finding["severity"] != severity) continue;
    if (++printed[finding["rule"].get<std::string>()] <= kMostPerRule) text += FindingText(finding);
  }
  for (const auto& [rule, count] : printed) {
    if (count > kMostPerRule) StrAppend(text, "\n", count - kMostPerRule, " more of ", rule, ": see --json\n");
  }
  return text;
}

std::string Table(std::string_view title, const std::vector<Json>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format("\n{}\n{:>12} {:>12} {:>8}\n", title, "allocated", "needed", "padding");
  for (const Json& row : rows) {
    text += fmt::format("{:>12} {:>12} {:>6.1f} %  {} {}{}\n", RoundedBytes(row["bytes"].get<int64_t>()),
                        RoundedBytes(row["needed_bytes"].get<int64_t>()), 100 * row["waste"].get<double>(), NameOf(row),
                        row["shape"].get<std::string>(), SourceOf(row));
    if (row["tightest_bytes"] < row["bytes"]) {
      text += fmt::format("{:>12} with {}\n", RoundedBytes(row["tightest_bytes"].get<int64_t>()),
                          row["tightest"].get<std::string>());
    }
  }
  return text;
}

std::string LastLine(const ScanResults& results) {
  std::string text;
  for (const std::string_view severity : {"error", "undecided", "advice"}) {
    int64_t count = 0;
    const auto rules = results.counts.find(std::string(severity));
    if (rules != results.counts.end()) {
      for (const auto& [rule, findings] : rules->second) count += findings;
    }
    StrAppend(text, text.empty() ? "" : ", ", count, " ", severity, severity == "error" && count != 1 ? "s" : "");
  }
  return "\n" + text + "\n";
}

}  // namespace

std::string ScanText(const ScanReport& report) {
  const ScanResults& results = report.results();
  return StrCat(Totals(results), Peak(results), NotApplied(results), Findings(results, "error"),
                Findings(results, "undecided"), Findings(results, "advice"),
                Table("most wasteful arrays", report.LargestArrays()),
                Table("copies that move most bytes", report.LargestCopies()), LastLine(results));
}

}  // namespace layoutcheck
