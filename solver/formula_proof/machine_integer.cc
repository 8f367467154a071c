#include "layoutcheck/solver/formula_proof/machine_integer.h"

#include <limits>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<MachineInteger> MachineIntegerOf(std::string_view name) {
  const auto of = [&]<class Int>(Int) {
    return MachineInteger{name, std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max(), sizeof(Int) * 8};
  };
  if (name == "int32") return of(int32_t{});
  if (name == "uint32") return of(uint32_t{});
  if (name == "int64") return of(int64_t{});
  return MakeError(ErrorKind::kInvalidArgument, StrCat("expected int32, uint32 or int64, got '", name, "'"));
}

MachineFormula::MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer)
    : bound_(bound),
      integer_(integer),
      evaluator_(bound.formula),
      names_(bound.names.size()),
      chosen_(bound.formula.nodes.size()),
      run_(integer.least, integer.largest) {}

std::optional<MachineFault> MachineFormula::FirstFaultOfFunction() {
  arguments_.clear();
  for (const Int128 argument : names_) arguments_.emplace_back(WideInteger(argument));
  FunctionResult result = run_.Call(bound_.function, arguments_);
  operations_ += run_.operations();
  if (run_.outside()) return MachineFault{0, FormulaFault::kOverflow, *run_.outside(), run_.OutsideText()};
  if (!result.fault.empty()) return MachineFault{0, FormulaFault::kOfFunction, 0, std::move(result.fault)};
  return std::nullopt;
}

std::optional<MachineFault> MachineFormula::FirstFault(const FormulaPoint& point) {
  const std::vector<FormulaNode>& nodes = bound_.formula.nodes;
  for (size_t k = 0; k < names_.size(); ++k) names_[k] = bound_.names[k].At(point);
  if (bound_.function) return FirstFaultOfFunction();
  evaluator_(names_);
  const auto values = evaluator_.nodes();
  // Operands stand before what they are in: from the root down.
  chosen_.assign(nodes.size(), false);
  chosen_.back() = true;
  for (size_t k = nodes.size(); k-- > 0;) {
    if (!chosen_[k]) continue;
    const FormulaNode& node = nodes[k];
    const int count = OperandCount(node.op);
    if (count == 0) continue;
    chosen_[node.operands[0]] = true;
    const FormulaValue<Int128>& first = values[node.operands[0]];
    const bool truth = first.value != 0;
    if (node.op == FormulaOp::kConditional) {
      if (first.ok()) chosen_[node.operands[truth ? 1 : 2]] = true;
    } else if (count == 2) {
      const bool decided =
          first.ok() && ((node.op == FormulaOp::kAnd && !truth) || (node.op == FormulaOp::kOr && truth));
      if (!decided) chosen_[node.operands[1]] = true;
    }
  }
  for (uint32_t k = 0; k < nodes.size(); ++k) {
    if (!chosen_[k]) continue;
    const FormulaValue<Int128>& value = values[k];
    if (!value.ok()) return MachineFault{value.node, value.fault, 0};
    const bool shift = nodes[k].op == FormulaOp::kShiftLeft || nodes[k].op == FormulaOp::kShiftRight;
    if (shift && values[nodes[k].operands[1]].value >= integer_.width) {
      return MachineFault{k, FormulaFault::kShiftOutOfRange, 0};
    }
    if (value.value < integer_.least || value.value > integer_.largest) {
      return MachineFault{k, FormulaFault::kOverflow, value.value};
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
