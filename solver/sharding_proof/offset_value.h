// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear index in the layout of the array of each device, for numbers and for names.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {

// The linear index in a local layout, as a formula of ReadOffsetFormula: the operators + - * floordiv ceildiv mod / %
// << >> & | ^ and let, over i0, i1, ... and the names of the layout.
class OffsetValue {
 public:
  // Error (unsupported): a formula with other operators.
  static Expected<OffsetValue> Of(Formula formula) {
    for (const FormulaNode& node : formula.nodes) {
      if (!Apply<int64_t>(node.op, 1, 1) && node.op != FormulaOp::kLiteral && node.op != FormulaOp::kName &&
          node.op != FormulaOp::kLet && node.op != FormulaOp::kLetName) {
        return UnsupportedError("--formula: expected a local layout of + - * floordiv ceildiv mod, found ",
                                formula.text);
      }
    }
    return OffsetValue(std::move(formula));
  }

  // Returns the value, where value_of(name) returns that of a name.
  template <class Int, class ValueOf>
  Int operator()(const ValueOf& value_of) const {
    std::vector<Int> names;
    for (const std::string& name : formula_.names) names.push_back(value_of(name));
    if constexpr (std::same_as<Int, int64_t>) {
      return FormulaEvaluator<int64_t>(formula_)(names).value;
    } else {
      std::vector<Int> values;  // of the nodes so far
      for (const FormulaNode& node : formula_.nodes) values.push_back(ValueAt(node, names, values));
      return values.back();
    }
  }

 private:
  explicit OffsetValue(Formula formula) : formula_(std::move(formula)) {}

  template <class Int>
  static Int ValueAt(const FormulaNode& node, const std::vector<Int>& names, const std::vector<Int>& values) {
    switch (node.op) {
      case FormulaOp::kLiteral: return Int(node.value);
      case FormulaOp::kName: return names[node.name];
      case FormulaOp::kLetName: return values[node.operands[0]];
      case FormulaOp::kLet: return values[node.operands[1]];
      default: return *Apply<Int>(node.op, values[node.operands[0]], values[node.operands[1]]);
    }
  }

  // Returns a op b, or op a for an operator of one operand, or nothing for an operator that no offset has.
  template <class Int>
  static std::optional<Int> Apply(FormulaOp op, const Int& a, const Int& b) {
    switch (op) {
      case FormulaOp::kNegate: return Int(0) - a;
      case FormulaOp::kAdd: return a + b;
      case FormulaOp::kSubtract: return a - b;
      case FormulaOp::kMultiply: return a * b;
      case FormulaOp::kFloorDiv: return FloorDiv(a, b);
      case FormulaOp::kCeilDiv: return CeilDiv(a, b);
      case FormulaOp::kMod: return Mod(a, b);
      case FormulaOp::kDivide: return a / b;
      case FormulaOp::kRemainder: return a % b;
      case FormulaOp::kShiftLeft: return a << b;
      case FormulaOp::kShiftRight: return a >> b;
      case FormulaOp::kBitAnd: return a & b;
      case FormulaOp::kBitXor: return a ^ b;
      case FormulaOp::kBitOr: return a | b;
      default: return std::nullopt;
    }
  }

  Formula formula_;
};

}  // namespace layoutcheck
