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

// An operand in the text of an operator, in parentheses if it binds more loosely than `level`.
struct OperandText {
  int operand;
  int level = kConditionalLevel;
};

void AppendText(const Formula& formula, uint32_t number, int level, std::string& out);

// Appends the pieces of the text of a node: texts, numbers and operands.
template <class... Pieces>
void AppendPieces(const Formula& formula, const FormulaNode& node, std::string& out, const Pieces&... pieces) {
  const auto append = [&](const auto& piece) {
    if constexpr (requires { piece.operand; }) {
      AppendText(formula, node.operands[piece.operand], piece.level, out);
    } else {
      StrAppend(out, piece);
    }
  };
  (append(pieces), ...);
}

// Appends the tree below `number`, in parentheses if it binds more loosely than `level`. The parser bounds its depth.
void AppendText(const Formula& formula, uint32_t number, int level, std::string& out) {
  const FormulaNode& node = formula.nodes[number];
  const auto append = [&](const auto&... pieces) { AppendPieces(formula, node, out, pieces...); };
  const auto append_at = [&](int own_level, const auto&... pieces) {
    append(own_level < level ? "(" : "", pieces..., own_level < level ? ")" : "");
  };
  constexpr OperandText kFirst{0};
  constexpr OperandText kSecond{1};
  switch (node.op) {
    case FormulaOp::kLiteral: return append(node.value);
    case FormulaOp::kName: return append(formula.names[node.name]);
    case FormulaOp::kLetName: return append(formula.let_names[node.name]);
    case FormulaOp::kNegate: return append_at(kUnaryLevel, '-', OperandText{0, kUnaryLevel});
    case FormulaOp::kNot: return append_at(kUnaryLevel, '!', OperandText{0, kUnaryLevel});
    case FormulaOp::kComplement: return append_at(kUnaryLevel, '~', OperandText{0, kUnaryLevel});
    case FormulaOp::kToSigned:
    case FormulaOp::kToUnsigned: return append(CastName(node), '(', kFirst, ')');
    case FormulaOp::kTable: {
      std::string_view separator = "[";
      for (const uint32_t element : TableElements(formula, node)) {
        out += std::exchange(separator, ", ");
        AppendText(formula, element, kConditionalLevel, out);
      }
      return append("][", kFirst, ']');
    }
    case FormulaOp::kLet:
      return append_at(kConditionalLevel, "let ", formula.let_names[node.name], " = ", kFirst, " in ", kSecond);
    case FormulaOp::kMin: return append("min(", kFirst, ", ", kSecond, ')');
    case FormulaOp::kMax: return append("max(", kFirst, ", ", kSecond, ')');
    case FormulaOp::kConditional:
      return append_at(kConditionalLevel, OperandText{0, kLoosestBinaryLevel}, " ? ", kSecond, " : ", OperandText{2});
    default: break;
  }
  const FormulaOperator& binary = *FindFormulaOperator(node.op);
  append_at(binary.level, OperandText{0, binary.level}, ' ', binary.spelling, ' ', OperandText{1, binary.level + 1});
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

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  ForEachComma(text, 0, [&](size_t comma) {
    parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  });
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace layoutcheck
