// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/mcp/mcp_tool.h"
#include <algorithm>
#include <string_view>
#include <variant>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

bool IsProperty(const Option& option) {
  return !option.Is(kUnlisted) && !option.Is(kRest) && option.Name() != "--json" &&
         !std::holds_alternative<Page>(option.target);
}

bool IsFlag(const Option& option) { return std::holds_alternative<bool*>(option.target); }

bool IsNumber(const Option& option) {
  return std::holds_alternative<uint64_t*>(option.target) ||
         std::holds_alternative<std::optional<uint64_t>*>(option.target) ||
         std::holds_alternative<std::optional<int>*>(option.target);
}

std::string_view TypeOf(const Option& option) {
  return IsFlag(option) ? "boolean" : IsNumber(option) ? "integer" : option.IsRepeated() ? "array" : "string";
}

bool HasType(const Option& option, const Json& value) {
  if (IsFlag(option)) return value.is_boolean();
  if (IsNumber(option)) return value.is_integer();
  if (!option.IsRepeated()) return value.is_string();
  return value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
}

Json PropertyJson(const Option& option) {
  Json property{{"type", TypeOf(option)}, {"description", option.description}};
  if (option.IsRepeated()) property["items"] = {{"type", "string"}};
  if (option.Is(kOneOf)) property["enum"] = option.Choices();
  return property;
}

// Appends the option with the values that a call gives it, or the texts alone of an argument.
void AppendValues(const Option& option, const Json& value, std::vector<std::string>& words) {
  const std::string before = option.IsArgument() ? "" : option.Name() + "=";
  if (IsFlag(option)) {
    if (value.get<bool>()) words.push_back(option.Name());
  } else if (option.IsRepeated()) {
    for (const Json& one : value) words.push_back(before + one.text());
  } else {
    words.push_back(before + (value.is_string() ? value.text() : value.Dump()));
  }
}

}  // namespace

Json ToolJson(const Command& command) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Option& option : command.options) {
    if (!IsProperty(option)) continue;
    properties[option.Key()] = PropertyJson(option);
    if (option.Is(kRequired)) required.push_back(option.Key());
  }
  return {{"name", command.name},
          {"description", command.description},
          {"inputSchema",
           {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}}}};
}

Expected<std::vector<std::string>> ArgumentsOfCall(const Command& command, const Json& arguments) {
  if (!arguments.is_null() && !arguments.is_object()) return ArgumentError("arguments: expected an object");
  std::vector<std::string> words = {command.name, "--json"};
  std::vector<std::string> texts = {"--"};
  std::vector<std::string> names;
  for (const Option& option : command.options) {
    if (!IsProperty(option)) continue;
    const std::string& name = names.emplace_back(option.Key());
    const Json* const value = arguments.find(name);
    if (value == nullptr || value->is_null()) {
      if (option.Is(kRequired)) return ArgumentError(name, ": expected a value, found none");
      continue;
    }
    if (!HasType(option, *value)) {
      return ArgumentError(name, ": expected ", option.IsRepeated() ? "an array of strings" : TypeOf(option),
                           ", found ", value->Dump().substr(0, 100));
    }
    AppendValues(option, *value, option.IsArgument() ? texts : words);
  }
  for (const auto& [name, value] : arguments.items()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return ArgumentError(name, ": no argument of ", command.name, DidYouMean(name, {names.begin(), names.end()}));
  }
  if (texts.size() > 1) words.insert(words.end(), texts.begin(), texts.end());
  return words;
}

}  // namespace layoutcheck
