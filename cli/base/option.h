// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands and their options as data. parse_arguments.h reads them from the program's arguments, and help.h prints
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/cli/base/command.h"

namespace layoutcheck {

// A page that the program prints instead of its work.
enum class Page { kHelp, kVersion, kManual, kCompletion };

// The variable that receives the value of an option. Numbers are integers from 0 to 2^64 - 1, unless an option has a
// check of its own. An option whose target is a vector can be repeated.
using OptionTarget = std::variant<Page, bool*, uint64_t*, std::optional<uint64_t>*, std::optional<int>*, std::string*,
                                  std::optional<std::string>*, std::vector<std::string>*>;

// Traits of an option; `|` joins several.
enum OptionTraits : unsigned {
  kNoTraits = 0,
  kRequired = 1,
  kOneOf = 2,       // the value is one of the words of the placeholder
  kMayBeEmpty = 4,  // the empty text is a value, and not that of an unset variable in a script
  kDetail = 8,      // the short text of --help leaves it out; --help=all, the manual page and completions have it
  kUnlisted = 16,   // no page has it
  kRest = 32,       // the values are all arguments behind the option, whatever they are
};
constexpr OptionTraits operator|(OptionTraits a, OptionTraits b) {
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a set of traits has no name of its own.
  return static_cast<OptionTraits>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

// An option, or an argument of a command.
struct Option {
  // The option as help shows it: "--json", "--svg FILE", "--view memory|logical"; the name if it is an argument.
  std::string usage;
  std::string description;
  OptionTarget target;
  OptionTraits traits = kNoTraits;
  std::string needs = {};     // name of an option that has to be given beside this one
  std::string excludes = {};  // name of an option that cannot be given beside this one
  std::function<std::string(const std::string& value)> check = {};  // returns what is wrong with a value, or nothing
  std::function<std::vector<std::string>()> names = {};  // returns values that completions offer for free text

  bool Is(OptionTraits trait) const { return (traits & trait) != 0; }
  bool IsArgument() const { return !usage.starts_with('-'); }
  bool IsRepeated() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  // Returns {"--help", "-h"}, or the name alone of an argument.
  std::vector<std::string> Names() const;
  std::string Name() const { return Names().front(); }
  // Returns the name as a key of JSON or TOML: "law" for --law, "layout" for the argument LAYOUT.
  std::string Key() const;
  // Returns the placeholder of the value, "FILE" or "memory|logical", or an empty text for flags and arguments.
  std::string Value() const;
  // Returns the words that the placeholder lists, or nothing if it stands for free text.
  std::vector<std::string> Choices() const;
  // Returns the words that completions offer: Choices(), or those of `names` that no shell takes apart.
  std::vector<std::string> Completions() const;
  bool TakesFile() const { return Value() == "FILE" || Value() == "DIR"; }
};

// Returns the names of entries for Option::names.
template <class Entries, class NameOf>
std::vector<std::string> NamesOf(const Entries& entries, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(std::invoke(name_of, entry));
  return names;
}

// Returns the options of all lists.
std::vector<Option> Joined(std::vector<std::vector<Option>> lists);

// An option or argument that the user gave, with its values as they were written.
struct GivenOption {
  std::string name;   // "--law", "LAYOUT"
  std::string value;  // placeholder of the value
  std::vector<std::string> values;
};

// A command, or the program itself, whose name is empty. In texts, blank lines separate paragraphs, and lines that
// begin with a blank stay unwrapped.
struct Command {
  std::string name = {};
  std::string description = {};      // starts with a summary of one line
  std::string details = {};          // part of the help that only --help=all prints; starts with a line break
  std::string example = {};          // example of a command; starts with a line break
  std::string footer = {};           // last paragraph of the program's help
  std::string version = {};          // text of the program's --version
  std::vector<Option> options = {};  // options, and arguments in the order in which users give them
  std::function<ExitCode()> run = {};
  std::vector<GivenOption>* given = nullptr;  // receives what was given, in the order of `options`
  // The command reports what it has when it is interrupted. Others end at once.
  bool reports_interruption = false;
  std::string older_spelling = {};     // "prove --code" for `prove-code`, whose first argument was the value of --code
  std::vector<Command> commands = {};  // commands of the program

  std::string Summary() const { return description.substr(0, description.find('\n')); }
  // Returns a text such as "layoutcheck show LAYOUT [OPTION]...".
  std::string Usage() const;
  std::vector<Option> Arguments() const;
  // Returns the options that a page lists, --help first.
  std::vector<Option> Options(bool with_details) const;
};

}  // namespace layoutcheck
