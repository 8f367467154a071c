// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/scan_documents.h"
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::string LevelOf(const std::string& severity) {
  return severity == "error" ? "error" : severity == "undecided" ? "warning" : "note";
}

Json ResultOf(const Json& finding, size_t rule) {
  const std::string instruction = finding.value("instruction", "");
  const std::string name = InstructionPath(finding);
  const std::string file = finding.value("file", "");
  Json location = Json::object();
  if (!file.empty() && file != "-") {
    location["physicalLocation"] = {{"artifactLocation", {{"uri", UriOf(file)}}},
                                    {"region", {{"startLine", finding["line"]}, {"startColumn", finding["column"]}}}};
  }
  if (!name.empty()) {
    location["logicalLocations"].push_back(
        {{"name", instruction.empty() ? name : instruction}, {"fullyQualifiedName", name}, {"kind", "instruction"}});
  }
  const std::string fingerprint =
      StrCat(finding["rule"].text(), " ", finding.value("budget", ""), " ", file, " ", name, " ",
             finding.value("shape", ""), instruction.empty() ? finding["message"].text() : "");
  Json result{{"ruleId", finding["rule"]},
              {"ruleIndex", rule},
              {"level", LevelOf(finding["severity"].text())},
              {"message", {{"text", finding["message"]}}},
              {"locations", location.empty() ? Json::array() : Json::array({location})},
              {"partialFingerprints", {{"ruleFileInstruction/v1", fingerprint}}},
              {"properties", finding}};
  return result;
}

// Returns the name of the testcase to which a finding belongs.
std::string CaseOf(const Json& finding) {
  const std::string rule = finding["rule"].text();
  return finding.contains("budget") ? StrCat(rule, " ", finding["budget"].text()) : rule;
}

// Returns one element with all findings of a testcase that have this severity, or an empty text.
std::string ElementOf(std::span<const Json> findings, const std::string& name, std::string_view severity,
                      std::string_view element) {
  std::string first;
  std::string text;
  for (const Json& finding : findings) {
    if (finding["severity"] != severity || CaseOf(finding) != name) continue;
    if (text.empty()) first = finding["message"].text();
    text += ScanFindingText(finding);
  }
  if (text.empty()) return "";
  if (severity == "advice") return StrCat("      <system-out>", XmlText(text), "</system-out>\n");
  return JunitElement(element, name, first, text);
}

}  // namespace

std::string FindingsSarif(std::vector<ScanRule> rules, std::span<const Json> findings) {
  rules.push_back({"unreadable", "Every line of a module can be read."});
  Json rule_rows = Json::array();
  std::map<std::string_view, size_t> places;
  for (const ScanRule& rule : rules) {
    places.emplace(rule.name, rule_rows.size());
    rule_rows.push_back({{"id", rule.name}, {"shortDescription", {{"text", rule.statement}}}});
  }
  Json results = Json::array();
  for (const Json& finding : findings) results.push_back(ResultOf(finding, places.at(finding["rule"].text())));
  return SarifDocument(std::move(rule_rows), std::move(results));
}

void AddTestcase(std::span<const Json> findings, const std::string& name, JunitSuite& suite) {
  const std::string failures = ElementOf(findings, name, "error", "failure");
  const std::string errors = ElementOf(findings, name, "undecided", "error");
  const auto result = !failures.empty() ? JunitCase::Result::kFailure
                      : !errors.empty() ? JunitCase::Result::kError
                                        : JunitCase::Result::kPassed;
  suite.cases.push_back({suite.name, name, result,
                         StrCat(failures.empty() ? errors : failures, ElementOf(findings, name, "advice", ""))});
}

std::string ScanSarif(const ScanReport& report) {
  std::vector<ScanRule> rules;
  for (const ModuleRule& rule : ModuleRules()) rules.push_back({rule.name, rule.statement});
  rules.push_back({"budget", "Every module keeps the budgets that the user sets."});
  return FindingsSarif(std::move(rules), report.results().findings);
}

std::string ScanJunit(const ScanReport& report) {
  const ScanResults& results = report.results();
  std::span<const Json> findings = results.findings;
  std::vector<JunitSuite> suites;
  size_t begin = 0;
  for (size_t k = 0; k < results.module_rows.size(); ++k) {
    const Json& row = results.module_rows[k];
    JunitSuite& suite = suites.emplace_back(JunitSuite{StrCat(row["file"].text(), ": ", row["name"].text()), {}});
    const std::span<const Json> of_module = findings.subspan(begin, results.findings_until[k] - begin);
    begin = results.findings_until[k];
    AddTestcase(of_module, "unreadable", suite);
    for (const Json& rule : row["rules"]) AddTestcase(of_module, rule.text(), suite);
    for (const Budget& budget : report.options().budgets) {
      const std::string name = StrCat("budget ", budget.text);
      if (!row["not_applied"].contains(name)) AddTestcase(of_module, name, suite);
    }
    for (const auto& [name, why] : row["not_applied"].items()) {
      suite.cases.push_back({suite.name, name, JunitCase::Result::kSkipped,
                             StrCat("      <skipped message=\"", XmlText(why.text()), "\"/>\n")});
    }
  }
  findings = findings.subspan(begin);
  if (!findings.empty()) {
    JunitSuite& all = suites.emplace_back(JunitSuite{"all modules", {}});
    for (const Json& finding : findings) AddTestcase(findings, CaseOf(finding), all);
  }
  return JunitDocument("layoutcheck scan", suites);
}

}  // namespace layoutcheck
