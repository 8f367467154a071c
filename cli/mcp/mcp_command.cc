// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck mcp
#include "layoutcheck/cli/mcp/mcp_command.h"
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/base/line_reader.h"
#include "layoutcheck/cli/mcp/mcp_session.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// The commands that are tools. The others work with files of earlier runs, or list names that `explain` knows.
constexpr std::string_view kTools[] = {"parse",        "index", "coord",   "show",  "convert",
                                       "compare",      "find",  "algebra", "prove", "prove-code",
                                       "prove-kernel", "check", "scan",    "serve", "explain"};

// A call whose output is larger than this ends with an error, because its client has to hold it.
constexpr size_t kMostOutput = size_t{64} << 20;

ExitCode RunMcpCommand(const std::vector<Command>& commands) {
  const auto program = PathOfThisProgram();
  if (!program) return Unusable("mcp", program.error());
  // Each call is a process: a crash or a limit of memory ends the call, not the session.
  const McpSession session(commands, [&](const std::vector<std::string>& arguments, const std::string& input) {
    std::vector<std::string> words = {*program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return RunProgram(words, input, ErrorStream::kDiscard, {.output = kMostOutput});
  });
  LineReader reader(stdin);
  while (const std::optional<Line> line = reader.Next()) {
    if (line->text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::optional<Json> answer = session.Answer(line->too_long ? std::string_view("{") : line->text);
    if (answer) PrintJson(*answer);
    if (std::fflush(stdout) != 0) break;  // nobody reads; the program says so at its end
  }
  return reader.failed() ? Unusable("mcp", UnavailableError("cannot read standard input").error())
                         : ExitCode::kAccepted;
}

}  // namespace

Command McpCommand(std::vector<Command> commands) {
  std::erase_if(commands,
                [](const Command& command) { return std::ranges::find(kTools, command.name) == std::end(kTools); });
  auto json = std::make_shared<bool>(false);  // answers are JSON anyway
  return {.name = "mcp",
          .description = R"(offer the commands as tools of the Model Context Protocol

Reads JSON-RPC from stdin and answers on stdout, one message per line, until the input ends. Each of the commands
parse, index, coord, show, convert, compare, find, algebra, prove, prove-code, prove-kernel, check, scan and
explain is a tool, whose arguments have the names of the command's own, such as layout and law; that of serve
takes one request of the subject protocol. A result has exit_code and the documents that the command prints with
--json.)",
          .example = R"(
  $ layoutcheck mcp
  $ echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | layoutcheck mcp
  {"jsonrpc":"2.0","id":1,"result":{}})",
          .options = {{"--json", "print errors as JSON, too; answers always are", json.get()}},
          .run = [json, others = std::move(commands)] { return RunMcpCommand(others); }};
}

}  // namespace layoutcheck
