// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of index formulas, for the dictionary of their fuzz target.
#ifndef LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_
#define LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_

#include <span>
#include <string_view>

namespace layoutcheck {

// Returns all operators, parentheses, a few names, and the integers at which results stop fitting machine types.
std::span<const std::string_view> FormulaTokens();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_TEXT_FORMULA_TOKENS_H_
