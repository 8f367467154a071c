// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/reports/report.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns a file name as a URI reference (RFC 3986).
std::string UriOf(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      StrAppend(uri, '%', kHex[byte / 16], kHex[byte % 16]);
    }
  }
  return uri;
}

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
  const Json driver{{"name", "layoutcheck"}, {"version", LAYOUTCHECK_VERSION}, {"rules", rules}};
  const Json document{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", results}}})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace layoutcheck
