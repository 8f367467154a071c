// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index formulas as users write them: "((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128".
//
// A formula has integers (decimal, or hexadecimal after 0x), names, min(a, b), max(a, b), casts, tables, parentheses,
// and these operators, from loosest to tightest as in C:
//
//   let x = a in b, c ? a : b    ||    &&    |    ^    &    == !=    < <= > >=    << >>    + -
//   * / % floordiv ceildiv mod    - + ! ~
//
// floordiv, ceildiv and mod are MLIR's affine operators: floordiv rounds to minus infinity, ceildiv rounds up, and the
// result of mod is >= 0. / and % are C's and truncate. Comparisons, &&, || and ! give 0 or 1; every integer but 0 is
// true. | ^ & ~ >> are those of two's complement; a << b is a * 2^b. The amount of a shift is in [0, 63].
//
// int8(a) to int64(a) and uint8(a) to uint64(a) are the value of the type that is equal to `a` modulo 2^8 to 2^64.
// [a, b, c][i] is the element at the 0-based index i. "let x = a in b" computes `a` once, then `b`, in which x is the
// value of `a`. Elements of a table and the value of a let are computed as in C, even if they are not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

enum class FormulaOp : uint8_t {
  kLiteral,
  kName,
  kLetName,  // a name that a let binds; operands[0] is the node of its value
  // One operand.
  kNegate,
  kNot,
  kComplement,
  kToSigned,    // a cast; FormulaNode::value is the width of the type in bits: 8, 16, 32 or 64
  kToUnsigned,  // as kToSigned, for an unsigned type
  kTable,       // an element of a table; the operand is the index, see TableElements()
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
  kLet,  // value, then the part in which the name is known
  // Three operands: a ? b : c.
  kConditional,
};

// Returns the number of operands, 0 to 3. The elements of a table are none of them.
int OperandCount(FormulaOp op);

struct FormulaNode {
  FormulaOp op;
  uint32_t operands[3] = {0, 0, 0};
  int64_t value = 0;   // value of a literal, or width of the type of a cast
  uint32_t name = 0;   // index of a name in Formula::names, or of the name of a let in Formula::let_names
  int64_t column = 0;  // column of the operator, or of the first character, in the text
  bool operator==(const FormulaNode&) const = default;
};

// A formula as a tree of at least one node. Operands stand before the nodes that use them; the last node is the root.
struct Formula {
  std::string text;  // text that was parsed
  std::vector<FormulaNode> nodes;
  std::vector<std::string> names;  // without repetition, in the order of the text
  // Names that lets bind, without repetition. A name is never bound twice in one place, nor both bound and in `names`.
  std::vector<std::string> let_names = {};
  std::vector<uint32_t> elements = {};  // nodes of the elements of all tables

  uint32_t root() const { return static_cast<uint32_t>(nodes.size() - 1); }
};

// Returns the nodes of the elements of a table.
inline std::span<const uint32_t> TableElements(const Formula& formula, const FormulaNode& table) {
  return std::span(formula.elements).subspan(table.operands[1], table.operands[2]);
}

// Maximum depth of operators and parentheses, and maximum number of operators and operands, per formula.
inline constexpr int kMaxFormulaDepth = 400;
inline constexpr size_t kMaxFormulaNodes = 20'000;

enum class FormulaNotation {
  kFull,    // every operator above
  kAffine,  // MLIR's affine expressions: - + * floordiv ceildiv mod; integers are decimal and may have a minus sign
};

// Parses the text of a formula. Errors: kSyntax, with the column and what was expected there.
Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation = FormulaNotation::kFull);

// Parses one formula, or several with commas between them and, if there are several, perhaps parentheses around all:
// "(i0 / 8, i0 % 8)". Errors: those of ParseFormula, with the column in `text`.
Expected<std::vector<Formula>> ParseFormulas(std::string_view text);

// Returns the parts of the text between commas outside of parentheses and brackets: one or more.
std::vector<std::string_view> SplitAtCommas(std::string_view text);

// Prints the formula, or the part below `node`, without needless parentheses. The text parses to the same tree.
std::string FormulaText(const Formula& formula, uint32_t node);
inline std::string FormulaText(const Formula& formula) { return FormulaText(formula, formula.root()); }

struct FormulaOperator {
  FormulaOp op;
  std::string_view spelling;
  int level;  // precedence, larger binds tighter; all operators are left associative
};

inline constexpr int kConditionalLevel = 0;
inline constexpr int kLoosestBinaryLevel = 1;
inline constexpr int kUnaryLevel = 11;

struct FormulaCast {
  FormulaOp op;
  int width;  // width in bits
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
