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

struct FormulaCast {
  FormulaOp op;
  int width;  // in bits
  std::string_view name;
};
inline constexpr FormulaCast kFormulaCasts[] = {
    {FormulaOp::kToSigned, 8, "int8"},      {FormulaOp::kToSigned, 16, "int16"},
    {FormulaOp::kToSigned, 32, "int32"},    {FormulaOp::kToSigned, 64, "int64"},
    {FormulaOp::kToUnsigned, 8, "uint8"},   {FormulaOp::kToUnsigned, 16, "uint16"},
    {FormulaOp::kToUnsigned, 32, "uint32"}, {FormulaOp::kToUnsigned, 64, "uint64"},
};

// Returns the operators between two operands. If one spelling begins with another, the longer one comes first.
std::span<const FormulaOperator> FormulaOperators();
// Returns the entry of the operator, or null if it is not between two operands.
const FormulaOperator* FindFormulaOperator(FormulaOp op);

}  // namespace layoutcheck
