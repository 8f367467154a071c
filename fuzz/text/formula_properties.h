// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties that the formula target checks for every text, formula or not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns a sentence about the first property that the parser, printer or evaluator breaks, or nothing:
// - a rejection is a syntax error with a reason, at a column in the text or right after it;
// - an accepted formula is printed, read back as the same tree, and printed the same again;
// - the formula and its printed text have the same value, or the same fault, at each of a few points;
// - a value in 64 bits is the same in 128 bits; a value that overflows 64 bits does not fit them.
std::optional<std::string> BrokenFormulaProperty(std::string_view text);

}  // namespace layoutcheck
