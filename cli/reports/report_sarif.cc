// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/json.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Json ResultOf(const SavedFinding& saved, size_t rule) {
  const Finding& finding = saved.finding;
  Json location{{"logicalLocations",
                 {{{"name", finding.layout},
                   {"fullyQualifiedName", StrCat(finding.subject, " ", finding.layout)},
                   {"kind", "layout"}}}}};
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

}  // namespace

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
