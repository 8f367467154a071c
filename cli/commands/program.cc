// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/commands/program.h"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <ranges>
#include <string>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/parse_arguments.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/claims/claim_commands.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/find/find_command.h"
#include "layoutcheck/cli/manual/explain_command.h"
#include "layoutcheck/cli/mcp/mcp_command.h"
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/cli/notations/view_notation.h"
#include "layoutcheck/cli/sharding/sharded_commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#ifdef LAYOUTCHECK_HAS_LLVM
#include "layoutcheck/llvm/code_proof/prove_code.h"
#endif

namespace layoutcheck {
namespace {

constexpr const char* kFooter = R"(`layoutcheck COMMAND --help` describes a command and shows examples.

Exit codes:
  0  accepted, proved, nothing found
  1  rejected, refuted, something found
  2  arguments, input or files that cannot be used
  3  undecided: a budget ran out, or the run was interrupted)";

std::string Description() {
  std::string text =
      "check, fuzz and prove tensor layouts\n\n"
      "A tensor layout says at which address each element of an array lies. A LAYOUT is text in one of these "
      "notations:\n";
  const auto add = [&](std::string_view example, std::string_view description) {
    StrAppend(text, "\n  ", example, std::string(kShardedExample.size() - example.size() + 2, ' '), description);
  };
  for (const Notation* notation : kNotations | std::views::reverse) add(notation->example, notation->description);
  add(kViewExample, kViewDescription);
  add(kShardedExample, kShardedDescription);  // the longest
  return text;
}

// Returns the versions of the program and of the libraries on which its verdicts rest, one per line.
std::string Versions() {
  std::string text = StrCat("layoutcheck ", LAYOUTCHECK_VERSION, "\nZ3 ", Z3Version(), "\n");
#ifdef LAYOUTCHECK_HAS_LLVM
  StrAppend(text, "LLVM ", LlvmVersion(), "\n");
#endif
  return text;
}

// Returns `run`. The claims of a project are what these commands say.
Command RunCommand() {
  return RunClaimsCommand({CheckCommand(), CompareCommand(), FuzzCommand(), ProveCommand(), ProveCodeCommand(),
                           ProveKernelCommand(), ReplayCommand(), ScanCommand(), VerifyCommand()});
}

ExitCode Run(int argc, char** argv) {
  std::vector<Command> commands = {
      ParseCommand(),  IndexCommand(),   CoordCommand(),  ShowCommand(),   ConvertCommand(),   CompareCommand(),
      FindCommand(),   AlgebraCommand(), CheckCommand(),  ProveCommand(),  ProveCodeCommand(), ProveKernelCommand(),
      VerifyCommand(), FuzzCommand(),    ReplayCommand(), AcceptCommand(), MergeCommand(),     ReportCommand(),
      ScanCommand(),   RunCommand(),     InitCommand(),   ServeCommand(),  LawsCommand(),      SubjectsCommand()};
  commands.push_back(ExplainCommand(commands));
  commands.push_back(McpCommand(commands));
  const Command program{.description = Description(),
                        .footer = kFooter,
                        .version = Versions(),
                        .options = PageOptions(),
                        .commands = std::move(commands)};
  const auto command = ParseArguments(program, argc, argv);
  if (!command) return command.error();
  std::optional<StopSignals> signals;
  if (!(*command)->reports_interruption) {
    signals.emplace(StopOptions{.patience = std::chrono::milliseconds(0), .command = (*command)->name});
  }
  try {
    return (*command)->run();
  } catch (const std::bad_alloc&) {
    Unusable("", UnavailableError("memory did not suffice").error());
  } catch (const std::system_error& error) {  // a thread cannot be started
    Unusable("", UnavailableError(error.what()).error());
  }
  return ExitCode::kUndecided;
}

}  // namespace

ExitCode RunCommandLine(int argc, char** argv) {
  const ExitCode code = Run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "layoutcheck: cannot write to standard output: %s\n", std::strerror(errno));
  return ExitCode::kUnusable;
}

}  // namespace layoutcheck
