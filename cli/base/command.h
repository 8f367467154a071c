// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that every command shares: exit codes, help, diagnostics and JSON.
#ifndef LAYOUTCHECK_CLI_BASE_COMMAND_H_
#define LAYOUTCHECK_CLI_BASE_COMMAND_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "layoutcheck/cli/base/help.h"
#include "layoutcheck/core/base/error.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace layoutcheck {

// The exit codes, the same for every command.
enum class ExitCode {
  kAccepted = 0,   // accepted, proved, nothing found
  kRejected = 1,   // rejected, refuted, something found
  kUnusable = 2,   // arguments, input or files that cannot be used
  kUndecided = 3,  // a budget ran out, so that neither of the first two is known
};

// The work of the selected command. It is called once, after all arguments were read.
using Action = std::function<ExitCode()>;

// JSON whose members keep the order in which they were added.
using Json = nlohmann::ordered_json;

// Adds a command to the program. `description` starts with a one-line summary, which the program's help lists;
// `example` ends the command's help. Both are texts as in CommandHelp. The caller adds options to the result and sets
// its callback, which stores the action.
CLI::App* AddCommand(CLI::App& program, std::string name, std::string description, std::string example);

// Returns the help of the program or of one of its commands.
CommandHelp HelpOf(const CLI::App& app);

// Makes the option take one of these words, which its help shows.
void TakeOneOf(CLI::Option* option, std::span<const std::string_view> words);

// Accepts integers from 0 to 2^64 - 1. CLI11 alone reads -1 as the largest one.
CLI::Validator WholeNumber();

// Returns text as one line: control characters are written as escapes. Bytes >= 0x80 are kept.
std::string OneLine(std::string_view text);

// Writes "layoutcheck COMMAND: MESSAGE" as one line to stderr and returns kUnusable.
ExitCode Unusable(std::string_view command, std::string_view message);
// Writes "layoutcheck COMMAND: ARGUMENT: column N: MESSAGE" as one line to stderr and returns kUnusable.
ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error);

// Writes the document as one line to stdout. Text that is not UTF-8 is written with replacement characters.
void PrintJson(const Json& document);

// Writes a file. The error (kUnavailable) names it.
Expected<void> WriteFile(const std::string& name, const std::string& content);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_COMMAND_H_
