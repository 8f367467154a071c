// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators of formulas: how they are spelled and how tightly they bind. One table for the parser and the printer.
#ifndef LAYOUTCHECK_CORE_FORMULA_FORMULA_OPERATORS_H_
#define LAYOUTCHECK_CORE_FORMULA_FORMULA_OPERATORS_H_

#include <span>
#include <string_view>

#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {

struct FormulaOperator {
  FormulaOp op;
  std::string_view spelling;
  int level;  // higher binds tighter; all of these are left associative
};

inline constexpr int kConditionalLevel = 0;
inline constexpr int kLoosestBinaryLevel = 1;
inline constexpr int kUnaryLevel = 11;
inline constexpr int kPrimaryLevel = 12;

// The binary operators between operands; of two where one begins with the other, the longer first.
std::span<const FormulaOperator> FormulaOperators();
// Its entry; nothing for an operator that is not between two operands.
const FormulaOperator* FindFormulaOperator(FormulaOp op);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_FORMULA_FORMULA_OPERATORS_H_
