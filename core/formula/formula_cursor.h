// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A position in the text of a formula, with the tokens of formulas and the errors of their parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_operators.h"

namespace layoutcheck {

class FormulaCursor : public TextCursor {
 public:
  FormulaCursor(std::string_view text, FormulaNotation notation)
      : TextCursor(text, " \t\r\n"), is_affine_(notation == FormulaNotation::kAffine) {}

  bool is_affine() const { return is_affine_; }
  // Skips blanks and returns the column.
  int64_t NextColumn() {
    SkipBlanks();
    return column();
  }

  // Returns the letters, digits and underscores at the current position.
  std::string_view WordHere() const;
  // Returns true if a name or a word of the notation begins here.
  bool AtWord() const;
  bool AtNumber() const { return byte() >= '0' && byte() <= '9'; }
  // Returns true if a number with a minus sign begins behind the blanks.
  bool SeesNegativeNumber();
  // Skips blanks and steps over the word if it follows.
  bool TakeWord(std::string_view word);
  // Steps over a name. Errors: kSyntax if a word of the notation or none follows; `expected` describes the name.
  Expected<std::string_view> TakeName(std::string_view expected);
  // Steps over a literal. Errors: kSyntax.
  Expected<int64_t> TakeLiteral();
  // Returns the operator between two operands at the current position, or null.
  const FormulaOperator* OperatorHere();
  // Returns the cast at the current position, or null.
  const FormulaCast* CastHere() const;

  // Returns an error with the expectation and the word or byte at the current position.
  std::unexpected<Error> Wrong(std::string_view expected) const;
  std::unexpected<Error> WrongOperand() const;
  static std::unexpected<Error> ErrorAt(int64_t column, std::string message);

 private:
  bool is_affine_;
};

}  // namespace layoutcheck
