#include "layoutcheck/cli/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace layoutcheck {
namespace {

// Whether the user's locale says UTF-8. The environment is asked, not the C library: a minimal machine may have the
// setting but not the locale's files.
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

}  // namespace

TextStyle StyleOfTerminal() {
  TextStyle style;
  style.utf8 = LocaleIsUtf8();
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    style.width = std::min<int64_t>(size.ws_col, 160);
  }
  return style;
}

}  // namespace layoutcheck
