// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `scan --kind ttgir --html`.
#include <algorithm>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/scan/scan_html_parts.h"
#include "layoutcheck/cli/ttgir/ttgir_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostRows = 1000;  // of a table

std::string TilesMarkup(const TtgirResults& results) {
  std::string text = "<section class=\"tiles\">\n";
  for (const TtgirTotal& total : TtgirTotals()) {
    int64_t bytes = 0;
    for (const TtgirRows& rows : results.functions) bytes += rows.function[total.member].get<int64_t>();
    if (bytes == 0) continue;
    StrAppend(text, "<div class=\"tile\"><b>", RoundedBytes(bytes), "</b><small>", total.name, "</small></div>\n");
  }
  return text + "</section>\n";
}

std::string TableMarkup(const TtgirTable& table) {
  std::string text =
      StrCat("<section>\n<h2>", PageText(table.title), "</h2>\n<div class=\"scroll\">\n<table>\n<thead><tr>");
  for (const std::string& head : table.heads) StrAppend(text, "<th class=\"n\">", PageText(head), "</th>");
  text += "<th></th></tr></thead>\n<tbody>\n";
  const size_t shown = std::min(kMostRows, table.lines.size());
  for (size_t k = 0; k < shown; ++k) {
    text += "<tr>";
    for (const std::string& number : table.lines[k].numbers)
      StrAppend(text, "<td class=\"n\">", PageText(number), "</td>");
    StrAppend(text, "<td><code>", PageText(table.lines[k].text), "</code></td></tr>\n");
  }
  text += "</tbody>\n</table>\n</div>\n";
  if (shown < table.lines.size()) {
    StrAppend(text, "<p class=\"note\">", Grouped(static_cast<int64_t>(table.lines.size() - shown)),
              " more: see <code>--json</code>.</p>\n");
  }
  return text + "</section>\n";
}

std::string LayoutsMarkup(const TtgirResults& results) {
  std::string text;
  for (const TtgirRows& rows : results.functions) {
    for (const auto& [name, layout] : rows.function["layouts"].items()) {
      StrAppend(text, "<tr><td>", PageText(rows.function["file"].text()), "</td><td><code>", PageText(name),
                "</code></td><td><code>", PageText(layout.text()), "</code></td></tr>\n");
    }
  }
  if (text.empty()) return "";
  return StrCat("<section>\n<h2>layouts</h2>\n<div class=\"scroll\">\n<table>\n<tbody>\n", text,
                "</tbody>\n</table>\n</div>\n</section>\n");
}

}  // namespace

std::string TtgirHtml(const TtgirResults& results) {
  const std::string title = PageText(TtgirTitle(results.functions));
  std::string page = StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Layouts of ",
      title, " · layoutcheck scan</title>\n<style>\n", ScanStyle(),
      "</style>\n</head>\n<body>\n<header>\n<h1>Layouts of ", title, "</h1>\n</header>\n<main>\n", TilesMarkup(results),
      FindingsMarkup(results.findings));
  for (const TtgirTable& table : TablesOf(results.functions)) page += TableMarkup(table);
  return StrCat(
      page, LayoutsMarkup(results),
      "</main>\n<footer>Written by <code>layoutcheck scan --kind ttgir --html</code>. This page loads nothing "
      "from anywhere.</footer>\n</body>\n</html>\n");
}

}  // namespace layoutcheck
