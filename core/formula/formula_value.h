// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {

// The reason why a formula has no value at a point.
enum class FormulaFault : uint8_t {
  kNone,
  kDivisionByZero,
  kDivisorNotPositive,  // floordiv, ceildiv and mod are defined for divisors >= 1
  kShiftOutOfRange,     // shift by less than 0 or more than 63
  kIndexOutside,        // no element of the table has this index
  kOverflow,            // result does not fit the integer type
  kOfFunction,          // a C++ function in place of a formula has no value; its caller knows the reason
};
// Returns a text such as "division by zero".
const char* FormulaFaultText(FormulaFault fault);

// A value, or a fault and the node at which it arose.
template <class Int>
struct FormulaValue {
  Int value = 0;
  FormulaFault fault = FormulaFault::kNone;
  uint32_t node = 0;  // node of the fault

  bool ok() const { return fault == FormulaFault::kNone; }
};

// Computes a op b for an operator between two operands. A fault is at node 0.
template <class Int>
FormulaValue<Int> ApplyOperator(FormulaOp op, Int a, Int b);

// Evaluates a formula any number of times without allocating. Int is int64_t or Int128; a result outside of it is the
// fault kOverflow. Faults in parts that ?:, && or || does not choose do not count.
template <class Int>
class FormulaEvaluator {
 public:
  explicit FormulaEvaluator(const Formula& formula) : formula_(&formula), values_(formula.nodes.size()) {}

  // Returns the value of the formula. `names` are the values of its names, in the order of Formula::names.
  FormulaValue<Int> operator()(std::span<const Int> names) {
    Run(names);
    return values_.back();
  }
  // Returns the value of each node in the last evaluation, including nodes that were not chosen.
  std::span<const FormulaValue<Int>> nodes() const { return values_; }

 private:
  void Run(std::span<const Int> names);
  FormulaValue<Int> Apply(uint32_t number, const FormulaNode& node) const;
  FormulaValue<Int> Element(uint32_t number, const FormulaNode& table) const;

  const Formula* formula_;
  std::vector<FormulaValue<Int>> values_;
};

extern template FormulaValue<int64_t> ApplyOperator(FormulaOp op, int64_t a, int64_t b);
extern template FormulaValue<Int128> ApplyOperator(FormulaOp op, Int128 a, Int128 b);
extern template class FormulaEvaluator<int64_t>;
extern template class FormulaEvaluator<Int128>;

// Returns a text such as "N - 1 floordiv 0: division by zero" for a fault at `node`.
std::string FaultText(const Formula& formula, uint32_t node, FormulaFault fault);

}  // namespace layoutcheck
