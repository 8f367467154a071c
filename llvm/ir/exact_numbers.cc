// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/exact_numbers.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/composite_values.h"
#include "layoutcheck/llvm/ir/instructions.h"

namespace layoutcheck {
namespace {

constexpr int kLeastWidth = 32;  // of integers that may be addresses

const SymbolicInteger& ExactOf(const MachineValue& value) { return value.exact ? value.exact->number : value.integer; }

// Returns the text of the first of the values that has one: the operation that has wrapped.
std::string WhyOf(std::span<const MachineValue> values) {
  for (const MachineValue& value : values) {
    if (value.exact && !value.exact->why.empty()) return value.exact->why;
  }
  return "";
}

bool IsCongruent(const MachineValue& value) { return !value.exact || value.exact->is_congruent; }

// Returns the value with the exact number. In a run on numbers, `wraps` says why the number may be another one.
MachineValue WithExactNumber(MachineValue value, ExactNumber exact, const std::string& wraps) {
  if (exact.why.empty() && !FunctionRun::IsOnNames()) exact.why = wraps;
  value.exact = std::make_shared<const ExactNumber>(std::move(exact));
  return value;
}

// Returns true if the machine reads the exact number as an unsigned one.
bool IsReadExactly(const MachineValue& value) {
  return value.exact ? value.exact->is_congruent && FitsUnsigned(value.exact->number, value.width) : value.integer >= 0;
}

// Returns true for operations of which the lowest bits of the operands say the lowest bits of the result.
bool IsModular(MachineOp op) {
  return op == MachineOp::kAdd || op == MachineOp::kSubtract || op == MachineOp::kMultiply ||
         op == MachineOp::kShiftLeft || op == MachineOp::kAnd || op == MachineOp::kOr || op == MachineOp::kXor;
}

bool IsUnsigned(MachineOp op) {
  return op == MachineOp::kUnsignedDivide || op == MachineOp::kUnsignedRemainder || op == MachineOp::kLogicalShiftRight;
}

// Returns a op b without limits.
SymbolicInteger ExactResult(MachineOp op, const MachineValue& a, const MachineValue& b) {
  const SymbolicInteger& left = ExactOf(a);
  const SymbolicInteger& right = ExactOf(b);
  switch (op) {
    case MachineOp::kAdd: return left + right;
    case MachineOp::kSubtract: return left - right;
    case MachineOp::kMultiply: return left * right;
    case MachineOp::kUnsignedDivide:
    case MachineOp::kSignedDivide: return left / right;
    case MachineOp::kUnsignedRemainder:
    case MachineOp::kSignedRemainder: return left % right;
    case MachineOp::kAnd: return left & right;
    case MachineOp::kOr: return left | right;
    case MachineOp::kXor: return left ^ right;
    case MachineOp::kShiftLeft: return left << Unsigned(b.integer, b.width);
    case MachineOp::kLogicalShiftRight:
    case MachineOp::kArithmeticShiftRight: break;
  }
  return left >> Unsigned(b.integer, b.width);
}

// Returns the operator of an operation that may wrap, for messages.
std::string_view OperatorText(MachineOp op) {
  switch (op) {
    case MachineOp::kAdd: return "+";
    case MachineOp::kSubtract: return "-";
    case MachineOp::kShiftLeft: return "<<";
    default: return "*";
  }
}

std::string NumberText(const SymbolicInteger& number) {
  const auto known = number.number();
  return known ? ToDecimal(*known) : "a value";
}

// Returns a op b as Apply() does, with the exact number if that may differ. `claims` are those that are checked, and
// `is_signed` is true if the instruction says that it does not wrap as a signed one.
MachineValue ExactBinary(MachineOp op, std::span<const MachineValue> operands, const MachineClaims& claims,
                         bool is_signed, const std::string& place) {
  const MachineValue& a = operands[0];
  const MachineValue& b = operands[1];
  MachineValue result = Apply(op, a, b, claims, place);
  if (!result.IsInteger() || a.width < kLeastWidth) return result;
  const bool may_differ = a.exact || b.exact || IsUnsigned(op) || op == MachineOp::kAdd || op == MachineOp::kSubtract ||
                          op == MachineOp::kMultiply || op == MachineOp::kShiftLeft;
  if (!may_differ) return result;
  const SymbolicInteger exact = ExactResult(op, a, b);
  const bool reads_exactly = IsUnsigned(op) && IsReadExactly(a) && IsReadExactly(b);
  const bool is_congruent = reads_exactly || (IsModular(op) && IsCongruent(a) && IsCongruent(b));
  if (is_congruent && FitsSigned(exact, a.width)) return result;
  // A number that fits an unsigned type of this width has not wrapped if the code may mean one.
  const bool wraps = IsModular(op) && !FunctionRun::IsOnNames() && (is_signed || !FitsUnsigned(exact, a.width));
  return WithExactNumber(std::move(result), {exact, is_congruent, WhyOf(operands)},
                         !wraps ? ""
                                : StrCat(NumberText(ExactOf(a)), " ", OperatorText(op), " ", NumberText(ExactOf(b)),
                                         " does not fit ", a.width, " bits at ", place));
}

// Returns the conversion of an integer to one of the type.
MachineValue ExactCast(const llvm::CastInst& cast, const MachineValue& value, const std::string& place) {
  const auto width = static_cast<int>(cast.getDestTy()->getIntegerBitWidth());
  const SymbolicInteger& number = ExactOf(value);
  const bool is_unsigned = cast.getOpcode() == llvm::Instruction::ZExt;
  const SymbolicInteger read = is_unsigned ? Unsigned(value.integer, value.width) : value.integer;
  MachineValue result = MachineValue::Integer(Wrap(read, width), width);
  const bool is_congruent = IsCongruent(value);
  if (value.width < kLeastWidth) return result;
  if (width < kLeastWidth) {
    return is_congruent ? result : MachineValue::Unknown(StrCat("the lowest bits of a number that wraps, at ", place));
  }
  const bool is_narrower = cast.getOpcode() == llvm::Instruction::Trunc;
  if (is_narrower) {
    if (is_congruent && FitsSigned(number, width)) return result;
  } else if (!value.exact && (!is_unsigned || value.integer >= 0)) {
    return result;
  } else if (is_unsigned && is_congruent && FitsUnsigned(number, value.width)) {
    return result;
  }
  return WithExactNumber(std::move(result), {number, is_narrower && is_congruent, WhyOf({&value, 1})},
                         is_narrower
                             ? StrCat(NumberText(number), " does not fit ", width, " bits at ", place)
                             : StrCat(NumberText(number), " is converted to ", NumberText(read), " at ", place));
}

// Returns `result`, the pointer to an element that Execute() has computed, with the exact offset.
MachineValue ExactElementPointer(const llvm::GetElementPtrInst& gep, std::span<const MachineValue> operands,
                                 MachineValue result, const IrMemory& memory, const std::string& place) {
  const auto known = OffsetOf(gep, memory.layout());
  const bool are_usable = std::ranges::all_of(operands, [](const MachineValue& operand) {
    return operand.IsInteger() || operand.kind == MachineValue::Kind::kPointer;
  });
  if (!are_usable || !known) return result;
  SymbolicInteger exact = ExactOf(operands[0]) + known->constant;
  for (size_t k = 0; k < known->factors.size(); ++k) {
    if (known->factors[k] != 0) exact += ExactOf(operands[k + 1]) * SymbolicInteger(known->factors[k]);
  }
  constexpr int kPointerWidth = 64;
  const bool has_exact =
      std::ranges::any_of(operands, [](const MachineValue& operand) { return operand.exact != nullptr; });
  if (!has_exact && FitsSigned(exact, kPointerWidth)) return result;
  if (result.kind != MachineValue::Kind::kPointer) {
    if (result.kind != MachineValue::Kind::kPoison) return result;
    result = MachineValue::Pointer(operands[0].object, Wrap(exact, kPointerWidth));
  }
  const bool is_congruent = std::ranges::all_of(operands, IsCongruent);
  return WithExactNumber(std::move(result), {exact, is_congruent, WhyOf(operands)},
                         StrCat("offset ", NumberText(exact), " does not fit 64 bits at ", place));
}

// Returns the operands with large constants of unsigned arithmetic as they are written: 2654435761, which the IR has as
// a negative number, as it has -1. `changed` holds them.
std::span<const MachineValue> WithLargeConstants(const llvm::Instruction& instruction,
                                                 std::span<const MachineValue> operands,
                                                 std::vector<MachineValue>& changed) {
  constexpr int64_t kLeastOffset = -65536;  // a smaller number is no difference that code adds
  for (size_t k = 0; k < operands.size(); ++k) {
    const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(static_cast<unsigned>(k)));
    const bool is_address = constant != nullptr && operands[k].IsInteger() && operands[k].width >= kLeastWidth;
    if (!is_address || constant->getSExtValue() >= kLeastOffset) continue;
    changed.assign(operands.begin(), operands.end());
    changed[k] = WithExact(Unsigned(operands[k].integer, operands[k].width), operands[k].width);
    return changed;
  }
  return operands;
}

// Checks the address of an access.
void CheckAddress(const MachineValue& pointer, IrMemory& memory, const std::string& place) {
  if (pointer.kind != MachineValue::Kind::kPointer || !pointer.exact || pointer.object < 0) return;
  if (pointer.exact->number == pointer.integer) return;
  const std::string& why = pointer.exact->why;
  throw AddressFault{{StrCat(why.empty() ? "arithmetic wraps" : why, ", so that an access to ",
                             memory.object(pointer).name(), " at ", place, " has another address")}};
}

}  // namespace

MachineValue WithExact(const SymbolicInteger& number, int width) {
  MachineValue value = MachineValue::Integer(Wrap(number, width), width);
  return FitsSigned(number, width) ? value : WithExactNumber(std::move(value), {number}, "");
}

std::optional<MachineValue> ExecuteExactly(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                           IrMemory& memory, const std::string& place) {
  std::vector<MachineValue> numbered;
  const auto are_integers = [&] { return std::ranges::all_of(operands, &MachineValue::IsInteger); };
  if (instruction.isBinaryOp() || llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(instruction)) {
    operands = WithNumbers(operands, memory, numbered);
  }
  const auto op = MachineOpOf(instruction);
  MachineClaims claims = ClaimsOf(instruction);
  std::vector<MachineValue> as_written;
  if (op && !claims.nsw) operands = WithLargeConstants(instruction, operands, as_written);
  if (op && instruction.getType()->isIntegerTy() && are_integers()) {
    const bool is_signed = std::exchange(claims.nsw, false);
    claims.nuw = false;
    return ExactBinary(*op, operands, claims, is_signed, place);
  }
  const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
  if (cast != nullptr && llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(cast) &&
      cast->getDestTy()->isIntegerTy() && cast->getDestTy()->getIntegerBitWidth() <= 64 && are_integers()) {
    return ExactCast(*cast, operands[0], place);
  }
  if (llvm::isa<llvm::StoreInst>(instruction)) CheckAddress(operands[1], memory, place);
  if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    CheckAddress(operands[0], memory, place);
  }
  std::optional<MachineValue> result = Execute(instruction, operands, memory, place);
  const auto* const gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  return gep == nullptr ? result : ExactElementPointer(*gep, operands, *std::move(result), memory, place);
}

std::optional<MachineValue> CallExactly(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                        IrMemory& memory, const std::string& place) {
  for (const MachineValue& operand : operands) CheckAddress(operand, memory, place);
  std::optional<MachineValue> result = CallKnown(call, operands, memory, place);
  const bool has_exact =
      std::ranges::any_of(operands, [](const MachineValue& operand) { return operand.exact != nullptr; });
  const llvm::Function* const callee = call.getCalledFunction();
  const llvm::Intrinsic::ID id = callee == nullptr ? llvm::Intrinsic::not_intrinsic : callee->getIntrinsicID();
  const bool chooses = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax || id == llvm::Intrinsic::umin ||
                       id == llvm::Intrinsic::umax || id == llvm::Intrinsic::expect;
  if (!has_exact || chooses || !result || !result->IsInteger()) return result;
  return MachineValue::Unknown(StrCat("what a function makes of a number that may wrap, at ", place));
}

}  // namespace layoutcheck
