// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index formulas as users write them: "((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128".
//
// A formula has integers (decimal, or hexadecimal after 0x), names, min(a, b), max(a, b), parentheses, and these
// operators, from loosest to tightest as in C:
//
//   c ? a : b    ||    &&    |    ^    &    == !=    < <= > >=    << >>    + -    * / % floordiv ceildiv mod    - + !
//
// floordiv, ceildiv and mod are MLIR's affine operators: floordiv rounds to minus infinity, ceildiv rounds up, and the
// result of mod is >= 0. / and % are C's and truncate. Comparisons, &&, || and ! give 0 or 1; every integer but 0 is
// true. | ^ & >> are those of two's complement; a << b is a * 2^b.
#pragma once

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
  // One operand.
  kNegate,
  kNot,
  // Two operands.
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
  // Three operands: a ? b : c.
  kConditional,
};

// Returns the number of operands, 0 to 3.
int OperandCount(FormulaOp op);

struct FormulaNode {
  FormulaOp op;
  uint32_t operands[3] = {0, 0, 0};
  int64_t value = 0;   // value of a literal
  uint32_t name = 0;   // index of a name in Formula::names
  int64_t column = 0;  // column of the operator, or of the first character, in the text
  bool operator==(const FormulaNode&) const = default;
};

// A formula as a tree of at least one node. Operands stand before the nodes that use them; the last node is the root.
struct Formula {
  std::string text;  // text that was parsed
  std::vector<FormulaNode> nodes;
  std::vector<std::string> names;  // without repetition, in the order of the text

  uint32_t root() const { return static_cast<uint32_t>(nodes.size() - 1); }
};

// Maximum depth of operators and parentheses, and maximum number of operators and operands, per formula.
inline constexpr int kMaxFormulaDepth = 400;
inline constexpr size_t kMaxFormulaNodes = 20'000;

enum class FormulaNotation {
  kFull,    // every operator above
  kAffine,  // MLIR's affine expressions: - + * floordiv ceildiv mod; integers are decimal and may have a minus sign
};

// Parses the text of a formula. Errors: kSyntax, with the column and what was expected there.
Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation = FormulaNotation::kFull);

// Prints the formula, or the part below `node`, without needless parentheses. The text parses to the same tree.
std::string FormulaText(const Formula& formula, uint32_t node);
inline std::string FormulaText(const Formula& formula) { return FormulaText(formula, formula.root()); }

}  // namespace layoutcheck
