// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/mlir/affine_expression.h"
#include <algorithm>
#include <charconv>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {
namespace {

using Kind = AffineExpression::Kind;

constexpr std::pair<Kind, FormulaOp> kOperators[] = {{Kind::kAdd, FormulaOp::kAdd},
                                                     {Kind::kMultiply, FormulaOp::kMultiply},
                                                     {Kind::kFloorDiv, FormulaOp::kFloorDiv},
                                                     {Kind::kCeilDiv, FormulaOp::kCeilDiv},
                                                     {Kind::kMod, FormulaOp::kMod}};

FormulaOp OperatorOf(Kind kind) {
  return std::ranges::find(kOperators, kind, &std::pair<Kind, FormulaOp>::first)->second;
}

AffineExpression Negated(AffineExpression expression) {
  return {Kind::kMultiply, 0, {std::move(expression), {Kind::kConstant, -1, {}}}};
}

Expected<AffineExpression> FromName(std::string_view name, int64_t column) {
  AffineExpression leaf{name[0] == 'd' ? Kind::kDimension : Kind::kSymbol, 0, {}};
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + 1, end, leaf.value);
  if ((name[0] == 'd' || name[0] == 's') && read.ec == std::errc() && read.ptr == end) return leaf;
  return MakeError(ErrorKind::kSyntax, "expected an integer, d0, s0 or '('", column);
}

// Converts the formula below a node to an expression, whose depth the formula's parser limits.
Expected<AffineExpression> FromFormula(const Formula& formula, uint32_t number) {
  const FormulaNode& node = formula.nodes[number];
  if (node.op == FormulaOp::kLiteral) return AffineExpression{Kind::kConstant, node.value, {}};
  if (node.op == FormulaOp::kName) return FromName(formula.names[node.name], node.column);
  LAYOUTCHECK_TRY(auto left, FromFormula(formula, node.operands[0]));
  if (node.op == FormulaOp::kNegate) return Negated(std::move(left));
  LAYOUTCHECK_TRY(auto right, FromFormula(formula, node.operands[1]));
  if (node.op == FormulaOp::kSubtract)
    return AffineExpression{Kind::kAdd, 0, {std::move(left), Negated(std::move(right))}};
  const Kind kind = std::ranges::find(kOperators, node.op, &std::pair<Kind, FormulaOp>::second)->first;
  return AffineExpression{kind, 0, {std::move(left), std::move(right)}};
}

}  // namespace

Expected<AffinePoint> AffinePoint::Parse(std::span<const std::string> values) {
  AffinePoint point;
  for (const std::string& text : values) {
    auto& list = text.starts_with('d') ? point.dimensions : point.symbols;
    const std::string name = StrCat(text.starts_with('d') ? "d" : "s", list.size(), "=");
    int64_t value = 0;
    const char* const end = text.data() + text.size();
    if (!text.starts_with(name)) return ArgumentError("expected ", name, "N, got '", text, "'");
    const auto read = std::from_chars(text.data() + name.size(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return ArgumentError("expected an integer in '", text, "'");
    list.push_back(value);
  }
  return point;
}

std::vector<std::string> AffinePoint::ToStrings() const {
  std::vector<std::string> values;
  for (size_t k = 0; k < dimensions.size(); ++k) values.push_back(StrCat("d", k, "=", dimensions[k]));
  for (size_t k = 0; k < symbols.size(); ++k) values.push_back(StrCat("s", k, "=", symbols[k]));
  return values;
}

AffineExpression AffineExpression::Draw(Choices& choices, int depth) {
  constexpr uint64_t kLargestConstant = 8;
  const auto constant = [&] {
    return AffineExpression{Kind::kConstant, 1 + static_cast<int64_t>(choices.Choose(kLargestConstant)), {}};
  };
  const uint64_t shape = choices.Choose(depth > 0 ? 12 : 4);
  switch (shape) {
    case 0: return constant();
    case 1: return {Kind::kSymbol, 0, {}};
    case 2: return {Kind::kDimension, 0, {}};
    case 3: return {Kind::kDimension, 1, {}};
    default: break;
  }
  constexpr Kind kDrawnKinds[] = {Kind::kAdd,      Kind::kAdd,     Kind::kAdd, Kind::kMultiply,
                                  Kind::kFloorDiv, Kind::kCeilDiv, Kind::kMod, Kind::kFloorDiv};
  const Kind kind = kDrawnKinds[shape - 4];
  AffineExpression left = Draw(choices, depth - 1);
  if (kind == Kind::kAdd) {
    AffineExpression right = Draw(choices, depth - 1);
    return {kind, 0, {std::move(left), std::move(right)}};
  }
  AffineExpression right = choices.Choose(2) == 0 ? constant() : AffineExpression{Kind::kSymbol, 0, {}};
  return {kind, 0, {std::move(left), std::move(right)}};
}

Expected<AffineExpression> AffineExpression::Parse(std::string_view text) {
  LAYOUTCHECK_TRY(const Formula formula, ParseFormula(text, FormulaNotation::kAffine));
  return FromFormula(formula, formula.root());
}

std::string AffineExpression::ToString() const {
  switch (kind) {
    case Kind::kConstant: return StrCat(value);
    case Kind::kDimension: return StrCat("d", value);
    case Kind::kSymbol: return StrCat("s", value);
    default: break;
  }
  const auto operand = [](const AffineExpression& part) {
    return part.operands.empty() ? part.ToString() : StrCat("(", part.ToString(), ")");
  };
  return StrCat(operand(operands[0]), " ", FindFormulaOperator(OperatorOf(kind))->spelling, " ", operand(operands[1]));
}

Expected<int64_t> AffineExpression::Evaluate(const AffinePoint& point) const {
  if (kind == Kind::kConstant) return value;
  if (kind == Kind::kDimension || kind == Kind::kSymbol) {
    const auto& values = kind == Kind::kDimension ? point.dimensions : point.symbols;
    if (static_cast<size_t>(value) < values.size()) return values[static_cast<size_t>(value)];
    return ArgumentError("no value for ", ToString());
  }
  LAYOUTCHECK_TRY(const auto left, operands[0].Evaluate(point));
  LAYOUTCHECK_TRY(const auto right, operands[1].Evaluate(point));
  const FormulaValue<int64_t> result = ApplyOperator(OperatorOf(kind), left, right);
  if (result.fault == FormulaFault::kOverflow) return OverflowError("a value outside int64");
  if (!result.ok()) return ArgumentError("a divisor of ", right);
  return result.value;
}

}  // namespace layoutcheck
