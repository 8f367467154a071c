// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/picture_style.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kStyle =
    "body{max-width:80em}h1{font-size:1.5em}"
    "h2{font-size:1.15em;margin-top:2.5em;border-top:1px solid var(--line);padding-top:1em}"
    "th,td{padding:.2em 2em .2em 0}td{white-space:pre-wrap}.n{text-align:right}";

// Returns a finding's text for the page, with escapes, so that no text can end the markup or the line.
std::string Escaped(std::string_view text) { return EscapeMarkup(OneLine(text)); }

void AppendRows(std::string& page, std::span<const Fact> facts) {
  StrAppend(page, "<table>\n");
  for (const Fact& fact : facts) {
    StrAppend(page, "<tr><th>", Escaped(fact.name), "</th><td>", Escaped(fact.value), "</td></tr>\n");
  }
  StrAppend(page, "</table>\n");
}

}  // namespace

std::string HtmlReport(std::span<const SavedFinding> findings) {
  std::map<std::string_view, int64_t> subjects;
  for (const SavedFinding& saved : findings) ++subjects[saved.finding.subject];
  std::string page = StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>layoutcheck: ", findings.size(),
      " findings</title>\n<style>", PageStyle(), kStyle, "</style>\n</head>\n<body>\n<h1>", findings.size(),
      findings.size() == 1 ? " finding" : " findings", "</h1>\n");
  if (!findings.empty()) {
    StrAppend(page, "<table>\n");
    for (const auto& [subject, count] : subjects) {
      StrAppend(page, "<tr><td>", Escaped(subject), "</td><td class=\"n\">", count, "</td></tr>\n");
    }
    StrAppend(page, "</table>\n<ol>\n");
    for (size_t k = 0; k < findings.size(); ++k) {
      const Finding& finding = findings[k].finding;
      StrAppend(page, "<li><a href=\"#finding-", k + 1, "\">", Escaped(finding.law), "</a> <code>",
                Escaped(finding.layout), "</code></li>\n");
    }
    StrAppend(page, "</ol>\n");
  }
  for (size_t k = 0; k < findings.size(); ++k) {
    const Finding& finding = findings[k].finding;
    const FindingParts parts = PartsOf(finding);
    StrAppend(page, "<h2 id=\"finding-", k + 1, "\">", Escaped(finding.subject), " breaks ", Escaped(finding.law),
              "</h2>\n");
    AppendRows(page, parts.facts);
    if (parts.boxes) StrAppend(page, "<div>\n", DrawMemorySvg(finding.layout, *parts.boxes), "</div>\n");
    if (!parts.repeat.empty()) AppendRows(page, parts.repeat);
  }
  return page + "</body>\n</html>\n";
}

}  // namespace layoutcheck
