// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spellings and precedences of the operators of formulas, for the parser and the printer.
#pragma once

#include <span>
#include <string_view>
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {

struct FormulaOperator {
  FormulaOp op;
  std::string_view spelling;
  int level;  // precedence, larger binds tighter; all operators are left associative
};

inline constexpr int kConditionalLevel = 0;
inline constexpr int kLoosestBinaryLevel = 1;
inline constexpr int kUnaryLevel = 11;
inline constexpr int kPrimaryLevel = 12;

// Returns the operators between two operands. If one spelling begins with another, the longer one comes first.
std::span<const FormulaOperator> FormulaOperators();
// Returns the entry of the operator, or null if it is not between two operands.
const FormulaOperator* FindFormulaOperator(FormulaOp op);

}  // namespace layoutcheck
