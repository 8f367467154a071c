// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties that the formula target checks: they must hold for every text, whether it is a formula or not.
#ifndef LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_
#define LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_

#include <optional>
#include <string>
#include <string_view>

namespace layoutcheck {

// Returns a sentence about the first property that parser, printer or evaluator breaks on this text; nothing if all
// hold:
// - a rejection is a syntax error at a column in the text or right after it, and says why;
// - an accepted formula is printed, read back as the same tree, and printed the same again;
// - the formula and its printed text have the same value, or the same fault, at each of a few points;
// - a value in 64 bits is also the value in 128 bits; a value that overflows 64 bits does not fit them.
std::optional<std::string> BrokenFormulaProperty(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_
