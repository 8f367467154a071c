// What the terminal that the program writes to can show.
#ifndef LAYOUTCHECK_CLI_BASE_TERMINAL_H_
#define LAYOUTCHECK_CLI_BASE_TERMINAL_H_

#include <cstdint>

namespace layoutcheck {

struct TextStyle {
  bool utf8 = true;     // box drawing characters; otherwise ASCII
  int64_t width = 100;  // columns; a picture that is wider is folded
  int64_t height = 40;  // lines, likewise
};

// Box drawing characters where the locale has them, and as wide as the terminal on stdout, within reason.
TextStyle StyleOfTerminal();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_BASE_TERMINAL_H_
