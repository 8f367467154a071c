// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/reports/report.h"
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/svg_canvas.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

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

bool IsError(const Finding& finding) { return finding.law.starts_with("subject-"); }

Json ResultOf(const SavedFinding& saved, size_t rule) {
  const Finding& finding = saved.finding;
  const Json place{{"name", finding.layout},
                   {"fullyQualifiedName", StrCat(finding.subject, " ", finding.layout)},
                   {"kind", "layout"}};
  Json location{{"logicalLocations", Json::array({place})}};
  if (!saved.path.empty()) {
    location["physicalLocation"] = {{"artifactLocation", {{"uri", UriOf(saved.path)}}},
                                    {"region", {{"startLine", saved.line}}}};
  }
  Json result{{"ruleId", finding.law},
              {"ruleIndex", rule},
              {"level", "error"},
              {"message", {{"text", FindingSentence(finding)}}},
              {"locations", Json::array({location})},
              {"partialFingerprints", {{"subjectLawLayout/v1", finding.Key()}}},
              {"occurrenceCount", finding.count}};
  Json& properties = result["properties"] = ToJson(finding);
  properties.erase("law");
  properties.erase("count");
  return result;
}

// Adds a testcase per finding to the suite of its subject.
void AddFindings(std::span<const SavedFinding> findings, std::vector<JunitSuite>& suites) {
  for (const auto& [finding, path, line] : findings) {
    auto suite = std::ranges::find(suites, finding.subject, &JunitSuite::name);
    if (suite == suites.end()) suite = suites.insert(suite, {finding.subject, {}});
    const bool is_error = IsError(finding);
    suite->cases.push_back({finding.law, finding.layout,
                            is_error ? JunitCase::Result::kError : JunitCase::Result::kFailure,
                            JunitElement(is_error ? "error" : "failure", finding.law, FindingSentence(finding),
                                         FindingText(finding, {.utf8 = true}))});
  }
}

}  // namespace

std::string HtmlReport(std::span<const SavedFinding> findings) {
  std::map<std::string_view, int64_t> subjects;
  for (const SavedFinding& saved : findings) ++subjects[saved.finding.subject];
  std::string page = StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>layoutcheck: ", findings.size(),
      " findings</title>\n<style>", PageStyle(), kStyle, "</style>\n</head>\n<body>\n<h1>",
      Counted(findings.size(), "finding"), "</h1>\n");
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
    if (parts.boxes) StrAppend(page, "<div>\n", DrawCellsSvg(finding.layout, *parts.boxes), "</div>\n");
    if (!parts.repeat.empty()) AppendRows(page, parts.repeat);
  }
  return page + "</body>\n</html>\n";
}

std::string JunitReport(std::span<const SavedFinding> findings) {
  std::vector<JunitSuite> suites;  // one per subject, in the order of the findings
  AddFindings(findings, suites);
  if (suites.empty()) suites.push_back({"layoutcheck", {{.class_name = "findings", .name = "none", .elements = ""}}});
  return JunitDocument("layoutcheck", suites);
}

std::string JunitReportOfRun(const RunOutcome& outcome, std::span<const SavedFinding> findings) {
  std::vector<JunitSuite> suites{{outcome.subject, {}}};
  AddFindings(findings, suites);
  std::vector<JunitCase>& cases = suites.front().cases;
  for (const std::string& law : outcome.kept) {
    cases.push_back({.class_name = law, .name = "every layout", .elements = ""});
  }
  for (const auto& [law, why] : outcome.left_out) {
    cases.push_back({law, "every layout", JunitCase::Result::kSkipped,
                     StrCat("      <skipped message=\"", XmlText(OneLine(why)), "\"/>\n")});
  }
  if (!outcome.undecided.empty()) {
    cases.push_back({"undecided", "the run", JunitCase::Result::kError,
                     JunitElement("error", "undecided", outcome.undecided, outcome.undecided)});
  }
  return JunitDocument("layoutcheck", suites);
}

std::string SarifReport(std::span<const SavedFinding> findings) {
  std::vector<std::string> laws;
  Json rules = Json::array();
  Json results = Json::array();
  for (const SavedFinding& saved : findings) {
    auto rule = std::ranges::find(laws, saved.finding.law);
    if (rule == laws.end()) {
      laws.push_back(saved.finding.law);
      rule = laws.end() - 1;
      const std::string statement(StatementOf(saved.finding.law));
      rules.push_back({{"id", *rule}, {"shortDescription", {{"text", statement.empty() ? *rule : statement}}}});
    }
    results.push_back(ResultOf(saved, static_cast<size_t>(rule - laws.begin())));
  }
  return SarifDocument(std::move(rules), std::move(results));
}

}  // namespace layoutcheck
