// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index formulas as people write them: "((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128".
//
// Over integers: literals (decimal, or hexadecimal after 0x), names, and, from loosest to tightest, as in C:
//
//   c ? a : b    ||    &&    |    ^    &    == !=    < <= > >=    << >>    + -    * / % floordiv ceildiv mod    - + !
//
// and min(a, b), max(a, b), parentheses. floordiv, ceildiv and mod are MLIR's affine operators: they round to minus
// infinity, up, and leave a remainder >= 0. / and % are C's: they truncate. Comparisons, &&, || and ! give 0 or 1; what
// is not 0 is true. | ^ & >> are those of two's complement; a << b is a * 2^b.
#ifndef LAYOUTCHECK_CORE_FORMULA_FORMULA_H_
#define LAYOUTCHECK_CORE_FORMULA_FORMULA_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

enum class FormulaOp : uint8_t {
  kLiteral,
  kName,
  // Of one operand.
  kNegate,
  kNot,
  // Of two.
  kAdd,
  kSubtract,
  kMultiply,
  kFloorDiv,
  kCeilDiv,
  kMod,
  kDivide,
  kRemainder,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitXor,
  kBitOr,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kMin,
  kMax,
  // Of three: a ? b : c.
  kConditional,
};

// How many operands: 0 to 3.
int OperandCount(FormulaOp op);

struct FormulaNode {
  FormulaOp op;
  uint32_t operands[3] = {0, 0, 0};
  int64_t value = 0;   // of a literal
  uint32_t name = 0;   // of a name: which of Formula::names
  int64_t column = 0;  // where its operator, or its first letter, stands in the text
  bool operator==(const FormulaNode&) const = default;
};

// A tree: operands stand before what they are in, the last node is the whole. Never empty.
struct Formula {
  std::string text;  // as it was given
  std::vector<FormulaNode> nodes;
  std::vector<std::string> names;  // each once, in the order in which the text has them

  uint32_t root() const { return static_cast<uint32_t>(nodes.size() - 1); }
};

// The most levels of operators and parentheses in one formula.
inline constexpr int kMaxFormulaDepth = 400;
// And the most operators and operands.
inline constexpr size_t kMaxFormulaNodes = 20'000;

// The notation of a text.
enum class FormulaNotation {
  kFull,    // every operator above
  kAffine,  // MLIR's affine expressions: - + * floordiv ceildiv mod; integers are decimal and may have a minus sign
};

// Parses the text of a formula. Errors: kSyntax, with the column and what was expected there.
Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation = FormulaNotation::kFull);

// The formula, or the part of it below `node`, with blanks around binary operators and no parentheses that are not
// needed; it parses back to the same tree.
std::string FormulaText(const Formula& formula, uint32_t node);
inline std::string FormulaText(const Formula& formula) { return FormulaText(formula, formula.root()); }

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_FORMULA_FORMULA_H_
