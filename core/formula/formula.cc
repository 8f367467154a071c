// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/formula/formula.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::array<FormulaOperator, 21> kOperators = {{
    {FormulaOp::kOr, "||", 1},
    {FormulaOp::kAnd, "&&", 2},
    {FormulaOp::kShiftLeft, "<<", 8},
    {FormulaOp::kShiftRight, ">>", 8},
    {FormulaOp::kEqual, "==", 6},
    {FormulaOp::kNotEqual, "!=", 6},
    {FormulaOp::kLessEqual, "<=", 7},
    {FormulaOp::kGreaterEqual, ">=", 7},
    {FormulaOp::kLess, "<", 7},
    {FormulaOp::kGreater, ">", 7},
    {FormulaOp::kBitOr, "|", 3},
    {FormulaOp::kBitXor, "^", 4},
    {FormulaOp::kBitAnd, "&", 5},
    {FormulaOp::kAdd, "+", 9},
    {FormulaOp::kSubtract, "-", 9},
    {FormulaOp::kMultiply, "*", 10},
    {FormulaOp::kDivide, "/", 10},
    {FormulaOp::kRemainder, "%", 10},
    {FormulaOp::kFloorDiv, "floordiv", 10},
    {FormulaOp::kCeilDiv, "ceildiv", 10},
    {FormulaOp::kMod, "mod", 10},
}};

std::string_view CastName(const FormulaNode& node) {
  return std::ranges::find_if(kFormulaCasts,
                              [&](const FormulaCast& cast) { return cast.op == node.op && cast.width == node.value; })
      ->name;
}

// Appends the tree below `number`, in parentheses if it binds more loosely than `level`. The parser bounds its depth.
void AppendText(const Formula& formula, uint32_t number, int level, std::string& out) {
  const FormulaNode& node = formula.nodes[number];
  const auto operand = [&](int k, int at_least) { AppendText(formula, node.operands[k], at_least, out); };
  const auto parenthesized = [&](int own_level, const auto& print) {
    if (own_level < level) out.push_back('(');
    print();
    if (own_level < level) out.push_back(')');
  };
  switch (node.op) {
    case FormulaOp::kLiteral: StrAppend(out, node.value); return;
    case FormulaOp::kName: out += formula.names[node.name]; return;
    case FormulaOp::kLetName: out += formula.let_names[node.name]; return;
    case FormulaOp::kNegate:
    case FormulaOp::kNot:
    case FormulaOp::kComplement:
      parenthesized(kUnaryLevel, [&] {
        out.push_back(node.op == FormulaOp::kNot ? '!' : node.op == FormulaOp::kNegate ? '-' : '~');
        operand(0, kUnaryLevel);
      });
      return;
    case FormulaOp::kToSigned:
    case FormulaOp::kToUnsigned:
      StrAppend(out, CastName(node), "(");
      operand(0, kConditionalLevel);
      out.push_back(')');
      return;
    case FormulaOp::kTable: {
      char separator = '[';
      for (const uint32_t element : TableElements(formula, node)) {
        out.push_back(separator);
        if (separator == ',') out.push_back(' ');
        AppendText(formula, element, kConditionalLevel, out);
        separator = ',';
      }
      out += "][";
      operand(0, kConditionalLevel);
      out.push_back(']');
      return;
    }
    case FormulaOp::kLet:
      parenthesized(kConditionalLevel, [&] {
        StrAppend(out, "let ", formula.let_names[node.name], " = ");
        operand(0, kConditionalLevel);
        out += " in ";
        operand(1, kConditionalLevel);
      });
      return;
    case FormulaOp::kMin:
    case FormulaOp::kMax:
      out += node.op == FormulaOp::kMin ? "min(" : "max(";
      operand(0, kConditionalLevel);
      out += ", ";
      operand(1, kConditionalLevel);
      out.push_back(')');
      return;
    case FormulaOp::kConditional:
      parenthesized(kConditionalLevel, [&] {
        operand(0, kLoosestBinaryLevel);
        out += " ? ";
        operand(1, kConditionalLevel);
        out += " : ";
        operand(2, kConditionalLevel);
      });
      return;
    default: break;
  }
  const FormulaOperator& binary = *FindFormulaOperator(node.op);
  parenthesized(binary.level, [&] {
    operand(0, binary.level);
    StrAppend(out, " ", binary.spelling, " ");
    operand(1, binary.level + 1);
  });
}

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

std::span<const FormulaOperator> FormulaOperators() { return kOperators; }

const FormulaOperator* FindFormulaOperator(FormulaOp op) {
  const auto found = std::ranges::find(kOperators, op, &FormulaOperator::op);
  return found == kOperators.end() ? nullptr : &*found;
}

int OperandCount(FormulaOp op) {
  switch (op) {
    case FormulaOp::kLiteral:
    case FormulaOp::kName:
    case FormulaOp::kLetName: return 0;
    case FormulaOp::kNegate:
    case FormulaOp::kNot:
    case FormulaOp::kComplement:
    case FormulaOp::kToSigned:
    case FormulaOp::kToUnsigned:
    case FormulaOp::kTable: return 1;
    case FormulaOp::kConditional: return 3;
    default: return 2;
  }
}

std::string FormulaText(const Formula& formula, uint32_t node) {
  std::string out;
  AppendText(formula, node, kConditionalLevel, out);
  return out;
}

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
      return std::unexpected(formula.error());
    }
    for (FormulaNode& node : formula->nodes) node.column += static_cast<int64_t>(begin);
    formulas.push_back(*std::move(formula));
    begin = comma + 1;
  }
  return formulas;
}

}  // namespace layoutcheck
