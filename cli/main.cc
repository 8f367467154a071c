// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layoutcheck program: reads the arguments, runs the selected command, and returns its exit code.
#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <ranges>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/cli/notations/view_notation.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kFooter = R"(`layoutcheck COMMAND --help` describes a command and shows examples.

Exit codes:
  0  accepted, proved, nothing found
  1  rejected, refuted, something found
  2  arguments, input or files that cannot be used
  3  undecided: a budget ran out)";

std::string Description() {
  std::string text =
      "check, fuzz and prove tensor layouts\n\n"
      "A tensor layout says at which address each element of an array lies. A LAYOUT is text in one of these "
      "notations:\n";
  for (const Notation* notation : kNotations | std::views::reverse) {
    StrAppend(text, "\n  ", notation->example, "\n      ", notation->description);
  }
  StrAppend(text, "\n  ", kViewExample, "\n      ", kViewDescription);
  return text;
}

ExitCode UsageError(const CLI::App& program, const CLI::ParseError& error) {
  const auto selected = program.get_subcommands();
  const std::string command = selected.empty() ? "" : StrCat(" ", selected.front()->get_name());
  const std::string whole = error.what();
  std::string message = whole.substr(0, whole.find('\n'));  // CLI11's later lines repeat the first
  const std::vector<std::string> remaining = program.remaining(true);
  const auto option = std::ranges::find_if(remaining, [](const std::string& text) { return text.starts_with("--"); });
  if (selected.empty() && !program.remaining().empty()) {
    const std::string first = program.remaining().front();
    message = StrCat("unknown option '", first, "'");
  } else if (selected.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    message = "expected a command";
  } else if (option != remaining.end()) {
    message = StrCat("unknown option '", *option, "'");
  } else if (!remaining.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    message = StrCat("unexpected argument '", remaining.front(), "'");
  }
  std::fprintf(stderr, "layoutcheck%s: %s; see layoutcheck%s --help\n", command.c_str(), OneLine(message).c_str(),
               command.c_str());
  return ExitCode::kUnusable;
}

void AddCommands(CLI::App& program, Action& action) {
  AddParseCommand(program, action);
  AddIndexCommand(program, action);
  AddCoordCommand(program, action);
  AddShowCommand(program, action);
  AddConvertCommand(program, action);
  AddCompareCommand(program, action);
  AddCheckCommand(program, action);
  AddProveCommand(program, action);
  AddVerifyCommand(program, action);
  AddFuzzCommand(program, action);
  AddReplayCommand(program, action);
  AddMergeCommand(program, action);
  AddReportCommand(program, action);
  AddScanCommand(program, action);
  AddServeCommand(program, action);
  AddLawsCommand(program, action);
  AddSubjectsCommand(program, action);
}

// Adds the options of the program itself. Those that print a page write its text to `page` and end the parsing.
void AddPages(CLI::App& program, std::string& page) {
  program.footer(kFooter);
  program.set_help_flag("--help,-h", "print this text");
  program.set_version_flag("--version", "layoutcheck " LAYOUTCHECK_VERSION, "print the version");
  const auto print_page = [&page](std::string text) {
    page = std::move(text);
    throw CLI::Success();
  };
  program.add_flag_callback(
      "--man", [&program, print_page] { print_page(ManualPage(HelpOf(program))); }, "print the manual page in roff");
  TakeOneOf(
      program.add_option_function<std::string>(
          "--completion",
          [&program, print_page](const std::string& shell) { print_page(CompletionScript(HelpOf(program), shell)); },
          "print the completion script for this shell"),
      kShells);
}

// Returns the name of an option whose value is an empty text, or an empty name. Such a value, of an unset variable in a
// script, would be taken for an option that was not given. Function arguments and flags of compilers may be none.
std::string OptionWithoutText(const CLI::App& command) {
  constexpr std::string_view kMayBeEmpty[] = {"--args", "--clang-flags"};
  for (const CLI::Option* const option : command.get_options()) {
    const bool is_positional = option->get_lnames().empty();
    if (is_positional || std::ranges::find(kMayBeEmpty, option->get_name()) != std::end(kMayBeEmpty)) continue;
    if (std::ranges::find(option->results(), "") != option->results().end()) return option->get_name();
  }
  return "";
}

// Parses the arguments. Returns the exit code if they ask for a text, which is printed, or cannot be used.
std::optional<ExitCode> Parse(CLI::App& program, const std::string& page, int argc, char** argv) {
  // CLI11 prints help before it looks at a command that it does not know.
  if (argc > 1 && argv[1][0] != '-' &&
      program.get_subcommands([&](const CLI::App* command) { return command->get_name() == argv[1]; }).empty()) {
    std::fprintf(stderr, "layoutcheck: unknown command '%s'; see layoutcheck --help\n", OneLine(argv[1]).c_str());
    return ExitCode::kUnusable;
  }
  try {
    program.parse(argc, argv);
    const CLI::App& command = *program.get_subcommands().front();
    const std::string option = OptionWithoutText(command);
    if (option.empty()) return std::nullopt;
    return Unusable(command.get_name(), StrCat(option, ": expected a value, found an empty text"));
  } catch (const CLI::CallForHelp&) {
    const auto selected = program.get_subcommands();
    const CommandHelp help = HelpOf(selected.empty() ? program : *selected.front());
    std::fputs(HelpText(help, ColumnsForProse()).c_str(), stdout);
  } catch (const CLI::CallForVersion& version) {
    std::puts(version.what());
  } catch (const CLI::Success&) {
    std::fputs(page.c_str(), stdout);
  } catch (const CLI::ParseError& error) {
    return UsageError(program, error);
  }
  return ExitCode::kAccepted;
}

ExitCode Run(int argc, char** argv) {
  CLI::App program(Description(), "layoutcheck");
  Action action;
  std::string page;
  AddCommands(program, action);
  AddPages(program, page);
  program.require_subcommand(1);
  if (const std::optional<ExitCode> ended = Parse(program, page, argc, argv)) return *ended;
  try {
    return action();
  } catch (const std::bad_alloc&) {
    std::fputs("layoutcheck: memory did not suffice\n", stderr);
  } catch (const std::system_error& error) {  // a thread cannot be started
    std::fprintf(stderr, "layoutcheck: %s\n", error.what());
  }
  return ExitCode::kUndecided;
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) {
  // If the caller has closed a standard stream, this keeps its number from another file, which would get the output.
  // Reading from it fails, and so does writing to it.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  const layoutcheck::ExitCode code = layoutcheck::Run(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "layoutcheck: cannot write to standard output: %s\n", std::strerror(errno));
    return static_cast<int>(layoutcheck::ExitCode::kUnusable);
  }
  return static_cast<int>(code);
}
