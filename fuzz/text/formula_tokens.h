// The tokens of index formulas as a list: the dictionary of their fuzz target.
#ifndef LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_
#define LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_

#include <span>
#include <string_view>

namespace layoutcheck {

// Every operator, parentheses, a few names, and integers at which a result stops to fit.
std::span<const std::string_view> FormulaTokens();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_
