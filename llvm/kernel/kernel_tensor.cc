// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/kernel_tensor.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

SymbolicInteger ValueOf(const Formula& formula, uint32_t number, const SymbolicValues& names) {
  const FormulaNode& node = formula.nodes[number];
  const auto operand = [&](int k) { return ValueOf(formula, node.operands[k], names); };
  switch (node.op) {
    case FormulaOp::kLiteral: return node.value;
    case FormulaOp::kName: return names.at(formula.names[node.name]);
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
    default: throw FunctionUnknown{StrCat("the formula ", FormulaText(formula))};
  }
}

}  // namespace

SymbolicInteger ValueOf(const Formula& formula, const SymbolicValues& names) {
  return ValueOf(formula, formula.root(), names);
}

Expected<Formula> ParseFormulaOf(std::string_view option, const std::string& text, std::span<const std::string> names) {
  auto formula = ParseFormula(text);
  if (!formula) return MakeError(formula.error().kind, StrCat(option, ": ", formula.error().ToString()));
  for (const std::string& name : formula->names) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string expected = names.empty() ? "a number" : StrJoin(std::vector(names.begin(), names.end()), ", ");
    return MakeError(ErrorKind::kInvalidArgument, StrCat(option, ": expected ", expected, ", found '", name, "'"));
  }
  return formula;
}

KernelTensor::KernelTensor(const SymbolicLayout& layout, const SymbolicValues& names)
    : KernelTensor(MapSizes<SymbolicInteger>(layout.layout,
                                             [&](const SymbolicSize& size) {
                                               return size.name.empty() ? SymbolicInteger(size.value)
                                                                        : names.at(size.name);
                                             }),
                   layout.element_bits / 8) {}

std::optional<std::vector<SymbolicInteger>> KernelTensor::ElementAt(const SymbolicInteger& place) const {
  if (!(place % element_bytes_ == 0)) return std::nullopt;
  std::vector<SymbolicInteger> index(sizes_.size());
  bool is_padding = false;
  digits_.Coordinate(place / element_bytes_, index, [&](const SymbolicInteger& digit, const SymbolicInteger& size) {
    is_padding = is_padding || !(digit < size);
    return !is_padding;
  });
  if (is_padding) return std::nullopt;
  return index;
}

}  // namespace layoutcheck
