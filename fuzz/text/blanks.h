// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// White space and comments between the tokens of HLO text.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// Returns the text with white space or a comment added before, after or between tokens, with a chance of 1 / one_in per
// place. A parser must judge the result like the text, because the tokens stay the same.
std::string WithBlanks(std::string_view text, Random& random, uint64_t one_in);

}  // namespace layoutcheck
