// White space and comments where the grammar allows them: between any two tokens.
#ifndef LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_
#define LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_

#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// The text with white space and comments added before, after and between its tokens, each with a chance of one in
// `one_in`. The tokens stay as they are, so that no parser may judge the result differently from the text.
std::string WithBlanks(std::string_view text, Random& random, uint64_t one_in);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_
