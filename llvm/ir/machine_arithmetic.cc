// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Returns "65536 * 65536" for numbers, and "a * b" for expressions.
std::string OperationText(const SymbolicInteger& a, std::string_view op, const SymbolicInteger& b) {
  const auto text = [](const SymbolicInteger& value) {
    const std::optional<Int128> number = value.number();
    return number ? ToDecimal(*number) : std::string("a value");
  };
  return StrCat(text(a), " ", op, " ", text(b));
}

struct Operation {
  const MachineValue& a;
  const MachineValue& b;
  const MachineClaims& claims;
  std::string_view place;

  int width() const { return a.width; }
  std::string Text(std::string_view op) const { return OperationText(a.integer, op, b.integer); }
};

// Returns the exact result modulo 2^width, or poison if it breaks a claim.
MachineValue Result(const Operation& operation, std::string_view op, const SymbolicInteger& exact) {
  const int width = operation.width();
  if (operation.claims.nsw && !FitsSigned(exact, width)) {
    return MachineValue::Poison(StrCat(operation.Text(op), " overflows int", width, " at ", operation.place));
  }
  return MachineValue::Integer(Wrap(exact, width), width);
}

// Checks the claim that the unsigned result does not wrap.
bool BreaksUnsigned(const Operation& operation, const SymbolicInteger& exact) {
  return operation.claims.nuw && !FitsUnsigned(exact, operation.width());
}

MachineValue Unsigned(const MachineValue& value) {
  MachineValue result = value;
  result.integer = Unsigned(value.integer, value.width);
  return result;
}

// Returns a op b for + - *, which are the same for signed and unsigned integers but for their claims.
MachineValue AddSubtractOrMultiply(FormulaOp op, std::string_view spelling, const Operation& operation) {
  const auto apply = [&](const SymbolicInteger& a, const SymbolicInteger& b) {
    return op == FormulaOp::kAdd ? a + b : op == FormulaOp::kSubtract ? a - b : a * b;
  };
  if (operation.claims.nuw &&
      BreaksUnsigned(operation, apply(Unsigned(operation.a).integer, Unsigned(operation.b).integer))) {
    return MachineValue::Poison(
        StrCat(operation.Text(spelling), " overflows uint", operation.width(), " at ", operation.place));
  }
  return Result(operation, spelling, apply(operation.a.integer, operation.b.integer));
}

MachineValue Divide(bool is_signed, bool remainder, const Operation& operation) {
  const MachineValue a = is_signed ? operation.a : Unsigned(operation.a);
  const MachineValue b = is_signed ? operation.b : Unsigned(operation.b);
  const int width = operation.width();
  const std::string_view op = remainder ? "%" : "/";
  if (b.integer == 0) throw FunctionFault{StrCat(operation.Text(op), " divides by zero at ", operation.place)};
  if (is_signed && b.integer == -1) {
    if (a.integer == -PowerOfTwo(width - 1)) {
      throw FunctionFault{StrCat(operation.Text(op), " overflows int", width, " at ", operation.place)};
    }
    return MachineValue::Integer(remainder ? 0 : -a.integer, width);
  }
  if (operation.claims.exact && !(a.integer % b.integer == 0)) {
    return MachineValue::Poison(StrCat(operation.Text(op), " has a remainder at ", operation.place));
  }
  return MachineValue::Integer(Wrap(remainder ? a.integer % b.integer : a.integer / b.integer, width), width);
}

MachineValue Shift(MachineOp op, const Operation& operation) {
  const int width = operation.width();
  const SymbolicInteger amount = Unsigned(operation.b).integer;
  const std::string_view spelling = op == MachineOp::kShiftLeft ? "<<" : ">>";
  if (amount >= width) {
    return MachineValue::Poison(
        StrCat(operation.Text(spelling), " shifts by ", width, " bits or more at ", operation.place));
  }
  if (op == MachineOp::kShiftLeft) {
    if (BreaksUnsigned(operation, Unsigned(operation.a).integer << amount)) {
      return MachineValue::Poison(StrCat(operation.Text(spelling), " overflows uint", width, " at ", operation.place));
    }
    return Result(operation, spelling, operation.a.integer << amount);
  }
  const SymbolicInteger value =
      op == MachineOp::kLogicalShiftRight ? Unsigned(operation.a).integer : operation.a.integer;
  const SymbolicInteger shifted = value >> amount;
  if (operation.claims.exact && !((shifted << amount) == value)) {
    return MachineValue::Poison(StrCat(operation.Text(spelling), " loses bits at ", operation.place));
  }
  return MachineValue::Integer(Wrap(shifted, width), width);
}

}  // namespace

SymbolicInteger PowerOfTwo(int exponent) {
  if (exponent < 63) return int64_t{1} << exponent;
  const SymbolicInteger large = SymbolicInteger::FromUnsigned(uint64_t{1} << 63);
  return exponent < 64 ? large : large * 2;
}

bool FitsSigned(const SymbolicInteger& value, int width) {
  const SymbolicInteger half = PowerOfTwo(width - 1);
  return value < half && value >= -half;
}

bool FitsUnsigned(const SymbolicInteger& value, int width) { return value >= 0 && value < PowerOfTwo(width); }

SymbolicInteger Wrap(const SymbolicInteger& value, int width) {
  if (const auto whole = SymbolicInteger::WholeCast(/*is_signed=*/true, width, value)) return *whole;
  if (FitsSigned(value, width)) return value;
  const SymbolicInteger half = PowerOfTwo(width - 1);
  return Mod(value + half, PowerOfTwo(width)) - half;
}

SymbolicInteger Unsigned(const SymbolicInteger& value, int width) {
  if (const auto whole = SymbolicInteger::WholeCast(/*is_signed=*/false, width, value)) return *whole;
  return value >= 0 ? value : value + PowerOfTwo(width);
}

MachineValue Apply(MachineOp op, const MachineValue& a, const MachineValue& b, const MachineClaims& claims,
                   std::string_view place) {
  const Operation operation{a, b, claims, place};
  switch (op) {
    case MachineOp::kAdd: return AddSubtractOrMultiply(FormulaOp::kAdd, "+", operation);
    case MachineOp::kSubtract: return AddSubtractOrMultiply(FormulaOp::kSubtract, "-", operation);
    case MachineOp::kMultiply: return AddSubtractOrMultiply(FormulaOp::kMultiply, "*", operation);
    case MachineOp::kSignedDivide: return Divide(true, false, operation);
    case MachineOp::kUnsignedDivide: return Divide(false, false, operation);
    case MachineOp::kSignedRemainder: return Divide(true, true, operation);
    case MachineOp::kUnsignedRemainder: return Divide(false, true, operation);
    case MachineOp::kShiftLeft:
    case MachineOp::kLogicalShiftRight:
    case MachineOp::kArithmeticShiftRight: return Shift(op, operation);
    // Two's complement: the bits of integers that are extended by their signs.
    case MachineOp::kAnd: return MachineValue::Integer(a.integer & b.integer, a.width);
    case MachineOp::kXor: return MachineValue::Integer(a.integer ^ b.integer, a.width);
    case MachineOp::kOr: break;
  }
  if (claims.disjoint && !((a.integer & b.integer) == 0)) {
    return MachineValue::Poison(StrCat(operation.Text("|"), " has operands with a bit in common at ", place));
  }
  return MachineValue::Integer(a.integer | b.integer, a.width);
}

}  // namespace layoutcheck
