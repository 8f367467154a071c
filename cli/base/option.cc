// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/option.h"
#include <algorithm>
#include <cctype>
#include <iterator>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

std::vector<std::string> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

}  // namespace

std::vector<std::string> Option::Names() const {
  const std::string value = Value();
  return Split(std::string_view(usage).substr(0, usage.size() - (value.empty() ? 0 : value.size() + 1)), ", ");
}

std::string Option::Key() const {
  std::string key = Name();
  key.erase(0, key.find_first_not_of('-'));
  if (IsArgument()) {
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  return key;
}

std::string Option::Value() const {
  const size_t blank = usage.rfind(' ');
  return blank == std::string::npos || usage[blank + 1] == '-' ? "" : usage.substr(blank + 1);
}

std::vector<std::string> Option::Choices() const {
  const std::string value = Value();
  return Is(kOneOf) || value.find('|') != std::string::npos ? Split(value, "|") : std::vector<std::string>();
}

std::vector<std::string> Option::Completions() const {
  if (!names) return Choices();
  std::vector<std::string> words = names();
  const auto is_special = [](const std::string& word) {
    return !std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  };
  std::erase_if(words, is_special);
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  return words;
}

std::vector<Option> Joined(std::vector<std::vector<Option>> lists) {
  std::vector<Option> joined;
  for (std::vector<Option>& list : lists) std::ranges::move(list, std::back_inserter(joined));
  return joined;
}

std::string Command::Usage() const {
  std::string usage = StrCat("layoutcheck", name.empty() ? " COMMAND ..." : " ", name);
  for (const Option& argument : Arguments()) {
    const std::string text = StrCat(argument.usage, argument.IsRepeated() ? "..." : "");
    StrAppend(usage, argument.Is(kRequired) ? " " : " [", text, argument.Is(kRequired) ? "" : "]");
  }
  return usage + " [OPTION]...";
}

std::vector<Option> Command::Arguments() const {
  std::vector<Option> arguments = options;
  std::erase_if(arguments, [](const Option& option) { return !option.IsArgument(); });
  return arguments;
}

std::vector<Option> Command::Options(bool with_details) const {
  bool has_details = !details.empty();
  std::vector<Option> listed = {{"--help, -h", "print this text", Page::kHelp}};
  for (const Option& option : options) {
    if (option.IsArgument() || option.Is(kUnlisted)) continue;
    if (with_details || !option.Is(kDetail)) listed.push_back(option);
    has_details |= option.Is(kDetail);
  }
  if (has_details) listed.front().description += "; --help=all prints the details and all options";
  return listed;
}

}  // namespace layoutcheck
