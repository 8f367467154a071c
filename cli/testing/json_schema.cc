// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/testing/json_schema.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

class SchemaValidator {
 public:
  explicit SchemaValidator(const Json& document) : document_(document) {}

  std::string WhyNot(const Json& schema, const Json& value, const std::string& place) const {
    for (const auto& [word, argument] : schema.items()) {
      const std::string why = WhyNotByWord(schema, word, argument, value, place);
      if (!why.empty()) return why;
    }
    return "";
  }

 private:
  static bool HasType(std::string_view type, const Json& value) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
  }

  std::string WhyNotByWord(const Json& schema, const std::string& word, const Json& argument, const Json& value,
                           const std::string& place) const {
    const auto found = [&] { return StrCat(place, ": found ", value.Dump().substr(0, 200)); };
    if (word == "$schema" || word == "$id" || word == "title" || word == "description" || word == "$defs") return "";
    if (word == "type") {
      const bool is_list = argument.is_array();
      const bool has_type =
          is_list ? std::ranges::any_of(argument, [&](const Json& type) { return HasType(type.text(), value); })
                  : HasType(argument.text(), value);
      return has_type ? "" : StrCat(found(), ", expected ", argument.Dump());
    }
    if (word == "const") return value == argument ? "" : StrCat(found(), ", expected ", argument.Dump());
    if (word == "enum") {
      const bool is_one = std::ranges::find(argument, value) != argument.end();
      return is_one ? "" : StrCat(found(), ", expected one of ", argument.Dump());
    }
    if (word == "required") {
      for (const Json& name : argument) {
        if (value.is_object() && !value.contains(name.text())) return StrCat(place, ": no member ", name.Dump());
      }
      return "";
    }
    if (word == "properties") return "";  // additionalProperties looks at all members
    if (word == "additionalProperties") return WhyNotMembers(schema["properties"], argument, value, place);
    if (word == "items") {
      for (size_t k = 0; value.is_array() && k < value.size(); ++k) {
        std::string why = WhyNot(argument, value[k], StrCat(place, "[", k, "]"));
        if (!why.empty()) return why;
      }
      return "";
    }
    if (word == "anyOf") {
      std::string reasons;
      for (const Json& one : argument) {
        const std::string why = WhyNot(one, value, place);
        if (why.empty()) return "";
        StrAppend(reasons, reasons.empty() ? "" : "; or ", why);
      }
      return reasons;
    }
    if (word == "$ref") {
      const std::string& name = argument.text();
      const Json& definition = document_["$defs"][name.substr(name.rfind('/') + 1)];
      return definition.is_object() ? WhyNot(definition, value, place) : StrCat("no definition ", name);
    }
    return StrCat("unknown word ", word);
  }

  std::string WhyNotMembers(const Json& properties, const Json& others, const Json& value,
                            const std::string& place) const {
    for (const auto& [name, member] : value.items()) {
      const Json* const schema = properties.find(name);
      if (schema == nullptr && others == false) return StrCat(place, ": unknown member ", name);
      std::string why = WhyNot(schema == nullptr ? others : *schema, member, StrCat(place, ".", name));
      if (!why.empty()) return why;
    }
    return "";
  }

  const Json& document_;
};

}  // namespace

std::string WhyNotValid(const Json& schema, const Json& value) {
  return SchemaValidator(schema).WhyNot(schema, value, "$");
}

std::string WhyNotDocumented(std::string_view name, std::string_view lines) {
  static std::map<std::string, Json, std::less<>> schemas;
  const auto read = [](std::string_view file) {
    return Json::Parse(ReadFile(StrCat(LAYOUTCHECK_SOURCE, "/docs/schema/", file, ".json"))).value_or(Json());
  };
  const auto [schema, is_new] = schemas.try_emplace(std::string(name));
  if (is_new) schema->second = read(name.empty() || name.find('/') != std::string_view::npos ? "error" : name);
  if (schema->second.is_null()) schema->second = read("error");
  std::istringstream in{std::string(lines)};
  for (std::string line; std::getline(in, line);) {
    const auto value = Json::Parse(line);
    if (!value) return StrCat("no JSON: ", line.substr(0, 200));
    const std::string why = WhyNotValid(schema->second, *value);
    if (!why.empty()) return StrCat("docs/schema/", name, ".json: ", why, "\n", line.substr(0, 2000));
  }
  return "";
}

void ExpectDocumented(const std::vector<std::string>& arguments, std::string_view out) {
  if (std::ranges::find(arguments, "--json") == arguments.end()) return;
  EXPECT_EQ(WhyNotDocumented(arguments[0], out), "") << testing::PrintToString(arguments);
}

}  // namespace layoutcheck
