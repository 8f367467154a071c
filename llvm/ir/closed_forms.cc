// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/closed_forms.h"
#include <vector>
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Returns true if no element of an array can be the value.
bool IsNoElement(const MachineValue& value) {
  return value.IsInteger() || (value.is_computed && value.kind != MachineValue::Kind::kElement);
}

}  // namespace

SymbolicInteger AfterSteps(std::span<const SymbolicInteger> past, const SymbolicInteger& count) {
  const SymbolicInteger step = FunctionRun::Simplify(past[0] - past[1]);
  const SymbolicInteger growth =
      past.size() < 3 ? SymbolicInteger(0) : FunctionRun::Simplify(step - (past[1] - past[2]));
  const bool is_linear = growth.number() == Int128{0};
  if (is_linear && step.number() == Int128{0}) return past[0];
  const SymbolicInteger linear = past[0] + count * step;
  return is_linear ? linear : linear + FloorDiv(count * (count + 1), 2) * growth;
}

MachineValue NotFollowed(const MachineValue& middle, const MachineValue& now, const std::string& why) {
  MachineValue unknown = MachineValue::Unknown(why);
  unknown.is_computed = IsNoElement(now) && IsNoElement(middle);
  return unknown;
}

MachineValue AfterIterations(const MachineValue* before, const MachineValue& middle, const MachineValue& now,
                             const SymbolicInteger& count, const std::string& why) {
  const auto is_alike = [&](const MachineValue& value) {
    return value.kind == now.kind && value.width == now.width && value.object == now.object;
  };
  // The place of an element is a number, too.
  const bool has_number = now.kind == MachineValue::Kind::kInteger || now.kind == MachineValue::Kind::kPointer ||
                          now.kind == MachineValue::Kind::kElement;
  // An exact number need not grow as the integer does.
  if (!has_number || !is_alike(middle) || now.exact || middle.exact) return NotFollowed(middle, now, why);
  std::vector<SymbolicInteger> past{now.integer, middle.integer};
  if (before != nullptr && is_alike(*before)) past.push_back(before->integer);
  MachineValue result = now;
  result.integer = AfterSteps(past, count);
  return result;
}

}  // namespace layoutcheck
