// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

MachineFormula::MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer)
    : bound_(bound),
      integer_(integer),
      evaluator_(bound.formula),
      names_(bound.names.size()),
      must_fit_(NodesThatMustFit(bound.formula, integer)),
      run_(integer) {}

std::optional<MachineFault> MachineFormula::FirstFaultOfFunction() {
  std::vector<Term> arguments;
  for (const Int128 argument : names_) arguments.emplace_back(WideInteger(argument));
  FunctionResult result = run_.Call(bound_.function, arguments);
  operations_ += run_.operations();
  is_known_ = result.unknown.empty();
  if (run_.machine_fault()) return *run_.machine_fault();
  if (!result.fault.empty()) return MachineFault{.operation = result.fault, .why = result.fault};
  if (!run_.has_unsigned_complement() || !result.value) return std::nullopt;
  const FunctionResult signed_result = unbounded_.Call(bound_.function, arguments);
  operations_ += unbounded_.operations();
  is_known_ = signed_result.value.has_value();
  if (!signed_result.value) return std::nullopt;
  const Int128 expected = signed_result.value->value().value;
  const Int128 actual = result.value->value().value;
  if (expected == actual) return std::nullopt;
  return MachineFault{.operation = kUnsignedComplement, .expected = expected, .actual = actual};
}

void MachineFormula::MarkChosenNodes() {
  const std::vector<FormulaNode>& nodes = bound_.formula.nodes;
  chosen_.assign(nodes.size(), false);
  chosen_.back() = true;
  // Operands precede the nodes that use them, so the root is last.
  for (size_t k = nodes.size(); k-- > 0;) {
    const FormulaNode& node = nodes[k];
    const int count = OperandCount(node.op);
    if (!chosen_[k] || count == 0) continue;
    if (node.op == FormulaOp::kTable) {
      for (const uint32_t element : TableElements(bound_.formula, node)) chosen_[element] = true;
    }
    chosen_[node.operands[0]] = true;
    const FormulaValue<Int128>& first = evaluator_.nodes()[node.operands[0]];
    const bool truth = first.value != 0;
    if (node.op == FormulaOp::kConditional) {
      if (first.ok()) chosen_[node.operands[truth ? 1 : 2]] = true;
    } else if (count == 2) {
      const bool is_decided = (node.op == FormulaOp::kAnd && !truth) || (node.op == FormulaOp::kOr && truth);
      if (!first.ok() || !is_decided) chosen_[node.operands[1]] = true;
    }
  }
}

std::optional<MachineFault> MachineFormula::FirstFault(const FormulaPoint& point) {
  for (size_t k = 0; k < names_.size(); ++k) names_[k] = bound_.names[k].At(point);
  if (bound_.function) return FirstFaultOfFunction();
  const std::vector<FormulaNode>& nodes = bound_.formula.nodes;
  evaluator_(names_);
  MarkChosenNodes();
  const auto values = evaluator_.nodes();
  for (uint32_t k = 0; k < nodes.size(); ++k) {
    if (!chosen_[k]) continue;
    const FormulaValue<Int128>& value = values[k];
    std::optional<MachineFault> fault;
    if (value.ok()) {
      const bool is_binary = OperandCount(nodes[k].op) == 2;
      const Int128 a = is_binary ? values[nodes[k].operands[0]].value : 0;
      const Int128 b = is_binary ? values[nodes[k].operands[1]].value : 0;
      fault = FaultOf(integer_, nodes[k].op, a, b, value.value);
      if (!fault || (fault->expected && !must_fit_[k])) continue;
      fault->operation = FormulaText(bound_.formula, k);
    } else {
      fault = MachineFault{.operation = FormulaText(bound_.formula, value.node),
                           .why = FaultText(bound_.formula, value.node, value.fault)};
    }
    return fault;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
