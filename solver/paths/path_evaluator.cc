// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"

namespace layoutcheck {
namespace {

bool IsComparison(FormulaOp op) { return op >= FormulaOp::kLess && op <= FormulaOp::kNotEqual; }

}  // namespace

std::optional<Term> PathEvaluator::Value(uint32_t number) {
  const std::optional<Term> value = ComputeValue(number);
  if (value) evaluated_.emplace_back(number, *value);
  return value;
}

// Recursion depth is at most kMaxFormulaDepth.
std::optional<Term> PathEvaluator::ComputeValue(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  if (node.op == FormulaOp::kLiteral) return Term(node.value);
  if (node.op == FormulaOp::kName) return names_[node.name];
  if (node.op == FormulaOp::kLetName) return let_values_[node.name];
  if (node.op == FormulaOp::kLet) {
    let_values_[node.name] = Value(node.operands[0]);
    return let_values_[node.name] ? Value(node.operands[1]) : std::nullopt;
  }
  if (node.op == FormulaOp::kTable) return TableValue(number);
  if (node.op == FormulaOp::kConditional) {
    const std::optional<bool> condition = Truth(node.operands[0]);
    return condition ? Value(node.operands[*condition ? 1 : 2]) : std::nullopt;
  }
  if (IsComparison(node.op) || node.op == FormulaOp::kNot || node.op == FormulaOp::kAnd || node.op == FormulaOp::kOr) {
    const std::optional<bool> truth = Truth(number);
    return truth ? std::optional(Term(*truth ? 1 : 0)) : std::nullopt;
  }
  if (OperandCount(node.op) == 1) return UnaryValue(node);
  const auto operands = OperandValues(number);
  if (!operands) return std::nullopt;
  const PathValue result = arithmetic_.Apply(node.op, operands->first, operands->second);
  if (result.fault != FormulaFault::kNone) fault_ = FaultText(formula_, number, result.fault);
  if (!result.unsupported.empty()) unsupported_ = StrCat(FormulaText(formula_, number), ": ", result.unsupported);
  return result.term;
}

std::optional<Term> PathEvaluator::UnaryValue(const FormulaNode& node) {
  const std::optional<Term> operand = Value(node.operands[0]);
  if (!operand) return std::nullopt;
  if (node.op == FormulaOp::kNegate) return Term(0) - *operand;
  if (node.op == FormulaOp::kComplement) return Term(-1) - *operand;
  return arithmetic_.Cast(node.op == FormulaOp::kToSigned, static_cast<int>(node.value), *operand);
}

std::optional<Term> PathEvaluator::TableValue(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  std::vector<Term> elements;
  for (const uint32_t element : TableElements(formula_, node)) {
    const std::optional<Term> value = Value(element);
    if (!value) return std::nullopt;
    elements.push_back(*value);
  }
  const std::optional<Term> index = Value(node.operands[0]);
  if (!index) return std::nullopt;
  const std::optional<int64_t> k = arithmetic_.decisions().DecideBelow(*index, std::ssize(elements));
  if (k) return elements[static_cast<size_t>(*k)];
  fault_ = FaultText(formula_, number, FormulaFault::kIndexOutside);
  return std::nullopt;
}

std::optional<std::pair<Term, Term>> PathEvaluator::OperandValues(uint32_t number) {
  const std::optional<Term> a = Value(formula_.nodes[number].operands[0]);
  const std::optional<Term> b = a ? Value(formula_.nodes[number].operands[1]) : std::nullopt;
  return b ? std::optional(std::pair(*a, *b)) : std::nullopt;
}

std::optional<bool> PathEvaluator::Truth(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  if (node.op == FormulaOp::kNot) {
    const std::optional<bool> operand = Truth(node.operands[0]);
    return operand ? std::optional(!*operand) : operand;
  }
  if (node.op == FormulaOp::kAnd || node.op == FormulaOp::kOr) {
    const std::optional<bool> first = Truth(node.operands[0]);
    if (!first || *first == (node.op == FormulaOp::kOr)) return first;
    return Truth(node.operands[1]);
  }
  if (IsComparison(node.op)) {
    const auto operands = OperandValues(number);
    return operands ? std::optional(arithmetic_.Compare(node.op, operands->first, operands->second)) : std::nullopt;
  }
  const std::optional<Term> value = Value(number);
  return value ? std::optional(arithmetic_.Compare(FormulaOp::kNotEqual, *value, 0)) : std::nullopt;
}

std::optional<bool> PathEvaluator::Assume(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  if (node.op == FormulaOp::kAnd) {
    const std::optional<bool> first = Assume(node.operands[0]);
    return first.value_or(false) ? Assume(node.operands[1]) : first;
  }
  if (const auto tested = TestedBits(number)) {
    const auto operands = OperandValues(*tested);
    if (!operands) return std::nullopt;
    const bool is_zero_left = node.op == FormulaOp::kEqual && node.operands[1] == *tested;
    if (const auto truth = arithmetic_.bits().AssumeNoCommonBits(operands->first, operands->second, is_zero_left)) {
      return truth;
    }
  }
  return Truth(number);
}

// Returns the node a & b of a test (a & b) == 0, 0 == (a & b) or !(a & b).
std::optional<uint32_t> PathEvaluator::TestedBits(uint32_t number) const {
  const FormulaNode& node = formula_.nodes[number];
  const auto is_zero = [&](uint32_t operand) {
    return formula_.nodes[operand].op == FormulaOp::kLiteral && formula_.nodes[operand].value == 0;
  };
  std::optional<uint32_t> tested;
  if (node.op == FormulaOp::kNot) tested = node.operands[0];
  if (node.op == FormulaOp::kEqual && is_zero(node.operands[1])) tested = node.operands[0];
  if (node.op == FormulaOp::kEqual && is_zero(node.operands[0])) tested = node.operands[1];
  return tested && formula_.nodes[*tested].op == FormulaOp::kBitAnd ? tested : std::nullopt;
}

}  // namespace layoutcheck
