// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/terminal.h"
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns true if the user's locale says UTF-8, by its environment: a minimal machine may lack the locale's files.
bool LocaleIsUtf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text = value;
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos || text.find("UTF8") != text.npos ||
           text.find("utf-8") != text.npos;
  }
  return false;
}

// Returns the columns of the terminal on stdout, or 0 if stdout is no terminal.
int64_t TerminalColumns() {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return known ? size.ws_col : 0;
}

bool TerminalHasColors() {
  const auto value_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::string_view(value == nullptr ? "" : value);
  };
  return isatty(STDOUT_FILENO) == 1 && value_of("NO_COLOR").empty() && value_of("TERM") != "dumb";
}

}  // namespace

TextStyle StyleOfTerminal() {
  TextStyle style;
  style.utf8 = LocaleIsUtf8();
  style.colors = TerminalHasColors();
  if (const int64_t columns = TerminalColumns(); columns >= 40) style.width = std::min<int64_t>(columns, 160);
  return style;
}

size_t ColumnsForProse() {
  const int64_t columns = TerminalColumns();
  return columns == 0 ? 80 : static_cast<size_t>(std::clamp<int64_t>(columns, 60, 100));
}

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::IsDue() const { return on_terminal_ && std::chrono::steady_clock::now() >= next_; }

void ProgressLine::Show(std::string_view text) {
  if (!IsDue()) return;
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  width_ = std::max(width_, text.size());
  std::fputs(StrCat("\r", text, std::string(width_ - text.size(), ' ')).c_str(), stderr);
}

void ProgressLine::Clear() {
  if (width_ > 0) std::fputs(StrCat("\r", std::string(width_, ' '), "\r").c_str(), stderr);
  width_ = 0;
}

}  // namespace layoutcheck
