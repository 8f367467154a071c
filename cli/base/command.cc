// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/command.h"
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::FILE* own_output = nullptr;  // of SeparateOutput
bool errors_as_json = false;

// Moves the place of an error from its message to the argument and the column: the prover's errors about texts within
// its arguments say "--formula: column 4: expected ...".
UnusableArgument WithPlace(UnusableArgument unusable) {
  constexpr std::string_view kColumn = "column ";
  auto& [argument, error] = unusable;
  const size_t found = error.message.find(StrCat(": ", kColumn));
  const bool is_first = error.message.starts_with(kColumn);
  if (error.column > 0 || (found == std::string::npos && !is_first)) return unusable;
  const char* const digits = error.message.data() + (is_first ? 0 : found + 2) + kColumn.size();
  const char* const end = error.message.data() + error.message.size();
  int64_t column = 0;
  const auto [rest, code] = std::from_chars(digits, end, column);
  if (code != std::errc() || !std::string_view(rest, end).starts_with(": ")) return unusable;
  if (!is_first) StrAppend(argument, argument.empty() ? "" : ": ", std::string_view(error.message).substr(0, found));
  error.column = column;
  error.message.erase(0, static_cast<size_t>(rest - error.message.data()) + 2);
  return unusable;
}

}  // namespace

ExitCode Unusable(std::string_view command, std::string_view message) {
  return Unusable(command, Error{ErrorKind::kInvalidArgument, std::string(message)});
}

ExitCode Unusable(std::string_view command, const Error& error) { return Unusable(command, "", error); }

ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error) {
  return Unusable(command, UnusableArgument{std::string(argument), error});
}

ExitCode Unusable(std::string_view command, const UnusableArgument& unusable) {
  const auto [argument, error] = WithPlace(unusable);
  PrintDiagnostic(command, StrCat(argument, argument.empty() ? "" : ": ", error.ToString()));
  if (!errors_as_json) return ExitCode::kUnusable;
  Json document{{"kind", ErrorKindName(error.kind)}};
  if (!argument.empty()) document["argument"] = argument;
  if (error.column > 0) document["column"] = error.column;
  document["message"] = error.message;
  PrintJson({{"error", document}});
  return ExitCode::kUnusable;
}

void ReportErrorsAsJson(bool as_json) { errors_as_json = as_json; }

void PrintDiagnostic(std::string_view command, std::string_view message) {
  const std::string line = StrCat("layoutcheck", command.empty() ? "" : " ", command, ": ", OneLine(message), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Expected<void> WriteFile(const std::string& name, const std::string& content) {
  FILE* const file = std::fopen(name.c_str(), "wb");
  bool written = file != nullptr;
  if (written) {
    written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    written = std::fclose(file) == 0 && written;
  }
  if (!written) return MakeError(ErrorKind::kUnavailable, StrCat("cannot write ", name, ": ", std::strerror(errno)));
  return {};
}

void PrintText(std::string_view text) {
  std::FILE* const file = own_output == nullptr ? stdout : own_output;
  std::fwrite(text.data(), 1, text.size(), file);
  // A library may end this process at any time.
  if (own_output != nullptr) std::fflush(own_output);
}

bool SeparateOutput() {
  std::fflush(stdout);
  const int output = dup(STDOUT_FILENO);
  std::FILE* const file = output < 0 ? nullptr : fdopen(output, "w");
  if (file == nullptr) return false;
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    std::fclose(file);
    return false;
  }
  own_output = file;
  return true;
}

void PrintJson(const Json& document) { PrintText(document.Dump() + "\n"); }

}  // namespace layoutcheck
