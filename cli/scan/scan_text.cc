// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::string TextOf(const Json& row, const char* member) { return OneLine(row.value(member, "")); }

// Returns a line of a table: allocated, needed, padding.
std::string Columns(int64_t bytes, int64_t needed_bytes, double waste) {
  return fmt::format("{:>12} {:>12} {:>7.1f} %", RoundedBytes(bytes), RoundedBytes(needed_bytes), 100 * waste);
}

std::string Columns(const MemoryTotals& totals) { return Columns(totals.bytes, totals.needed_bytes, totals.waste()); }

constexpr std::string_view kColumnHeads = "   allocated       needed   padding";

// Returns the module's name and file, or the number of modules.
std::string Title(const ScanResults& results) {
  const std::string instructions = Counted(results.instructions, "instruction");
  if (results.modules != 1) return StrCat(Counted(results.modules, "module"), ", ", instructions, "\n");
  const Json& row = results.module_rows[0];
  const std::string name = TextOf(row, "name");
  return StrCat(name, name.empty() ? "" : " in ", TextOf(row, "file"), ": ", instructions,
                row["scheduled"].get<bool>() ? ", scheduled" : "", "\n");
}

std::string Totals(const ScanResults& results) {
  std::string text =
      StrCat("\n", kColumnHeads, "\n", Columns(results.totals), "  ", Counted(results.totals.arrays, "array"), "\n");
  for (const auto& [space, totals] : results.by_memory_space) {
    if (results.by_memory_space.size() < 2) break;
    StrAppend(text, Columns(totals), "  in memory space ", space, ": ", Counted(totals.arrays, "array"), "\n");
  }
  if (results.on_device) {
    StrAppend(text, Columns(*results.on_device), "  on a device, by the largest parts of ",
              Counted(results.on_device->arrays, "array"), "\n");
  }
  if (results.copies.bytes > 0) {
    StrAppend(text, Columns(results.copies),
              "  written by copies, transposes and reshapes: ", Counted(results.copies.arrays, "array"), "\n");
  }
  return text;
}

// Returns the largest peak of live memory, as a row under the totals.
std::string Peak(const ScanResults& results) {
  const Json* largest = nullptr;
  const auto peak_of = [](const Json& module) { return module["peak_bytes"].get<int64_t>(); };
  for (const Json& module : results.module_rows) {
    if (!module.contains("peak_bytes")) continue;
    if (largest == nullptr || peak_of(module) > peak_of(*largest)) largest = &module;
  }
  if (largest == nullptr) return "";
  MemoryTotals totals{0, peak_of(*largest), 0};
  totals.needed_bytes = totals.bytes - (*largest)["peak_padding"].get<int64_t>();
  std::string text = StrCat(Columns(totals), "  alive at the peak, at ", TextOf(*largest, "peak_at"));
  if (results.modules > 1) StrAppend(text, " of ", TextOf(*largest, "name"), " in ", TextOf(*largest, "file"));
  return text + "\n";
}

// Returns the modules that allocate most, if there are several.
std::string Modules(const ScanResults& results, size_t most) {
  if (results.modules < 2 || most == 0) return "";
  std::vector<const Json*> rows;
  for (const Json& row : results.module_rows) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::greater<>(), [](const Json* row) { return (*row)["bytes"].get<int64_t>(); });
  rows.resize(std::min(most, rows.size()));
  std::string text = StrCat("\nmodules that allocate most\n", kColumnHeads, "\n");
  for (const Json* row : rows) {
    const MemoryTotals totals{0, (*row)["bytes"].get<int64_t>(), (*row)["needed_bytes"].get<int64_t>()};
    StrAppend(text, Columns(totals), "  ", TextOf(*row, "name"), " in ", TextOf(*row, "file"), "\n");
  }
  return text;
}

// Returns the rules that some modules are not held to, with the reason and the modules.
std::string NotApplied(const ScanResults& results) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> files;  // by reason and rules
  for (const Json& module : results.module_rows) {
    std::map<std::string, std::string> rules;  // by reason
    for (const auto& [rule, why] : module["not_applied"].items()) {
      std::string& list = rules[why.text()];
      StrAppend(list, list.empty() ? "" : ", ", rule);
    }
    for (const auto& [why, list] : rules) files[{why, list}].push_back(TextOf(module, "file"));
  }
  std::string text;
  for (const auto& [why_and_rules, names] : files) {
    StrAppend(text, "\nnot applied: ", why_and_rules.second, "\n  ", why_and_rules.first, " in ", names[0]);
    if (names.size() > 1) StrAppend(text, " and ", Counted(names.size() - 1, "other module"));
    text += "\n";
  }
  return text;
}

// Returns "computation/instruction opcode".
std::string NameOf(const Json& row) {
  const std::string opcode = TextOf(row, "opcode");
  return StrCat(InstructionPath(row), opcode.empty() ? "" : " ", opcode);
}

std::string SourceOf(const Json& row) {
  if (!row.contains("source_file")) return "";
  return StrCat("  (", TextOf(row, "source_file"), ":", row["source_line"].get<int64_t>(), ")");
}

// Returns the column of the bytes on a device.
std::string PartColumn(const Json& row) {
  const bool has_part = row.contains("device_bytes");
  return fmt::format(" {:>12}", has_part ? RoundedBytes(row["device_bytes"].get<int64_t>()) : "-");
}

std::string Table(std::string_view title, const std::vector<Json>& rows, bool has_files) {
  if (rows.empty()) return "";
  const bool has_parts = std::ranges::any_of(rows, [](const Json& row) { return row.contains("device_bytes"); });
  std::string text = StrCat("\n", title, "\n", kColumnHeads, "      at best", has_parts ? "  on a device" : "", "\n");
  size_t width = 0;
  constexpr size_t kWidest = 48;
  for (const Json& row : rows) width = std::max(width, std::min(kWidest, NameOf(row).size()));
  for (const Json& row : rows) {
    const auto bytes = row["bytes"].get<int64_t>();
    const auto best = row["tightest_bytes"].get<int64_t>();
    StrAppend(
        text, Columns(bytes, row["needed_bytes"].get<int64_t>(), row["waste"].get<double>()),
        fmt::format(" {:>12}{}  {:{}}  ", RoundedBytes(best), has_parts ? PartColumn(row) : "", NameOf(row), width),
        TextOf(row, "shape"), row.contains("sharding") ? StrCat(" ", TextOf(row, "sharding")) : "",
        best < bytes ? StrCat(", best ", TextOf(row, "tightest")) : "", SourceOf(row));
    if (has_files) StrAppend(text, "  ", TextOf(row, "file"), ":", row["line"].get<int64_t>());
    text += "\n";
  }
  return text;
}

std::string_view TitleOf(ArrayOrder order) {
  switch (order) {
    case ArrayOrder::kPadding: return "arrays with the most padding";
    case ArrayOrder::kBytes: return "largest arrays";
    case ArrayOrder::kWaste: return "arrays with the largest part of padding";
  }
  return "";
}

}  // namespace

std::string InstructionPath(const Json& row) {
  const std::string computation = TextOf(row, "computation");
  const std::string instruction = TextOf(row, "instruction");
  return StrCat(computation, computation.empty() || instruction.empty() ? "" : "/", instruction);
}

std::string ScanFindingText(const Json& finding) {
  std::string text = finding["severity"].text();
  if (finding.contains("file")) {
    StrAppend(text, ": ", TextOf(finding, "file"), ":", finding["line"].get<int64_t>(), ":",
              finding["column"].get<int64_t>());
  }
  StrAppend(text, ": ", finding["rule"].text(), finding.contains("budget") ? " " : "", TextOf(finding, "budget"), "\n");
  const std::string name = NameOf(finding);
  const std::string shape = TextOf(finding, "shape");
  if (!name.empty() || !shape.empty()) {
    StrAppend(text, "  ", name, name.empty() || shape.empty() ? "" : " ", shape, SourceOf(finding), "\n");
  }
  return StrAppend(text, "  ", TextOf(finding, "message"), "\n"), text;
}

std::string FindingsText(const ScanFindings& found, std::string_view severity) {
  constexpr int64_t kMostPerRule = 10;
  std::string text;
  std::map<std::string, int64_t> printed;
  for (const Json& finding : found.findings) {
    if (finding["severity"] != severity || finding["rule"] == "padding-waste") continue;
    if (++printed[finding["rule"].text()] <= kMostPerRule) StrAppend(text, "\n", ScanFindingText(finding));
  }
  for (const auto& [rule, count] : printed) {
    if (count > kMostPerRule) StrAppend(text, "\n", count - kMostPerRule, " more of ", rule, ": see --json\n");
  }
  return text;
}

std::string FindingCounts(const ScanFindings& found) {
  std::string text;
  for (const std::string severity : {"error", "undecided", "advice"}) {
    std::string by_rule;
    if (const auto rules = found.counts.find(severity); rules != found.counts.end()) {
      for (const auto& [rule, findings] : rules->second) {
        StrAppend(by_rule, by_rule.empty() ? " (" : ", ", findings, " ", rule);
      }
    }
    const int64_t count = found.CountOf(severity);
    const bool is_plural = severity == "error" && count != 1;
    StrAppend(text, text.empty() ? "" : ", ", count, " ", severity, is_plural ? "s" : "", by_rule,
              by_rule.empty() ? "" : ")");
  }
  return "\n" + text + "\n";
}

std::string ScanText(const ScanReport& report) {
  const ScanResults& results = report.results();
  if (report.options().has_diff) {
    return StrCat(NotApplied(results), FindingsText(results, "error"), FindingsText(results, "undecided"),
                  FindingCounts(results));
  }
  const bool has_several = results.modules > 1;
  return StrCat(Title(results), Totals(results), Peak(results), Modules(results, report.options().top),
                NotApplied(results), FindingsText(results, "error"), FindingsText(results, "undecided"),
                FindingsText(results, "advice"),
                Table(TitleOf(report.options().order), report.LargestArrays(), has_several),
                Table("copies, transposes and reshapes that write most", report.LargestCopies(), has_several),
                FindingCounts(results));
}

}  // namespace layoutcheck
