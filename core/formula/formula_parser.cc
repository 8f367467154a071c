// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A precedence-climbing parser. Tokens are read where they are expected, because no operator has more than eight
// letters.
#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kOperand = "an operand (a number, a name, '(', '-', '~', '!', '[', min, max or a cast)";
constexpr std::string_view kWords[] = {"floordiv", "ceildiv", "mod", "min", "max", "let"};

bool IsAffine(FormulaOp op) {
  using enum FormulaOp;
  return op == kAdd || op == kSubtract || op == kMultiply || op == kFloorDiv || op == kCeilDiv || op == kMod;
}

// A position in the text of a formula, with the tokens of formulas and the errors of their parser.
class FormulaCursor : public TextCursor {
 public:
  FormulaCursor(std::string_view text, FormulaNotation notation)
      : TextCursor(text, kBlanksOfLines), is_affine_(notation == FormulaNotation::kAffine) {}

  bool is_affine() const { return is_affine_; }
  // Returns true if a number with a minus sign begins behind the blanks.
  bool SeesNegativeNumber() { return Sees("-") && rest().size() > 1 && IsDigit(rest()[1]); }

  // Skips blanks and steps over the word if it follows.
  bool TakeWord(std::string_view word) {
    SkipBlanks();
    return WordHere() == word && Take(word);
  }

  // Steps over a name. Errors: kSyntax if a word of the notation or none follows; `expected` describes the name.
  Expected<std::string_view> TakeName(std::string_view expected) {
    SkipBlanks();
    const std::string_view word = WordHere();
    const bool is_reserved =
        std::ranges::find(kWords, word) != std::end(kWords) || (!is_affine_ && CastHere() != nullptr);
    if (word.empty() || AtDigit() || is_reserved) return Wrong(expected);
    Take(word);
    return word;
  }

  // Steps over a literal. Errors: kSyntax.
  Expected<int64_t> TakeLiteral() {
    const int64_t first = NextColumn();
    const size_t begin = position();
    const bool leading_zero = byte() == '0';
    const bool hexadecimal = !is_affine_ && (Take("0x") || Take("0X"));
    const auto is_digit = [=](char c) {
      return hexadecimal ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : IsDigit(c);
    };
    if (hexadecimal && !is_digit(byte())) return SyntaxErrorAt(first, "expected hexadecimal digits after '0x'");
    const Expected<int64_t> value = TakeInteger(hexadecimal ? 16 : 10);
    if (!value) {
      Take("-");
      TakeWhile(is_digit);
      return SyntaxErrorAt(first, "expected an integer of at most ", std::numeric_limits<int64_t>::max(), ", found ",
                           Since(begin));
    }
    if (!is_affine_ && !hexadecimal && leading_zero && position() > begin + 1) {
      return SyntaxErrorAt(first, "expected a decimal integer without leading zeros, or 0x and hexadecimal digits");
    }
    if (IsWordByte(byte())) return Wrong("an operator or end of text after the integer");
    return value;
  }

  // Returns the operator between two operands at the current position, or null.
  const FormulaOperator* OperatorHere() {
    for (const FormulaOperator& op : FormulaOperators()) {
      if (is_affine_ && !IsAffine(op.op)) continue;
      if (IsLetter(op.spelling[0]) ? WordHere() == op.spelling : Sees(op.spelling)) return &op;
    }
    return nullptr;
  }

  // Returns the cast at the current position, or null.
  const FormulaCast* CastHere() const {
    const auto* const found = std::ranges::find(kFormulaCasts, WordHere(), &FormulaCast::name);
    return found == std::end(kFormulaCasts) ? nullptr : found;
  }

  // Returns an error with the expectation and the word or byte at the current position. Without an expectation, it is
  // that of an operand.
  std::unexpected<Error> Wrong(std::string_view expected) const {
    if (expected.empty() && is_affine_) return Fail("expected an integer, d0, s0 or '('");
    if (expected.empty()) expected = kOperand;
    const std::string_view word = WordHere();
    if (word.empty()) return Unexpected(expected);
    return Fail(StrCat("expected ", expected, ", found '", word.substr(0, 40), "'"));
  }

 private:
  // Returns the letters, digits and underscores at the current position.
  std::string_view WordHere() const { return TextCursor(*this).TakeWhile(IsWordByte); }

  bool is_affine_;
};

// A part of the tree, and its depth.
struct Tree {
  uint32_t node;
  int depth;
};

std::unexpected<Error> TooDeep(int64_t column) {
  return SyntaxErrorAt(column, "expected at most ", kMaxFormulaDepth, " levels of operators and parentheses");
}

// Builds the nodes of a formula within its limits, and knows the names of the lets around the current position.
class Builder {
 public:
  explicit Builder(std::string_view text) { formula_.text = std::string(text); }

  Formula&& TakeFormula() { return std::move(formula_); }

  // Adds a node. Errors: the first one of the operands; the limits of formulas.
  Expected<Tree> Make(FormulaNode node, std::initializer_list<Expected<Tree>> operands) {
    int depth = 0;
    size_t k = 0;
    for (const Expected<Tree>& operand : operands) {
      if (!operand) return operand;
      node.operands[k++] = operand->node;
      depth = std::max(depth, operand->depth);
    }
    // The tree of a long sum is deep although its text has no parentheses.
    if (depth >= kMaxFormulaDepth) return TooDeep(node.column);
    if (formula_.nodes.size() == kMaxFormulaNodes) {
      return SyntaxErrorAt(node.column, "expected at most ", kMaxFormulaNodes, " operators and operands");
    }
    formula_.nodes.push_back(node);
    return Tree{formula_.root(), depth + 1};
  }

  Expected<Tree> Name(std::string_view name, int64_t column) {
    for (LetScope& scope : scopes_) {
      if (formula_.let_names[scope.name] != name) continue;
      scope.is_used = true;
      return Make({.op = FormulaOp::kLetName, .operands = {scope.value}, .name = scope.name, .column = column}, {});
    }
    if (std::ranges::find(formula_.let_names, name) != formula_.let_names.end()) {
      return SyntaxErrorAt(column, "expected '", name, "' only after the 'in' of its let");
    }
    return Make({.op = FormulaOp::kName, .name = NumberOf(name, formula_.names), .column = column}, {});
  }

  Expected<Tree> Table(std::span<const Tree> elements, Tree index, int64_t column) {
    FormulaNode node{.op = FormulaOp::kTable, .column = column};
    node.operands[1] = static_cast<uint32_t>(formula_.elements.size());
    node.operands[2] = static_cast<uint32_t>(elements.size());
    for (const Tree& element : elements) {
      formula_.elements.push_back(element.node);
      index.depth = std::max(index.depth, element.depth);
    }
    return Make(node, {index});
  }

  // Returns true if a let may bind the name here.
  bool IsFree(std::string_view name) const {
    return std::ranges::find(formula_.names, name) == formula_.names.end() &&
           std::ranges::none_of(scopes_, [&](const LetScope& scope) { return formula_.let_names[scope.name] == name; });
  }
  void BeginScope(std::string_view name, Tree value) {
    scopes_.push_back({NumberOf(name, formula_.let_names), value.node});
  }
  // Returns the number of the let's name, or nothing if it was not used.
  std::optional<uint32_t> EndScope() {
    const LetScope scope = scopes_.back();
    scopes_.pop_back();
    return scope.is_used ? std::optional(scope.name) : std::nullopt;
  }

 private:
  struct LetScope {
    uint32_t name;   // in Formula::let_names
    uint32_t value;  // node
    bool is_used = false;
  };

  // Returns the position of the name, which it appends if it is new.
  static uint32_t NumberOf(std::string_view name, std::vector<std::string>& names) {
    const auto known = std::ranges::find(names, name);
    const auto number = static_cast<uint32_t>(known - names.begin());
    if (known == names.end()) names.emplace_back(name);
    return number;
  }

  Formula formula_;
  std::vector<LetScope> scopes_;  // outermost first
};

class Parser {
 public:
  Parser(std::string_view text, FormulaNotation notation) : cursor_(text, notation), builder_(text) {}

  Expected<Formula> Run() {
    if (const Expected<Tree> root = Conditional(0); !root) return std::unexpected(root.error());
    if (!cursor_.AtEnd()) return cursor_.Wrong("an operator or end of text");
    return builder_.TakeFormula();
  }

 private:
  Expected<Tree> Conditional(int nesting) {
    const int64_t begin = cursor_.NextColumn();
    if (!cursor_.is_affine() && cursor_.TakeWord("let")) return Let(begin, nesting);
    Expected<Tree> condition = Binary(kLoosestBinaryLevel, nesting);
    if (!condition) return condition;
    const int64_t column = cursor_.NextColumn();
    if (cursor_.is_affine() || !cursor_.Take("?")) return condition;
    const Expected<Tree> chosen = Conditional(nesting + 1);
    if (!chosen) return chosen;
    if (!cursor_.Take(":")) return cursor_.Wrong("an operator or ':', the other half of '?'");
    return builder_.Make({.op = FormulaOp::kConditional, .column = column},
                         {condition, chosen, Conditional(nesting + 1)});
  }

  // Parses the rest of a let, whose word is at `column`.
  Expected<Tree> Let(int64_t column, int nesting) {
    if (nesting > kMaxFormulaDepth) return TooDeep(column);
    const int64_t name_column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const std::string_view name, cursor_.TakeName("a name after 'let'"));
    if (!cursor_.Take("=")) return cursor_.Wrong("'=' after the name of a let");
    const Expected<Tree> value = Conditional(nesting + 1);
    if (!value) return value;
    if (!cursor_.TakeWord("in")) return cursor_.Wrong("an operator or 'in', the other half of 'let'");
    if (!builder_.IsFree(name)) {
      return SyntaxErrorAt(name_column, "expected a name that has no other meaning here, found '", name, "'");
    }
    builder_.BeginScope(name, *value);
    const Expected<Tree> body = Conditional(nesting + 1);
    if (!body) return body;
    const std::optional<uint32_t> used = builder_.EndScope();
    if (!used) return SyntaxErrorAt(name_column, "expected a use of '", name, "' after 'in', found none");
    return builder_.Make({.op = FormulaOp::kLet, .name = *used, .column = column}, {value, body});
  }

  // Parses operators of this level and tighter ones.
  Expected<Tree> Binary(int level, int nesting) {
    Expected<Tree> left = Unary(nesting);
    while (left) {
      const int64_t column = cursor_.NextColumn();
      const FormulaOperator* op = cursor_.OperatorHere();
      if (op == nullptr || op->level < level) return left;
      cursor_.Take(op->spelling);
      left = builder_.Make({.op = op->op, .column = column}, {left, Binary(op->level + 1, nesting + 1)});
    }
    return left;
  }

  Expected<Tree> Unary(int nesting) {
    if (nesting > kMaxFormulaDepth) return TooDeep(cursor_.column());
    const int64_t column = cursor_.NextColumn();
    if (cursor_.is_affine() && cursor_.SeesNegativeNumber()) return Literal();
    FormulaOp op = FormulaOp::kNegate;
    if (!cursor_.Take("-")) {
      if (cursor_.is_affine()) return Primary(nesting);
      if (cursor_.Take("+")) return Unary(nesting + 1);
      const bool is_not = !cursor_.Sees("!=") && cursor_.Take("!");
      if (!is_not && !cursor_.Take("~")) return Primary(nesting);
      op = is_not ? FormulaOp::kNot : FormulaOp::kComplement;
    }
    return builder_.Make({.op = op, .column = column}, {Unary(nesting + 1)});
  }

  Expected<Tree> Primary(int nesting) {
    const int64_t column = cursor_.column();
    if (cursor_.Take("(")) return Close(Conditional(nesting + 1));
    if (cursor_.AtDigit()) return Literal();
    if (!cursor_.is_affine()) {
      if (cursor_.Take("[")) return Table(column, nesting);
      if (const FormulaCast* cast = cursor_.CastHere()) return Cast(*cast, column, nesting);
      for (const auto& [op, word] : {std::pair(FormulaOp::kMin, "min"), std::pair(FormulaOp::kMax, "max")}) {
        if (cursor_.TakeWord(word)) return Function(op, column, nesting);
      }
    }
    LAYOUTCHECK_TRY(const std::string_view name, cursor_.TakeName(""));
    return builder_.Name(name, column);
  }

  // Parses the rest of a table, whose '[' is at `column`.
  Expected<Tree> Table(int64_t column, int nesting) {
    std::vector<Tree> elements;
    do {
      LAYOUTCHECK_TRY(const Tree element, Conditional(nesting + 1));
      elements.push_back(element);
    } while (cursor_.Take(","));
    if (!cursor_.Take("]")) return cursor_.Wrong("an operator, ',' or ']' in the table");
    if (!cursor_.Take("[")) return cursor_.Wrong("'[' and an index after the table");
    LAYOUTCHECK_TRY(const Tree index, Conditional(nesting + 1));
    if (!cursor_.Take("]")) return cursor_.Wrong("an operator or ']' after the index");
    return builder_.Table(elements, index, column);
  }

  Expected<Tree> Cast(const FormulaCast& cast, int64_t column, int nesting) {
    cursor_.Take(cast.name);
    if (!cursor_.Take("(")) return cursor_.Wrong(StrCat("'(' after ", cast.name));
    return Close(builder_.Make({.op = cast.op, .value = cast.width, .column = column}, {Conditional(nesting + 1)}));
  }

  Expected<Tree> Function(FormulaOp op, int64_t column, int nesting) {
    if (!cursor_.Take("(")) return cursor_.Wrong("'(' after min or max");
    const Expected<Tree> first = Conditional(nesting + 1);
    if (!first) return first;
    if (!cursor_.Take(",")) return cursor_.Wrong("an operator or ',' and the second of two arguments");
    return Close(builder_.Make({.op = op, .column = column}, {first, Conditional(nesting + 1)}));
  }

  Expected<Tree> Literal() {
    const int64_t column = cursor_.column();
    LAYOUTCHECK_TRY(const int64_t value, cursor_.TakeLiteral());
    return builder_.Make({.op = FormulaOp::kLiteral, .value = value, .column = column}, {});
  }

  Expected<Tree> Close(Expected<Tree> tree) {
    if (tree && !cursor_.Take(")")) return cursor_.Wrong("an operator or ')'");
    return tree;
  }

  FormulaCursor cursor_;
  Builder builder_;
};

}  // namespace

Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation) { return Parser(text, notation).Run(); }

}  // namespace layoutcheck
