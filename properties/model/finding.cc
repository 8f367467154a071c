// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/model/finding.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "layoutcheck/properties/model/json_integer.h"

namespace layoutcheck {
namespace {

using nlohmann::json;

// Reads the member `name` of `object`. Returns false if there is none of the right type.
template <class T>
bool Read(const json& object, const char* name, T& member, bool (json::*is_type)() const noexcept) {
  const auto found = object.find(name);
  if (found == object.end() || !((*found).*is_type)()) return false;
  member = found->get<T>();
  return true;
}

}  // namespace

std::string Finding::Key() const { return fmt::format("{}\n{}\n{}", subject, law, layout); }

json ToJson(const Finding& finding) {
  json witness = json::object();
  if (finding.coordinate) witness["coordinate"] = *finding.coordinate;
  if (finding.offset) witness["offset"] = *finding.offset;
  if (finding.text) witness["text"] = *finding.text;
  if (finding.kind) witness["kind"] = *finding.kind;
  if (finding.request) witness["request"] = *finding.request;
  json object = {{"subject", finding.subject}, {"law", finding.law},           {"layout", finding.layout},
                 {"witness", witness},         {"expected", finding.expected}, {"actual", finding.actual},
                 {"seed", finding.seed},       {"count", finding.count},       {"reproduce", finding.reproduce}};
  if (!finding.asked_by.empty()) object["asked_by"] = finding.asked_by;
  if (!finding.repeats.empty()) object["repeats"] = finding.repeats;
  if (!finding.directory.empty()) object["directory"] = finding.directory;
  if (!finding.tilings.empty()) object["tilings"] = finding.tilings;
  return object;
}

Expected<Finding> FindingFromJson(std::string_view line) {
  const json object = json::parse(line, nullptr, false);
  if (!object.is_object()) return MakeError(ErrorKind::kSyntax, "expected a JSON object, a finding");
  Finding finding;
  const auto missing = [&](const char* name) {
    return MakeError(ErrorKind::kSyntax,
                     fmt::format("\"{}\" {}", name, object.contains(name) ? "has the wrong type" : "is missing"));
  };
  if (!Read(object, "subject", finding.subject, &json::is_string)) return missing("subject");
  if (!Read(object, "law", finding.law, &json::is_string)) return missing("law");
  if (!Read(object, "layout", finding.layout, &json::is_string)) return missing("layout");
  if (!Read(object, "expected", finding.expected, &json::is_string)) return missing("expected");
  if (!Read(object, "actual", finding.actual, &json::is_string)) return missing("actual");
  Read(object, "seed", finding.seed, &json::is_number_unsigned);
  if (object.contains("count") &&
      !(Read(object, "count", finding.count, &json::is_number_unsigned) && finding.count > 0)) {
    return MakeError(ErrorKind::kSyntax, "\"count\": expected an integer above 0");
  }
  Read(object, "asked_by", finding.asked_by, &json::is_string);
  Read(object, "repeats", finding.repeats, &json::is_string);
  Read(object, "directory", finding.directory, &json::is_string);
  Read(object, "reproduce", finding.reproduce, &json::is_string);
  Read(object, "tilings", finding.tilings, &json::is_string);
  if (const auto witness = object.find("witness"); witness != object.end() && witness->is_object()) {
    const auto coordinate = witness->find("coordinate");
    if (coordinate != witness->end() && coordinate->is_array()) {
      finding.coordinate = JsonIntegers(*coordinate);
      if (!finding.coordinate) return MakeError(ErrorKind::kSyntax, "\"witness.coordinate\" has the wrong type");
    }
    if (int64_t offset = 0; Read(*witness, "offset", offset, &json::is_number_integer)) finding.offset = offset;
    if (std::string text; Read(*witness, "text", text, &json::is_string)) finding.text = text;
    if (std::string kind; Read(*witness, "kind", kind, &json::is_string)) finding.kind = kind;
    if (std::string request; Read(*witness, "request", request, &json::is_string)) finding.request = request;
  }
  return finding;
}

}  // namespace layoutcheck
