// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A precedence-climbing parser.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_cursor.h"

namespace layoutcheck {
namespace {

// A part of the tree, and its depth.
struct Tree {
  uint32_t node;
  int depth;
};

std::unexpected<Error> TooDeep(int64_t column) {
  return FormulaCursor::ErrorAt(column,
                                StrCat("expected at most ", kMaxFormulaDepth, " levels of operators and parentheses"));
}

// Builds the nodes of a formula within its limits, and knows the names of the lets around the current position.
class Builder {
 public:
  explicit Builder(std::string_view text) { formula_.text = std::string(text); }

  Formula&& TakeFormula() { return std::move(formula_); }

  Expected<Tree> Make(FormulaNode node, std::initializer_list<Tree> operands) {
    int depth = 0;
    size_t k = 0;
    for (const Tree& operand : operands) {
      node.operands[k++] = operand.node;
      depth = std::max(depth, operand.depth);
    }
    // The tree of a long sum is deep although its text has no parentheses.
    if (depth >= kMaxFormulaDepth) return TooDeep(node.column);
    if (formula_.nodes.size() == kMaxFormulaNodes) {
      return FormulaCursor::ErrorAt(node.column,
                                    StrCat("expected at most ", kMaxFormulaNodes, " operators and operands"));
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
      return FormulaCursor::ErrorAt(column, StrCat("expected '", name, "' only after the 'in' of its let"));
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
    const Expected<Tree> root = Conditional(0);
    if (!root) return std::unexpected(root.error());
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
    const Expected<Tree> other = Conditional(nesting + 1);
    if (!other) return other;
    return builder_.Make({.op = FormulaOp::kConditional, .column = column}, {*condition, *chosen, *other});
  }

  // Parses the rest of a let, whose word is at `column`.
  Expected<Tree> Let(int64_t column, int nesting) {
    if (nesting > kMaxFormulaDepth) return TooDeep(column);
    const int64_t name_column = cursor_.NextColumn();
    const Expected<std::string_view> name = cursor_.TakeName("a name after 'let'");
    if (!name) return std::unexpected(name.error());
    if (!cursor_.Take("=")) return cursor_.Wrong("'=' after the name of a let");
    const Expected<Tree> value = Conditional(nesting + 1);
    if (!value) return value;
    if (!cursor_.TakeWord("in")) return cursor_.Wrong("an operator or 'in', the other half of 'let'");
    if (!builder_.IsFree(*name)) {
      return FormulaCursor::ErrorAt(name_column,
                                    StrCat("expected a name that has no other meaning here, found '", *name, "'"));
    }
    builder_.BeginScope(*name, *value);
    const Expected<Tree> body = Conditional(nesting + 1);
    if (!body) return body;
    const std::optional<uint32_t> used = builder_.EndScope();
    if (!used) {
      return FormulaCursor::ErrorAt(name_column, StrCat("expected a use of '", *name, "' after 'in', found none"));
    }
    return builder_.Make({.op = FormulaOp::kLet, .name = *used, .column = column}, {*value, *body});
  }

  // Parses operators of this level and tighter ones.
  Expected<Tree> Binary(int level, int nesting) {
    Expected<Tree> left = Unary(nesting);
    while (left) {
      const int64_t column = cursor_.NextColumn();
      const FormulaOperator* op = cursor_.OperatorHere();
      if (op == nullptr || op->level < level) return left;
      cursor_.Take(op->spelling);
      const Expected<Tree> right = Binary(op->level + 1, nesting + 1);
      if (!right) return right;
      left = builder_.Make({.op = op->op, .column = column}, {*left, *right});
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
    const Expected<Tree> operand = Unary(nesting + 1);
    if (!operand) return operand;
    return builder_.Make({.op = op, .column = column}, {*operand});
  }

  Expected<Tree> Primary(int nesting) {
    const int64_t column = cursor_.column();
    if (cursor_.Take("(")) {
      const Expected<Tree> inside = Conditional(nesting + 1);
      if (!inside) return inside;
      return Close(*inside);
    }
    if (cursor_.AtNumber()) return Literal();
    if (!cursor_.is_affine()) {
      if (cursor_.Take("[")) return Table(column, nesting);
      if (const FormulaCast* cast = cursor_.CastHere()) return Cast(*cast, column, nesting);
      for (const auto& [op, word] : {std::pair(FormulaOp::kMin, "min"), std::pair(FormulaOp::kMax, "max")}) {
        if (cursor_.TakeWord(word)) return Function(op, column, nesting);
      }
    }
    const Expected<std::string_view> name = cursor_.TakeName("");
    if (!name) return std::unexpected(name.error());
    return builder_.Name(*name, column);
  }

  // Parses the rest of a table, whose '[' is at `column`.
  Expected<Tree> Table(int64_t column, int nesting) {
    std::vector<Tree> elements;
    do {
      const Expected<Tree> element = Conditional(nesting + 1);
      if (!element) return element;
      elements.push_back(*element);
    } while (cursor_.Take(","));
    if (!cursor_.Take("]")) return cursor_.Wrong("an operator, ',' or ']' in the table");
    if (!cursor_.Take("[")) return cursor_.Wrong("'[' and an index after the table");
    const Expected<Tree> index = Conditional(nesting + 1);
    if (!index) return index;
    if (!cursor_.Take("]")) return cursor_.Wrong("an operator or ']' after the index");
    return builder_.Table(elements, *index, column);
  }

  Expected<Tree> Cast(const FormulaCast& cast, int64_t column, int nesting) {
    cursor_.Take(cast.name);
    if (!cursor_.Take("(")) return cursor_.Wrong(StrCat("'(' after ", cast.name));
    const Expected<Tree> operand = Conditional(nesting + 1);
    if (!operand) return operand;
    const Expected<Tree> tree = builder_.Make({.op = cast.op, .value = cast.width, .column = column}, {*operand});
    if (!tree) return tree;
    return Close(*tree);
  }

  Expected<Tree> Function(FormulaOp op, int64_t column, int nesting) {
    if (!cursor_.Take("(")) return cursor_.Wrong("'(' after min or max");
    const Expected<Tree> first = Conditional(nesting + 1);
    if (!first) return first;
    if (!cursor_.Take(",")) return cursor_.Wrong("an operator or ',' and the second of two arguments");
    const Expected<Tree> second = Conditional(nesting + 1);
    if (!second) return second;
    const Expected<Tree> call = builder_.Make({.op = op, .column = column}, {*first, *second});
    if (!call) return call;
    return Close(*call);
  }

  Expected<Tree> Literal() {
    const int64_t column = cursor_.column();
    const Expected<int64_t> value = cursor_.TakeLiteral();
    if (!value) return std::unexpected(value.error());
    return builder_.Make({.op = FormulaOp::kLiteral, .value = *value, .column = column}, {});
  }

  Expected<Tree> Close(Tree tree) {
    if (!cursor_.Take(")")) return cursor_.Wrong("an operator or ')'");
    return tree;
  }

  FormulaCursor cursor_;
  Builder builder_;
};

// Calls visit(position) for each comma outside of parentheses and brackets deeper than `depth`.
template <class Visit>
void ForEachComma(std::string_view text, int depth, Visit&& visit) {
  int at = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '(' || text[k] == '[') ++at;
    if (text[k] == ')' || text[k] == ']') --at;
    if (text[k] == ',' && at == depth) visit(k);
  }
}

// Returns true if the first character is a parenthesis that the last one closes.
bool IsInParentheses(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  int depth = 0;
  for (size_t k = 0; k + 1 < text.size(); ++k) {
    if (text[k] == '(') ++depth;
    if (text[k] == ')') --depth;
    if (depth == 0) return false;
  }
  return true;
}

}  // namespace

Expected<std::vector<Formula>> ParseFormulas(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  const size_t last = text.find_last_not_of(kBlanks) + 1;  // 0 if there is none
  const std::string_view trimmed = text.substr(first, std::max(first, last) - first);
  const int depth = IsInParentheses(trimmed) ? 1 : 0;
  std::vector<size_t> commas;
  ForEachComma(trimmed, depth, [&](size_t comma) { commas.push_back(first + comma); });
  size_t begin = 0;
  size_t end = text.size();
  if (depth == 1 && !commas.empty()) {
    begin = first + 1;
    end = last - 1;
  }
  commas.push_back(end);
  std::vector<Formula> formulas;
  for (const size_t comma : commas) {
    Expected<Formula> formula = ParseFormula(text.substr(begin, comma - begin));
    if (!formula) {
      formula.error().column += static_cast<int64_t>(begin);
      return std::unexpected(std::move(formula.error()));
    }
    for (FormulaNode& node : formula->nodes) node.column += static_cast<int64_t>(begin);
    formulas.push_back(*std::move(formula));
    begin = comma + 1;
  }
  return formulas;
}

Expected<Formula> ParseFormula(std::string_view text, FormulaNotation notation) { return Parser(text, notation).Run(); }

}  // namespace layoutcheck
