// What every command of the layoutcheck program shares: exit codes, the shape of its help, diagnostics and JSON.
#ifndef LAYOUTCHECK_CLI_BASE_COMMAND_H_
#define LAYOUTCHECK_CLI_BASE_COMMAND_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "layoutcheck/core/base/error.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace layoutcheck {

// The exit codes, the same for every command.
enum class ExitCode {
  kAccepted = 0,   // accepted, proved, nothing found
  kRejected = 1,   // rejected, refuted, something found
  kUnusable = 2,   // arguments, input or files that cannot be used
  kUndecided = 3,  // a budget ran out: neither of the first two
};

// What the selected command does, called once after all arguments have been read.
using Action = std::function<ExitCode()>;

// JSON whose members keep the order in which they were added.
using Json = nlohmann::ordered_json;

// Adds a command to the program. `description` starts with a one-line summary, which is also its line in the help of
// the program; `example` is printed as it is at the end of the command's help. The caller adds options to the result
// and sets its callback, which stores the action.
CLI::App* AddCommand(CLI::App& program, std::string name, std::string description, std::string example);

// The help of the program or of a command: usage, description, commands, arguments, options, example.
std::string HelpText(const CLI::App* app);

// For options that take an integer of at least 0; CLI11 alone takes -1 for the largest one.
CLI::Validator WholeNumber();

// Text as one line: control characters are written as escapes. Bytes >= 0x80 are kept.
std::string OneLine(std::string_view text);

// Writes "layoutcheck COMMAND: MESSAGE" as one line to stderr and returns kUnusable.
ExitCode Unusable(std::string_view command, std::string_view message);
// The same for an argument: "layoutcheck COMMAND: ARGUMENT: column N: MESSAGE".
ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error);

// Writes the document as one line to stdout. Text that is not UTF-8 is written with replacement characters.
void PrintJson(const Json& document);

// Writes a file. Errors: kUnavailable, with its name.
Expected<void> WriteFile(const std::string& name, const std::string& content);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_COMMAND_H_
