// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas of a claim, "i0 / 8 * N + i0 % 8". A reader of its own, which shares no code with core/formula.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace layoutcheck::verify {

enum class Operator : uint8_t {
  kNumber,
  kName,
  kLet,          // name = operand 0 in operand 1
  kConditional,  // operand 0 ? operand 1 : operand 2
  kTable,        // an element; operand 0 is the index
  kCast,
  kNegate,
  kNot,
  kComplement,
  kMin,
  kMax,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kFloorDiv,
  kCeilDiv,
  kMod,
};

// A number, a name, or an operator with its operands. Operands are places in Formula::nodes.
struct FormulaNode {
  Operator op = Operator::kNumber;
  std::array<uint32_t, 3> operands = {};
  int64_t number = 0;                   // value of kNumber; width of kCast, in bits
  bool is_signed = false;               // true for a kCast to a signed type
  std::string_view name = {};           // name of kName, or the one that kLet binds; refers to the text
  std::vector<uint32_t> elements = {};  // elements of kTable, as places in Formula::nodes
};

// A formula as a tree. Operands stand before the nodes that use them.
struct Formula {
  std::vector<FormulaNode> nodes;
  uint32_t root = 0;
};

// Reads formulas separated by commas, perhaps with parentheses around all. The text must outlive them. The error names
// the column and what was expected.
std::expected<std::vector<Formula>, std::string> ReadFormulas(std::string_view text);

// Returns the names that lets of the formula bind.
std::set<std::string_view> BoundNames(const Formula& formula);
// Appends the names of a formula that no let binds to `names`, in the order of the text and without repetition.
void AppendFreeNames(const Formula& formula, std::vector<std::string_view>& names);

}  // namespace layoutcheck::verify
