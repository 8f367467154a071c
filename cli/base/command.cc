// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/command.h"
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

std::FILE* own_output = nullptr;  // of SeparateOutput

}  // namespace

ExitCode Unusable(std::string_view command, std::string_view message) {
  const std::string line = StrCat("layoutcheck ", command, ": ", OneLine(message), "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  return ExitCode::kUnusable;
}

ExitCode Unusable(std::string_view command, std::string_view argument, const Error& error) {
  return Unusable(command, StrCat(argument, ": ", error.ToString()));
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
