// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/symbolic_formula.h"
#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

class Evaluation {
 public:
  Evaluation(const Formula& formula, const SymbolicValues& names)
      : formula_(formula), names_(names), bound_(formula.nodes.size()) {}

  SymbolicInteger ValueAt(uint32_t number) {
    const FormulaNode& node = formula_.nodes[number];
    const auto operand = [&](int k) { return ValueAt(node.operands[k]); };
    const auto truth = [](bool value) -> SymbolicInteger { return value ? 1 : 0; };
    switch (node.op) {
      case FormulaOp::kLiteral: return node.value;
      case FormulaOp::kName: return names_.at(formula_.names[node.name]);
      case FormulaOp::kNegate: return -operand(0);
      case FormulaOp::kAdd: return operand(0) + operand(1);
      case FormulaOp::kSubtract: return operand(0) - operand(1);
      case FormulaOp::kMultiply: return operand(0) * operand(1);
      case FormulaOp::kDivide: return operand(0) / operand(1);
      case FormulaOp::kRemainder: return operand(0) % operand(1);
      case FormulaOp::kFloorDiv: return FloorDiv(operand(0), operand(1));
      case FormulaOp::kCeilDiv: return CeilDiv(operand(0), operand(1));
      case FormulaOp::kMod: return Mod(operand(0), operand(1));
      case FormulaOp::kMin: return operand(0) <= operand(1) ? operand(0) : operand(1);
      case FormulaOp::kMax: return operand(0) <= operand(1) ? operand(1) : operand(0);
      case FormulaOp::kBitAnd: return operand(0) & operand(1);
      case FormulaOp::kBitOr: return operand(0) | operand(1);
      case FormulaOp::kBitXor: return operand(0) ^ operand(1);
      case FormulaOp::kShiftLeft: return operand(0) << operand(1);
      case FormulaOp::kShiftRight: return operand(0) >> operand(1);
      case FormulaOp::kNot: return truth(operand(0) == 0);
      case FormulaOp::kLess: return truth(operand(0) < operand(1));
      case FormulaOp::kLessEqual: return truth(operand(0) <= operand(1));
      case FormulaOp::kGreater: return truth(operand(1) < operand(0));
      case FormulaOp::kGreaterEqual: return truth(operand(1) <= operand(0));
      case FormulaOp::kEqual: return truth(operand(0) == operand(1));
      case FormulaOp::kNotEqual: return truth(!(operand(0) == operand(1)));
      case FormulaOp::kAnd: return truth(!(operand(0) == 0) && !(operand(1) == 0));
      case FormulaOp::kOr: return truth(!(operand(0) == 0) || !(operand(1) == 0));
      case FormulaOp::kConditional: return operand(0) == 0 ? operand(2) : operand(1);
      case FormulaOp::kLet: return operand(1);
      case FormulaOp::kLetName: return BoundAt(node.operands[0]);
      default: throw FunctionUnknown{StrCat("the formula ", FormulaText(formula_))};
    }
  }

 private:
  // Returns the value of a node to which a let gives a name, evaluated once.
  SymbolicInteger BoundAt(uint32_t number) {
    if (!bound_[number]) bound_[number] = ValueAt(number);
    return *bound_[number];
  }

  const Formula& formula_;
  const SymbolicValues& names_;
  std::vector<std::optional<SymbolicInteger>> bound_;
};

}  // namespace

SymbolicInteger ValueOf(const Formula& formula, const SymbolicValues& names) {
  return Evaluation(formula, names).ValueAt(formula.root());
}

}  // namespace layoutcheck
