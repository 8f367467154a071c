// What the terminal that the program writes to can show.
#ifndef LAYOUTCHECK_CLI_TERMINAL_H_
#define LAYOUTCHECK_CLI_TERMINAL_H_

#include "layoutcheck/cli/draw_text.h"

namespace layoutcheck {

// Box drawing characters where the locale has them, and as wide as the terminal on stdout, within reason.
TextStyle StyleOfTerminal();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_TERMINAL_H_
