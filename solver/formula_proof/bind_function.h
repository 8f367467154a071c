// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// Returns the function as a formula of the question, with these variables and numbers as its arguments. `text` is its
// name in titles. Runs the function at a few points to learn which numbers occur in its code.
FormulaQuestion::BoundFormula BindFunction(const FormulaQuestion& question, SymbolicFunction function,
                                           std::vector<FormulaSize> arguments, std::string text);

}  // namespace layoutcheck
