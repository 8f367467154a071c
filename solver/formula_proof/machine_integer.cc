// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/machine_integer.h"
#include <limits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<MachineInteger> MachineIntegerOf(std::string_view name) {
  const auto make = [&]<class Int>(Int) {
    return MachineInteger{name, std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max(), sizeof(Int) * 8};
  };
  if (name == "int32") return make(int32_t{});
  if (name == "uint32") return make(uint32_t{});
  if (name == "int64") return make(int64_t{});
  return MakeError(ErrorKind::kInvalidArgument, StrCat("expected int32, uint32 or int64, got '", name, "'"));
}

std::vector<bool> NodesThatMustFit(const Formula& formula, const MachineInteger& integer) {
  std::vector<bool> result(formula.nodes.size(), true);
  if (integer.least < 0) return result;
  for (const FormulaNode& node : formula.nodes) {
    if (node.op != FormulaOp::kBitAnd) continue;
    for (const uint32_t operand : {node.operands[0], node.operands[1]}) {
      if (formula.nodes[operand].op == FormulaOp::kComplement) result[operand] = false;
    }
  }
  return result;
}

MachineFormula::MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer)
    : bound_(bound),
      integer_(integer),
      evaluator_(bound.formula),
      names_(bound.names.size()),
      must_fit_(NodesThatMustFit(bound.formula, integer)),
      run_(integer.least, integer.largest) {}

std::optional<MachineFault> MachineFormula::FirstFaultOfFunction() {
  std::vector<Term> arguments;
  for (const Int128 argument : names_) arguments.emplace_back(WideInteger(argument));
  FunctionResult result = run_.Call(bound_.function, arguments);
  operations_ += run_.operations();
  is_known_ = result.unknown.empty();
  if (run_.outside()) return MachineFault{0, FormulaFault::kOverflow, *run_.outside(), run_.outside_operation()};
  if (!result.fault.empty()) return MachineFault{0, FormulaFault::kOfFunction, 0, std::move(result.fault)};
  return std::nullopt;
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
    if (!value.ok()) return MachineFault{value.node, value.fault};
    const bool is_shift = nodes[k].op == FormulaOp::kShiftLeft || nodes[k].op == FormulaOp::kShiftRight;
    if (is_shift && values[nodes[k].operands[1]].value >= integer_.width) {
      return MachineFault{k, FormulaFault::kShiftOutOfRange};
    }
    if (!must_fit_[k]) continue;
    if (value.value < integer_.least || value.value > integer_.largest) {
      return MachineFault{k, FormulaFault::kOverflow, value.value};
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
