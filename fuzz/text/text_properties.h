// What must hold for every text whatsoever, well formed or not: the properties behind the text targets.
#ifndef LAYOUTCHECK_FUZZ_TEXT_TEXT_PROPERTIES_H_
#define LAYOUTCHECK_FUZZ_TEXT_TEXT_PROPERTIES_H_

#include <optional>
#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/text_kind.h"

namespace layoutcheck {

// The first property that the core breaks on this text, in words; nothing where all hold. They are:
// - an accepted value is printed, read back equal, and printed the same again;
// - a rejection names a column in the text or right after it, and is a syntax error or an invalid layout;
// - what is accepted is valid, and only what is well formed is judged as a layout;
// - white space and comments between tokens change nothing. (Costly: checked for one text in eight, as its bytes say.)
std::optional<std::string> BrokenTextProperty(TextKind kind, std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_TEXT_PROPERTIES_H_
