// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/model/finding.h"
#include <fmt/format.h>

namespace layoutcheck {
namespace {

// Reads the member `name` of `object`. Returns false if there is none of the right type.
template <class T>
bool Read(const Json& object, const char* name, T& member) {
  auto found = object.at(name).as<T>();
  if (found) member = *std::move(found);
  return found.has_value();
}

}  // namespace

std::string Finding::Key() const { return fmt::format("{}\n{}\n{}", subject, law, layout); }

Json ToJson(const Finding& finding) {
  Json witness = Json::object();
  if (finding.coordinate) witness["coordinate"] = *finding.coordinate;
  if (finding.offset) witness["offset"] = *finding.offset;
  if (finding.text) witness["text"] = *finding.text;
  if (finding.kind) witness["kind"] = *finding.kind;
  if (finding.request) witness["request"] = *finding.request;
  Json object = {{"subject", finding.subject}, {"law", finding.law},           {"layout", finding.layout},
                 {"witness", witness},         {"expected", finding.expected}, {"actual", finding.actual},
                 {"seed", finding.seed},       {"count", finding.count},       {"reproduce", finding.reproduce}};
  if (!finding.asked_by.empty()) object["asked_by"] = finding.asked_by;
  if (!finding.asked_about.empty()) object["asked_about"] = finding.asked_about;
  if (!finding.repeats.empty()) object["repeats"] = finding.repeats;
  if (!finding.shrinking.empty()) object["shrinking"] = finding.shrinking;
  if (!finding.directory.empty()) object["directory"] = finding.directory;
  if (!finding.tilings.empty()) object["tilings"] = finding.tilings;
  object.SortMembers();
  return object;
}

Expected<Finding> FindingFromJson(std::string_view line) {
  const Json object = Json::Parse(line).value_or(Json());
  if (!object.is_object()) return MakeError(ErrorKind::kSyntax, "expected a JSON object, a finding");
  Finding finding;
  const auto missing = [&](const char* name) {
    return MakeError(ErrorKind::kSyntax,
                     fmt::format("\"{}\" {}", name, object.contains(name) ? "has the wrong type" : "is missing"));
  };
  if (!Read(object, "subject", finding.subject)) return missing("subject");
  if (!Read(object, "law", finding.law)) return missing("law");
  if (!Read(object, "layout", finding.layout)) return missing("layout");
  if (!Read(object, "expected", finding.expected)) return missing("expected");
  if (!Read(object, "actual", finding.actual)) return missing("actual");
  Read(object, "seed", finding.seed);
  if (object.contains("count") && !(Read(object, "count", finding.count) && finding.count > 0)) {
    return MakeError(ErrorKind::kSyntax, "\"count\": expected an integer above 0");
  }
  Read(object, "asked_by", finding.asked_by);
  Read(object, "asked_about", finding.asked_about);
  Read(object, "repeats", finding.repeats);
  Read(object, "shrinking", finding.shrinking);
  Read(object, "directory", finding.directory);
  Read(object, "reproduce", finding.reproduce);
  Read(object, "tilings", finding.tilings);
  if (const Json* const witness = object.find("witness"); witness != nullptr && witness->is_object()) {
    const Json* const coordinate = witness->find("coordinate");
    if (coordinate != nullptr && coordinate->is_array()) {
      finding.coordinate = coordinate->as<std::vector<int64_t>>();
      if (!finding.coordinate) return MakeError(ErrorKind::kSyntax, "\"witness.coordinate\" has the wrong type");
    }
    if (int64_t offset = 0; Read(*witness, "offset", offset)) finding.offset = offset;
    if (std::string text; Read(*witness, "text", text)) finding.text = text;
    if (std::string kind; Read(*witness, "kind", kind)) finding.kind = kind;
    if (std::string request; Read(*witness, "request", request)) finding.request = request;
  }
  return finding;
}

}  // namespace layoutcheck
