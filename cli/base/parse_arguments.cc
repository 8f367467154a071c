// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/parse_arguments.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <type_traits>
#include <utility>
#include "layoutcheck/cli/base/help.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

struct AskedPage {
  Page page = Page::kHelp;
  std::string value;  // value of the option that asked
};

// CLI11 by itself reads -1 as 2^64 - 1.
std::string WhyNotWholeNumber(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return "";
  return StrCat("expected an integer from 0 to 2^64 - 1, got '", text, "'");
}

std::string WhyNotAmong(const std::vector<std::string>& words, const std::string& text) {
  if (std::ranges::find(words, text) != words.end()) return "";
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return StrCat("expected ", StrJoin(first, ", "), first.empty() ? "" : " or ", words.back(), ", got '", text, "'",
                DidYouMean(text, std::vector<std::string_view>(words.begin(), words.end())));
}

// Adds the option without its description, because CLI11 prints none of our pages. An option that asks for a page sets
// `asked` and ends the parsing.
void AddOption(CLI::App& app, const Option& option, AskedPage& asked) {
  const std::string names = StrJoin(option.Names(), ",");
  const auto add = [&](auto target) -> CLI::Option* {
    using Target = decltype(target);
    if constexpr (std::is_same_v<Target, Page>) {
      const auto ask = [&asked, target](const std::string& value) {
        asked = {target, value};
        throw CLI::Success();
      };
      if (target == Page::kHelp) return app.set_help_flag(names);
      if (option.Value().empty()) return app.add_flag_callback(names, [ask] { ask(""); });
      return app.add_option_function<std::string>(names, ask);
    } else if constexpr (std::is_same_v<Target, bool*>) {
      return app.add_flag(names, *target);
    } else {
      return app.add_option(names, *target);
    }
  };
  CLI::Option* const added = std::visit(add, option.target);
  const bool is_number = std::holds_alternative<uint64_t*>(option.target) ||
                         std::holds_alternative<std::optional<uint64_t>*>(option.target);
  if (!option.Value().empty()) added->type_name(option.Value());
  if (option.Is(kRequired)) added->required();
  if (option.IsRepeated() && !option.IsArgument()) added->allow_extra_args(false);
  if (option.Is(kOneOf)) {
    added->check([words = option.Choices()](const std::string& text) { return WhyNotAmong(words, text); });
  } else if (option.check || is_number) {
    added->check(option.check ? option.check : WhyNotWholeNumber);
  }
}

void AddOptions(CLI::App& app, const Command& command, AskedPage& asked) {
  AddOption(app, {"--help, -h", "", Page::kHelp}, asked);
  for (const Option& option : command.options) AddOption(app, option, asked);
  for (const Option& option : command.options) {
    CLI::Option& added = *app.get_option(option.Name());
    if (!option.excludes.empty()) added.excludes(app.get_option(option.excludes));
    if (!option.needs.empty()) added.needs(app.get_option(option.needs));
  }
}

// Returns the message about an option that the command does not have.
std::string UnknownOption(const Command& command, std::string_view option) {
  std::vector<std::string> names;
  for (const Option& known : command.Options(/*with_details=*/true)) {
    for (std::string& name : known.Names()) names.push_back(std::move(name));
  }
  const std::string_view name = option.substr(0, option.find('='));
  return StrCat("unknown option '", option, "'", DidYouMean(name, {names.begin(), names.end()}));
}

ExitCode UsageError(const Command& described, const CLI::App& program, const CLI::ParseError& error) {
  const auto selected = program.get_subcommands();
  const std::string command = selected.empty() ? "" : selected.front()->get_name();
  const std::string whole = error.what();
  std::string message = whole.substr(0, whole.find('\n'));  // CLI11's later lines repeat the first
  const std::vector<std::string> remaining = program.remaining(true);
  const auto option = std::ranges::find_if(remaining, [](const std::string& text) { return text.starts_with("--"); });
  if (selected.empty() && !program.remaining().empty()) {
    message = UnknownOption(described, program.remaining().front());
  } else if (selected.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // Whoever types the name of the program alone sees what it can do.
    PrintText(HelpText(described, ColumnsForProse(), /*with_details=*/false));
    message = "expected a command";
  } else if (option != remaining.end()) {
    message = UnknownOption(described, *option);
  } else if (!remaining.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    message = StrCat("unexpected argument '", remaining.front(), "'");
  }
  return Unusable(command, StrCat(message, "; see layoutcheck", command.empty() ? "" : " ", command, " --help"));
}

std::string AskedPageText(const Command& program, const Command& asked_about, const AskedPage& asked) {
  switch (asked.page) {
    case Page::kHelp: return HelpText(asked_about, ColumnsForProse(), asked.value == "all");
    case Page::kVersion: return program.version;
    case Page::kManual: return ManualPage(program);
    case Page::kCompletion: return CompletionScript(program, asked.value);
  }
  return "";
}

// Returns what was given of the options of a command whose arguments were parsed. Error: the name of an option whose
// value is an empty text. Such a value, of an unset variable in a script, would be taken for an option that was not
// given.
std::expected<std::vector<GivenOption>, std::string> GivenTo(const Command& command, const CLI::App& parsed) {
  std::vector<GivenOption> given;
  for (const Option& option : command.options) {
    const auto values = parsed.get_option(option.Name())->results();
    const bool may_be_empty = option.IsArgument() || option.Is(kMayBeEmpty);
    if (!may_be_empty && std::ranges::find(values, "") != values.end()) return std::unexpected(option.Name());
    if (!values.empty()) given.push_back({option.Name(), option.Value(), values});
  }
  return given;
}

// Returns arguments that begin with the older spelling of a command, "prove ... --code FILE", in that of today,
// "prove-code FILE ...".
std::vector<std::string> InSpellingOfToday(const Command& program, std::vector<std::string> arguments) {
  for (const Command& command : program.commands) {
    const std::string& older = command.older_spelling;
    const size_t blank = older.find(' ');
    if (blank == std::string::npos || arguments.empty() || arguments.front() != older.substr(0, blank)) continue;
    const std::string option = older.substr(blank + 1);
    for (auto it = arguments.begin(); it != arguments.end(); ++it) {
      const bool is_alone = *it == option && it + 1 != arguments.end();
      if (!is_alone && !it->starts_with(option + "=")) continue;
      const std::string value = is_alone ? it[1] : it->substr(option.size() + 1);
      arguments.erase(it, it + (is_alone ? 2 : 1));
      arguments.front() = command.name;
      arguments.insert(arguments.begin() + 1, value);
      return arguments;
    }
  }
  return arguments;
}

// Takes the arguments behind an option of the command that they begin with, if it takes all of them, out of the
// arguments and into its target.
void TakeRest(const Command& command, std::vector<std::string>& arguments) {
  for (const Option& option : command.options) {
    const auto begin = option.Is(kRest) ? std::ranges::find(arguments, option.Name()) : arguments.end();
    if (begin == arguments.end() || begin + 1 == arguments.end()) continue;
    std::get<std::vector<std::string>*>(option.target)->assign(begin + 1, arguments.end());
    arguments.erase(begin, arguments.end());
  }
}

}  // namespace

std::vector<Option> PageOptions() {
  return {{"--version", "print the version, and those of Z3 and LLVM", Page::kVersion},
          {"--man", "print the manual page in roff", Page::kManual},
          {StrCat("--completion ", StrJoin(kShells, "|")), "print the completion script for this shell",
           Page::kCompletion, kOneOf}};
}

std::expected<const Command*, ExitCode> ParseArguments(const Command& program, int argc, const char* const* argv) {
  const auto find = [&](const std::string& name) { return std::ranges::find(program.commands, name, &Command::name); };
  std::vector<std::string> arguments = InSpellingOfToday(program, {argv + std::min(argc, 1), argv + argc});
  // Arguments that cannot be used are an error in JSON, too.
  if (std::ranges::find(arguments, "--json") != arguments.end()) ReportErrorsAsJson(true);
  // CLI11 prints help before it looks at a command that it does not know.
  if (!arguments.empty() && !arguments[0].starts_with('-') && find(arguments[0]) == program.commands.end()) {
    const std::string nearest = DidYouMean(arguments[0], program.commands, std::mem_fn(&Command::name));
    return std::unexpected(
        Unusable("", StrCat("unknown command '", arguments[0], "'", nearest, "; see layoutcheck --help")));
  }
  if (!arguments.empty() && find(arguments[0]) != program.commands.end()) TakeRest(*find(arguments[0]), arguments);
  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  CLI::App app("", "layoutcheck");
  AskedPage asked;
  for (const Command& command : program.commands) AddOptions(*app.add_subcommand(command.name), command, asked);
  AddOptions(app, program, asked);
  app.require_subcommand(1);
  const auto selected = [&]() -> const CLI::App& {
    const auto commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
  };
  try {
    app.parse(std::move(arguments));
    const Command& command = *find(selected().get_name());
    auto given = GivenTo(command, selected());
    if (!given) {
      return std::unexpected(Unusable(command.name, StrCat(given.error(), ": expected a value, found an empty text")));
    }
    if (command.given != nullptr) *command.given = *std::move(given);
    return &command;
  } catch (const CLI::Success& success) {
    if (dynamic_cast<const CLI::CallForHelp*>(&success) != nullptr) {
      // The results of the flag are the texts after "--help=".
      for (const CLI::App* const parsed : std::initializer_list<const CLI::App*>{&app, &selected()}) {
        for (const std::string& value : parsed->get_help_ptr()->results()) asked = {Page::kHelp, value};
      }
    }
    const Command& command = &selected() == &app ? program : *find(selected().get_name());
    std::fputs(AskedPageText(program, command, asked).c_str(), stdout);
    return std::unexpected(ExitCode::kAccepted);
  } catch (const CLI::ParseError& error) {
    const Command& command = &selected() == &app ? program : *find(selected().get_name());
    return std::unexpected(UsageError(command, app, error));
  }
}

}  // namespace layoutcheck
