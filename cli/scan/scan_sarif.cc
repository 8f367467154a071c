// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/cli/scan/scan_report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::string LevelOf(const std::string& severity) {
  return severity == "error" ? "error" : severity == "undecided" ? "warning" : "note";
}

// Adds a rule and its place in the list.
void AddRule(std::string_view name, std::string_view statement, Json& rules, std::map<std::string, size_t>& places) {
  places.emplace(name, rules.size());
  rules.push_back({{"id", name}, {"shortDescription", {{"text", statement}}}});
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
    location["logicalLocations"] = {
        {{"name", instruction.empty() ? name : instruction}, {"fullyQualifiedName", name}, {"kind", "instruction"}}};
  }
  const std::string fingerprint =
      StrCat(finding["rule"].get<std::string>(), " ", finding.value("budget", ""), " ", file, " ", name, " ",
             finding.value("shape", ""), instruction.empty() ? finding["message"].get<std::string>() : "");
  Json result{{"ruleId", finding["rule"]},
              {"ruleIndex", rule},
              {"level", LevelOf(finding["severity"].get<std::string>())},
              {"message", {{"text", finding["message"]}}},
              {"locations", location.empty() ? Json::array() : Json::array({location})},
              {"partialFingerprints", {{"ruleFileInstruction/v1", fingerprint}}},
              {"properties", finding}};
  return result;
}

}  // namespace

std::string ScanSarif(const ScanReport& report) {
  Json rules = Json::array();
  std::map<std::string, size_t> places;
  for (const ModuleRule& rule : ModuleRules()) AddRule(rule.name, rule.statement, rules, places);
  AddRule("unreadable", "Every line of a module can be read.", rules, places);
  AddRule("budget", "Every module keeps the budgets that the user sets.", rules, places);
  Json results = Json::array();
  for (const Json& finding : report.results().findings) {
    results.push_back(ResultOf(finding, places.at(finding["rule"].get<std::string>())));
  }
  return SarifDocument(std::move(rules), std::move(results));
}

}  // namespace layoutcheck
