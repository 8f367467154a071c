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

// Returns true for a value with a number: an integer, or the place of a pointer or an element.
bool HasNumber(const MachineValue& value) {
  return value.kind == MachineValue::Kind::kInteger || value.kind == MachineValue::Kind::kPointer ||
         value.kind == MachineValue::Kind::kElement;
}

bool AreAlike(const MachineValue& a, const MachineValue& b) {
  return a.kind == b.kind && a.width == b.width && a.object == b.object;
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

std::optional<SymbolicInteger> TimesThatHold(llvm::CmpInst::Predicate predicate, SymbolicInteger d,
                                             SymbolicInteger step) {
  using Predicate = llvm::CmpInst::Predicate;
  switch (predicate) {
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_UGT:
    case Predicate::ICMP_SGE:
    case Predicate::ICMP_UGE:
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
      d = -d;
      step = -step;
      break;
    default: break;
  }
  const auto number = step.number();
  switch (predicate) {
    case Predicate::ICMP_SLE:
    case Predicate::ICMP_ULE: d -= 1; [[fallthrough]];
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_ULT:
      if (!FunctionRun::CanShowAtMost(1, step)) return std::nullopt;
      return FunctionRun::Simplify(number == Int128{1} ? -d - 1 : CeilDiv(-d, step) - 1);
    case Predicate::ICMP_NE: {
      if (!number || *number == 0) return std::nullopt;
      if (*number < 0) return TimesThatHold(predicate, -d, -step);
      if (!(-d >= step)) return std::nullopt;
      if (*number != 1 && !(Mod(-d, step) == 0)) return std::nullopt;
      return FunctionRun::Simplify(FloorDiv(-d, step) - 1);
    }
    default: return std::nullopt;
  }
}

std::optional<Int128> StepsInRange(std::span<const MachineValue* const> past) {
  const MachineValue& now = *past[0];
  if (!HasNumber(now)) return std::nullopt;
  std::vector<Int128> numbers;
  for (const MachineValue* const value : past) {
    const auto number = value == nullptr || !AreAlike(now, *value) ? std::nullopt : value->integer.number();
    if (!number) return 0;
    numbers.push_back(*number);
  }
  const Int128 step = numbers[0] - numbers[1];
  if (step != numbers[1] - numbers[2]) return 0;
  if (step == 0 || !now.IsInteger()) return std::nullopt;
  const Int128 end = Int128{1} << (now.width - 1);
  return step > 0 ? (end - 1 - numbers[0]) / step : (numbers[0] + end) / -step;
}

MachineValue NotFollowed(const MachineValue& middle, const MachineValue& now, const std::string& why) {
  MachineValue unknown = MachineValue::Unknown(why);
  unknown.is_computed = IsNoElement(now) && IsNoElement(middle);
  return unknown;
}

MachineValue AfterIterations(const MachineValue* before, const MachineValue& middle, const MachineValue& now,
                             const SymbolicInteger& count, const std::string& why) {
  // An exact number need not grow as the integer does.
  if (!HasNumber(now) || !AreAlike(now, middle) || now.exact || middle.exact) return NotFollowed(middle, now, why);
  std::vector<SymbolicInteger> past{now.integer, middle.integer};
  if (before != nullptr && AreAlike(now, *before)) past.push_back(before->integer);
  MachineValue result = now;
  result.integer = AfterSteps(past, count);
  return result;
}

}  // namespace layoutcheck
