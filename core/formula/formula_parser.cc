// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A precedence-climbing parser without a lexer, because no operator has more than eight letters.
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_operators.h"

namespace layoutcheck {
namespace {

constexpr const char* kOperand = "an operand (a number, a name, '(', '-', '!', min or max)";
constexpr const char* kAffineOperand = "expected an integer, d0, s0 or '('";
constexpr std::array<std::string_view, 5> kWords = {"floordiv", "ceildiv", "mod", "min", "max"};

bool IsAffine(FormulaOp op) {
  using enum FormulaOp;
  return op == kAdd || op == kSubtract || op == kMultiply || op == kFloorDiv || op == kCeilDiv || op == kMod;
}
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, FormulaNotation notation)
      : cursor_(text, " \t\r\n"), is_affine_(notation == FormulaNotation::kAffine) {
    formula_.text = std::string(text);
  }

  Expected<Formula> Run() {
    const Expected<Tree> root = Conditional(0);
    if (!root) return std::unexpected(root.error());
    if (!cursor_.AtEnd()) return Wrong("an operator or end of text");
    return std::move(formula_);
  }

 private:
  struct Tree {
    uint32_t node;
    int depth;
  };

  Expected<Tree> Conditional(int nesting) {
    Expected<Tree> condition = Binary(kLoosestBinaryLevel, nesting);
    if (!condition) return condition;
    const int64_t column = NextColumn();
    if (is_affine_ || !cursor_.Take("?")) return condition;
    const Expected<Tree> chosen = Conditional(nesting + 1);
    if (!chosen) return chosen;
    if (!cursor_.Take(":")) return Wrong("an operator or ':', the other half of '?'");
    const Expected<Tree> other = Conditional(nesting + 1);
    if (!other) return other;
    return Make(FormulaOp::kConditional, column, {*condition, *chosen, *other});
  }

  // Parses operators of this level and tighter ones.
  Expected<Tree> Binary(int level, int nesting) {
    Expected<Tree> left = Unary(nesting);
    while (left) {
      const int64_t column = NextColumn();
      const FormulaOperator* op = OperatorHere();
      if (op == nullptr || op->level < level) return left;
      cursor_.Take(op->spelling);
      const Expected<Tree> right = Binary(op->level + 1, nesting + 1);
      if (!right) return right;
      left = Make(op->op, column, {*left, *right});
    }
    return left;
  }

  Expected<Tree> Unary(int nesting) {
    if (nesting > kMaxFormulaDepth) return TooDeep(cursor_.column());
    const int64_t column = NextColumn();
    if (is_affine_ && cursor_.Sees("-") && cursor_.rest().size() > 1 && IsDigit(cursor_.rest()[1])) return Literal();
    if (!is_affine_ && cursor_.Take("+")) return Unary(nesting + 1);
    const bool minus = cursor_.Take("-");
    if (!minus && (is_affine_ || cursor_.Sees("!=") || !cursor_.Take("!"))) return Primary(nesting);
    const Expected<Tree> operand = Unary(nesting + 1);
    if (!operand) return operand;
    return Make(minus ? FormulaOp::kNegate : FormulaOp::kNot, column, {*operand});
  }

  Expected<Tree> Primary(int nesting) {
    const int64_t column = cursor_.column();
    if (cursor_.Take("(")) {
      const Expected<Tree> inside = Conditional(nesting + 1);
      if (!inside) return inside;
      return Close(*inside);
    }
    if (IsDigit(cursor_.byte())) return Literal();
    if (!IsLetter(cursor_.byte())) return WrongOperand();
    const std::string_view word = WordHere();
    if (!is_affine_ && (word == "min" || word == "max")) {
      cursor_.Take(word);
      return Function(word == "min" ? FormulaOp::kMin : FormulaOp::kMax, column, nesting);
    }
    if (std::ranges::find(kWords, word) != kWords.end()) return WrongOperand();
    cursor_.Take(word);
    const auto known = std::ranges::find(formula_.names, word);
    const auto number = static_cast<uint32_t>(known - formula_.names.begin());
    if (known == formula_.names.end()) formula_.names.emplace_back(word);
    Expected<Tree> name = Make(FormulaOp::kName, column, {});
    if (name) formula_.nodes.back().name = number;
    return name;
  }

  Expected<Tree> Function(FormulaOp op, int64_t column, int nesting) {
    if (!cursor_.Take("(")) return Wrong("'(' after min or max");
    const Expected<Tree> first = Conditional(nesting + 1);
    if (!first) return first;
    if (!cursor_.Take(",")) return Wrong("an operator or ',' and the second of two arguments");
    const Expected<Tree> second = Conditional(nesting + 1);
    if (!second) return second;
    const Expected<Tree> call = Make(op, column, {*first, *second});
    if (!call) return call;
    return Close(*call);
  }

  Expected<Tree> Literal() {
    const int64_t column = cursor_.column();
    const size_t begin = cursor_.position();
    const bool leading_zero = cursor_.byte() == '0';
    const bool hexadecimal = !is_affine_ && (cursor_.Take("0x") || cursor_.Take("0X"));
    if (hexadecimal && !IsHexDigit(cursor_.byte())) return Error(column, "expected hexadecimal digits after '0x'");
    const Expected<int64_t> value = cursor_.TakeInteger(hexadecimal ? 16 : 10);
    if (!value) {
      cursor_.Take("-");
      cursor_.TakeWhile(hexadecimal ? IsHexDigit : IsDigit);
      return Error(column, StrCat("expected an integer of at most ", std::numeric_limits<int64_t>::max(), ", found ",
                                  cursor_.Since(begin)));
    }
    if (!is_affine_ && !hexadecimal && leading_zero && cursor_.position() > begin + 1) {
      return Error(column, "expected a decimal integer without leading zeros, or 0x and hexadecimal digits");
    }
    if (IsWordCharacter(cursor_.byte())) return Wrong("an operator or end of text after the integer");
    Expected<Tree> literal = Make(FormulaOp::kLiteral, column, {});
    if (literal) formula_.nodes.back().value = *value;
    return literal;
  }

  Expected<Tree> Close(Tree tree) {
    if (!cursor_.Take(")")) return Wrong("an operator or ')'");
    return tree;
  }

  Expected<Tree> Make(FormulaOp op, int64_t column, std::initializer_list<Tree> operands) {
    FormulaNode node{.op = op, .column = column};
    int depth = 0;
    size_t k = 0;
    for (const Tree& operand : operands) {
      node.operands[k++] = operand.node;
      depth = std::max(depth, operand.depth);
    }
    // The tree of a long sum is deep although its text has no parentheses.
    if (depth >= kMaxFormulaDepth) return TooDeep(column);
    if (formula_.nodes.size() == kMaxFormulaNodes) {
      return Error(column, StrCat("expected at most ", kMaxFormulaNodes, " operators and operands"));
    }
    formula_.nodes.push_back(node);
    return Tree{formula_.root(), depth + 1};
  }

  int64_t NextColumn() {
    cursor_.SkipBlanks();
    return cursor_.column();
  }

  std::string_view WordHere() const {
    const std::string_view rest = cursor_.rest();
    return rest.substr(0, static_cast<size_t>(std::ranges::find_if_not(rest, IsWordCharacter) - rest.begin()));
  }

  const FormulaOperator* OperatorHere() {
    for (const FormulaOperator& op : FormulaOperators()) {
      if (is_affine_ && !IsAffine(op.op)) continue;
      if (IsLetter(op.spelling[0]) ? WordHere() == op.spelling : cursor_.Sees(op.spelling)) return &op;
    }
    return nullptr;
  }

  static std::unexpected<layoutcheck::Error> Error(int64_t column, std::string message) {
    return MakeError(ErrorKind::kSyntax, std::move(message), column);
  }
  static std::unexpected<layoutcheck::Error> TooDeep(int64_t column) {
    return Error(column, StrCat("expected at most ", kMaxFormulaDepth, " levels of operators and parentheses"));
  }

  // Returns an error with the expectation and the word or byte at the current position.
  std::unexpected<layoutcheck::Error> Wrong(std::string_view expected) const {
    const std::string_view word = WordHere();
    if (word.empty()) return cursor_.Unexpected(expected);
    return cursor_.Fail(StrCat("expected ", expected, ", found '", word.substr(0, 40), "'"));
  }

  std::unexpected<layoutcheck::Error> WrongOperand() const {
    return is_affine_ ? cursor_.Fail(kAffineOperand) : Wrong(kOperand);
  }

  TextCursor cursor_;
  bool is_affine_;
  Formula formula_;
};

}  // namespace

Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation) { return Parser(text, notation).Run(); }

}  // namespace layoutcheck
