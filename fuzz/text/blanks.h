// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// White space and comments between the tokens of HLO text, where the grammar allows them.
#ifndef LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_
#define LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_

#include <string>
#include <string_view>

#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// Returns the text with white space and comments added before, after and between its tokens, at each place with a
// chance of one in `one_in`. The tokens stay as they are, so that a parser must judge the result like the text.
std::string WithBlanks(std::string_view text, Random& random, uint64_t one_in);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_BLANKS_H_
