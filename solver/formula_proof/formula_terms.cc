#include "layoutcheck/solver/formula_proof/formula_terms.h"

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::optional<Term> FormulaTerms::Value(uint32_t number) {
  const std::optional<Term> value = ValueOf(number);
  if (value) evaluated_.emplace_back(number, *value);
  return value;
}

// Recursion is as deep as the formula, which its parser bounds.
std::optional<Term> FormulaTerms::ValueOf(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  switch (node.op) {
    case FormulaOp::kLiteral: return Term(node.value);
    case FormulaOp::kName: return names_[node.name];
    case FormulaOp::kNegate: {
      const std::optional<Term> operand = Value(node.operands[0]);
      return operand ? std::optional(Term(0) - *operand) : std::nullopt;
    }
    case FormulaOp::kConditional: {
      const std::optional<bool> condition = Truth(node.operands[0]);
      return condition ? Value(node.operands[*condition ? 1 : 2]) : std::nullopt;
    }
    case FormulaOp::kNot:
    case FormulaOp::kAnd:
    case FormulaOp::kOr:
    case FormulaOp::kLess:
    case FormulaOp::kLessEqual:
    case FormulaOp::kGreater:
    case FormulaOp::kGreaterEqual:
    case FormulaOp::kEqual:
    case FormulaOp::kNotEqual: {
      const std::optional<bool> truth = Truth(number);
      return truth ? std::optional(Term(*truth ? 1 : 0)) : std::nullopt;
    }
    default: break;
  }
  const std::optional<Term> a = Value(node.operands[0]);
  if (!a) return a;
  const std::optional<Term> b = Value(node.operands[1]);
  if (!b) return b;
  const PathValue result = arithmetic_.Apply(node.op, *a, *b);
  if (result.fault != FormulaFault::kNone) fault_ = FaultText(formula_, number, result.fault);
  if (!result.unsupported.empty()) unsupported_ = StrCat(FormulaText(formula_, number), ": ", result.unsupported);
  return result.term;
}

std::optional<bool> FormulaTerms::Truth(uint32_t number) {
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
  const bool comparison = node.op >= FormulaOp::kLess && node.op <= FormulaOp::kNotEqual;
  if (!comparison) {
    const std::optional<Term> value = Value(number);
    return value ? std::optional(arithmetic_.IsTrue(*value)) : std::nullopt;
  }
  const std::optional<Term> a = Value(node.operands[0]);
  if (!a) return std::nullopt;
  const std::optional<Term> b = Value(node.operands[1]);
  if (!b) return std::nullopt;
  return arithmetic_.Compare(node.op, *a, *b);
}

std::optional<bool> FormulaTerms::Assume(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  if (node.op == FormulaOp::kAnd) {
    const std::optional<bool> first = Assume(node.operands[0]);
    return first.value_or(false) ? Assume(node.operands[1]) : first;
  }
  if (const auto tested = TestedBits(number)) {
    const std::optional<Term> a = Value(formula_.nodes[*tested].operands[0]);
    const std::optional<Term> b = Value(formula_.nodes[*tested].operands[1]);
    if (!a || !b) return std::nullopt;
    if (arithmetic_.AssumeNoCommonBits(*a, *b)) return true;
  }
  return Truth(number);
}

// The a & b of (a & b) == 0, 0 == (a & b) and !(a & b).
std::optional<uint32_t> FormulaTerms::TestedBits(uint32_t number) const {
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
