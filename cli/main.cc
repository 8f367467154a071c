// The layoutcheck program: reads the arguments, runs the selected command, and returns its exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kDescription =
    R"(Checks, fuzzes and proves tensor layouts: which element lies at which address.

A LAYOUT is text in one of these notations:
  bf16[8,1280,16384]{2,1,0:T(8,128)(2,1)}   XLA shape with layout: dimension order, tiles, attributes
  f32[2,3]{0,1}pad[3,5]=0                   XLA layout of 2017: padded dimensions, padding value
  ((4,2),(4,3)):((4,16),(1,32))             CuTe or CATLASS TLA: nested shape:stride
  zN:f16[20,40]                             CATLASS fractal tag, element type, rows and columns)";

constexpr const char* kFooter =
    R"(Exit codes: 0 accepted, proved, nothing found; 1 rejected, refuted, something found; 2 unusable
arguments, input or files; 3 undecided. `layoutcheck COMMAND --help` shows each command with an
example.)";

// CLI11's message as the rest of a line: its first line, without what it repeats.
std::string MessageOf(const CLI::ParseError& error) {
  const std::string message = error.what();
  return message.substr(0, message.find('\n'));
}

ExitCode UsageError(const CLI::App& program, const CLI::ParseError& error) {
  const auto selected = program.get_subcommands();
  const std::string command = selected.empty() ? "" : StrCat(" ", selected.front()->get_name());
  std::string message = MessageOf(error);
  const std::vector<std::string> remaining = program.remaining(true);
  const auto option = std::ranges::find_if(remaining, [](const std::string& text) { return text.starts_with("--"); });
  if (selected.empty() && !program.remaining().empty()) {
    const std::string first = program.remaining().front();
    message = StrCat(first.starts_with("-") ? "unknown option '" : "unknown command '", first, "'");
  } else if (selected.empty()) {
    message = "expected a command";
  } else if (option != remaining.end()) {
    message = StrCat("unknown option '", *option, "'");
  }
  std::fprintf(stderr, "layoutcheck%s: %s; see layoutcheck%s --help\n", command.c_str(), OneLine(message).c_str(),
               command.c_str());
  return ExitCode::kUnusable;
}

ExitCode Run(int argc, char** argv) {
  CLI::App program(kDescription, "layoutcheck");
  Action action;
  AddParseCommand(program, action);
  AddIndexCommand(program, action);
  AddCoordCommand(program, action);
  AddShowCommand(program, action);
  AddConvertCommand(program, action);
  AddCheckCommand(program, action);
  AddProveCommand(program, action);
  AddFuzzCommand(program, action);
  AddReplayCommand(program, action);
  AddReportCommand(program, action);
  AddServeCommand(program, action);
  AddLawsCommand(program, action);
  AddSubjectsCommand(program, action);

  program.footer(kFooter);
  program.set_help_flag("--help,-h", "print this text");
  program.set_version_flag("--version", "layoutcheck " LAYOUTCHECK_VERSION, "print the version");
  program.require_subcommand(1);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto selected = program.get_subcommands();
    std::fputs(HelpText(selected.empty() ? &program : selected.front()).c_str(), stdout);
    return ExitCode::kAccepted;
  } catch (const CLI::CallForVersion& version) {
    std::puts(version.what());
    return ExitCode::kAccepted;
  } catch (const CLI::ParseError& error) {
    return UsageError(program, error);
  }
  return action();
}

}  // namespace
}  // namespace layoutcheck

int main(int argc, char** argv) {
  const layoutcheck::ExitCode code = layoutcheck::Run(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "layoutcheck: cannot write to standard output: %s\n", std::strerror(errno));
    return static_cast<int>(layoutcheck::ExitCode::kUnusable);
  }
  return static_cast<int>(code);
}
