// Breaks a text on purpose, in the ways in which parsers fail.
#ifndef LAYOUTCHECK_FUZZ_MUTATOR_BREAKAGE_H_
#define LAYOUTCHECK_FUZZ_MUTATOR_BREAKAGE_H_

#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// One change to the text: a token taken away, doubled, exchanged or put in; an attribute repeated or out of order; an
// integer that is huge, negative or no integer; nesting up to and past the limit; a comma too many; NUL, white space
// that is none, bytes >= 0x80; blanks inside a token; a cut end; something after the end. The result is usually
// malformed, not always.
std::string BreakText(std::string_view text, Random& random);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_MUTATOR_BREAKAGE_H_
