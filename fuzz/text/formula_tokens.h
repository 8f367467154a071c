// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of index formulas, for the dictionary of their fuzz target.
#pragma once

#include <span>
#include <string_view>

namespace layoutcheck {

// Returns all operators, parentheses, a few names, and the integers at which results stop fitting machine types.
std::span<const std::string_view> FormulaTokens();

}  // namespace layoutcheck
