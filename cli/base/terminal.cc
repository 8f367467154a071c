// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/terminal.h"
#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Width of the narrowest terminal for which pictures are made.
constexpr int64_t kLeastColumns = 20;

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

// Returns the value of a variable of the environment, or nothing.
std::string_view ValueOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Returns the columns of the terminal on stdout, as COLUMNS or the terminal says, or 0 if stdout is no terminal.
int64_t TerminalColumns() {
  if (isatty(STDOUT_FILENO) != 1) return 0;
  const std::string_view asked = ValueOf("COLUMNS");
  int64_t columns = 0;
  const auto [rest, error] = std::from_chars(asked.data(), asked.data() + asked.size(), columns);
  if (error == std::errc() && rest == asked.data() + asked.size() && columns > 0) return columns;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool TerminalHasColors() {
  return isatty(STDOUT_FILENO) == 1 && ValueOf("NO_COLOR").empty() && ValueOf("TERM") != "dumb";
}

}  // namespace

TextStyle StyleOfTerminal() {
  TextStyle style;
  style.utf8 = LocaleIsUtf8();
  style.colors = TerminalHasColors();
  if (const int64_t columns = TerminalColumns(); columns > 0) {
    style.width = std::clamp<int64_t>(columns, kLeastColumns, 160);
    style.wraps = true;
  }
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
