// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts shared by all commands: exit codes, diagnostics and JSON.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// The exit codes, the same for every command.
enum class ExitCode {
  kAccepted = 0,   // accepted or proved, or nothing found
  kRejected = 1,   // rejected or refuted, or something found
  kUnusable = 2,   // unusable arguments, input or files
  kUndecided = 3,  // neither of the first two is known, because a budget ran out
};

// An error in an argument, which a message names before the error: an option, a file, or the text of a layout.
struct UnusableArgument {
  std::string argument;
  Error error;
};

// Write "layoutcheck COMMAND: MESSAGE" or "layoutcheck COMMAND: ARGUMENT: column N: MESSAGE" to stderr as one line and
// return kUnusable. The program itself has the command "", and an empty argument is left out. After ReportErrorsAsJson,
// they also print {"error":{"kind":...,"argument":...,"column":...,"message":...}} with the members that there are. A
// message alone is about the arguments.
ExitCode Unusable(std::string_view command, std::string_view message);
ExitCode Unusable(std::string_view command, const Error& error);
ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error);
ExitCode Unusable(std::string_view command, const UnusableArgument& unusable);
// Has errors printed as JSON, too, or not. A process begins without it.
void ReportErrorsAsJson(bool as_json);

// Writes "layoutcheck COMMAND: MESSAGE" to stderr as one line, whatever the format of errors is.
void PrintDiagnostic(std::string_view command, std::string_view message);

// Writes text to stdout, or where SeparateOutput says.
void PrintText(std::string_view text);
// Keeps stdout for PrintText and PrintJson from now on, and redirects all other writes to stdout to stderr, so that the
// output of a library in this process does not mix with the program's own. Returns false, without effect, if the system
// has no descriptor left.
bool SeparateOutput();

// Writes the document as one line to stdout, with replacement characters where text is not UTF-8.
void PrintJson(const Json& document);

// Writes a file. The error (kUnavailable) names the file.
Expected<void> WriteFile(const std::string& name, const std::string& content);

}  // namespace layoutcheck
