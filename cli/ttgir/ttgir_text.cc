// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <algorithm>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string TotalsText(std::span<const TtgirRows> functions) {
  std::string text;
  for (const TtgirTotal& total : TtgirTotals()) {
    int64_t bytes = 0;
    for (const TtgirRows& rows : functions) bytes += rows.function[total.member].get<int64_t>();
    if (bytes > 0) text += fmt::format("{:>12}  {}\n", RoundedBytes(bytes), total.name);
  }
  return text.empty() ? "" : "\n" + text;
}

// Returns the named layouts of a single function.
std::string LayoutsText(std::span<const TtgirRows> functions) {
  if (functions.size() != 1) return "";
  std::string text;
  for (const auto& [name, layout] : functions[0].function["layouts"].items()) {
    StrAppend(text, "  ", OneLine(name), " = ", OneLine(layout.text()), "\n");
  }
  return text.empty() ? "" : "\n" + text;
}

std::string TableText(const TtgirTable& table, size_t top) {
  if (top == 0) return "";
  std::vector<size_t> widths;
  for (size_t column = 0; column < table.heads.size(); ++column) {
    size_t width = table.heads[column].size();
    for (const TtgirTable::Line& line : table.lines) width = std::max(width, line.numbers[column].size());
    widths.push_back(width);
  }
  const auto numbers = [&](const std::vector<std::string>& texts) {
    std::string text;
    for (size_t column = 0; column < texts.size(); ++column) {
      text += fmt::format("  {:>{}}", texts[column], widths[column]);
    }
    return text;
  };
  std::string text = StrCat("\n", table.title, "\n", numbers(table.heads), "\n");
  const size_t shown = std::min(top, table.lines.size());
  for (size_t k = 0; k < shown; ++k) {
    StrAppend(text, numbers(table.lines[k].numbers), "  ", table.lines[k].text, "\n");
  }
  if (shown < table.lines.size()) StrAppend(text, "  ", table.lines.size() - shown, " more: see --top and --json\n");
  return text;
}

}  // namespace

void TtgirResults::Add(TtgirRows rows) {
  for (const Json& finding : rows.findings) findings.AddFinding(finding);
  functions.push_back(std::move(rows));
}

std::string TtgirTitle(std::span<const TtgirRows> functions) {
  if (functions.size() != 1) return Counted(functions.size(), "function");
  const Json& row = functions[0].function;
  const std::string target = OneLine(row["target"].text());
  const auto blocks = row["blocks"].get<int64_t>();
  return StrCat(OneLine(row["name"].text()), " in ", OneLine(row["file"].text()), ": ", target,
                target.empty() ? "" : ", ", Counted(row["warps"].get<int64_t>(), "warp"), " of ",
                Counted(row["lanes"].get<int64_t>(), "lane"),
                blocks == 1 ? "" : StrCat(", clusters of ", Counted(blocks, "block")));
}

std::string TtgirText(const TtgirResults& results, size_t top) {
  std::string text =
      StrCat(TtgirTitle(results.functions), "\n", TotalsText(results.functions), LayoutsText(results.functions));
  for (const std::string_view severity : {"error", "undecided", "advice"}) {
    text += FindingsText(results.findings, severity);
  }
  for (const TtgirTable& table : TablesOf(results.functions)) text += TableText(table, top);
  return text + FindingCounts(results.findings);
}

}  // namespace layoutcheck
