// What must hold for every text whatsoever as an index formula: the properties behind the formula target.
#ifndef LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_
#define LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_

#include <optional>
#include <string>
#include <string_view>

namespace layoutcheck {

// The first property that parser, printer or evaluator breaks on this text, in words; nothing where all hold. They are:
// - a rejection is a syntax error at a column in the text or right after it, and says why;
// - an accepted formula is printed, read back as the same tree, and printed the same again;
// - it has one value, or one fault, at each of a few points, whether it is the text or what is printed;
// - where it has a value in 64 bits, it has the same in 128 bits; where it overflows 64 bits, it does not fit them.
std::optional<std::string> BrokenFormulaProperty(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_FORMULA_PROPERTIES_H_
