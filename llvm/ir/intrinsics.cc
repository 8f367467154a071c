// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/ir/inline_assembly.h"
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/llvm/ir/thread_registers.h"
#include "layoutcheck/llvm/source/gpu_functions.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

using Operands = std::span<const MachineValue>;

// Returns the smaller or larger of two integers.
MachineValue MinMax(bool is_signed, bool is_min, Operands operands) {
  const auto value = [&](const MachineValue& operand) {
    return is_signed ? operand.integer : Unsigned(operand.integer, operand.width);
  };
  const bool first_is_less = value(operands[0]) <= value(operands[1]);
  return first_is_less == is_min ? operands[0] : operands[1];
}

MachineValue Absolute(const MachineValue& value, bool least_is_poison, const std::string& place) {
  if (value.integer >= 0) return value;
  if (value.integer == -PowerOfTwo(value.width - 1)) {
    if (!least_is_poison) return value;
    return MachineValue::Poison(StrCat("the absolute value of the least int", value.width, " at ", place));
  }
  return MachineValue::Integer(-value.integer, value.width);
}

// Returns {a op b modulo 2^width, true if the exact result is not that}.
MachineValue WithOverflow(MachineOp op, bool is_signed, Operands operands, const std::string& place) {
  const MachineClaims claims{.nsw = is_signed, .nuw = !is_signed};
  const bool overflows = Apply(op, operands[0], operands[1], claims, place).kind == MachineValue::Kind::kPoison;
  return {.kind = MachineValue::Kind::kAggregate,
          .elements = {Apply(op, operands[0], operands[1], {}, place), MachineValue::Bool(overflows)}};
}

// Returns the sum or difference, or else the least or largest number of the type.
MachineValue Saturated(bool add, bool is_signed, Operands operands) {
  const int width = operands[0].width;
  const auto value = [&](const MachineValue& operand) {
    return is_signed ? operand.integer : Unsigned(operand.integer, width);
  };
  const SymbolicInteger exact = add ? value(operands[0]) + value(operands[1]) : value(operands[0]) - value(operands[1]);
  const SymbolicInteger least = is_signed ? -PowerOfTwo(width - 1) : SymbolicInteger(0);
  const SymbolicInteger largest = PowerOfTwo(is_signed ? width - 1 : width) - 1;
  return MachineValue::Integer(Wrap(exact < least ? least : exact > largest ? largest : exact, width), width);
}

// Returns the bits of (high << width | low), of which `width` are kept, after a shift by `amount` to the left or right.
MachineValue FunnelShift(bool left, Operands operands) {
  const int width = operands[0].width;
  const SymbolicInteger amount = Mod(Unsigned(operands[2].integer, width), width);
  if (amount == 0) return left ? operands[0] : operands[1];
  const SymbolicInteger from_high = left ? amount : width - amount;
  const SymbolicInteger high = Unsigned(operands[0].integer, width) << from_high;
  const SymbolicInteger low = Unsigned(operands[1].integer, width) >> (width - from_high);
  return MachineValue::Integer(Wrap(Mod(high, PowerOfTwo(width)) + low, width), width);
}

// Returns what a function of bits makes of an integer that takes few values.
template <class F>
MachineValue OfBits(const MachineValue& value, F f) {
  const auto bits = static_cast<uint64_t>(static_cast<int64_t>(value.integer));
  const uint64_t mask = value.width == 64 ? ~uint64_t{0} : (uint64_t{1} << value.width) - 1;
  const uint64_t result = f(bits & mask, value.width) & mask;
  return MachineValue::Integer(Wrap(SymbolicInteger::FromUnsigned(result), value.width), value.width);
}

uint64_t LeadingZeros(uint64_t bits, int width) { return static_cast<uint64_t>(std::countl_zero(bits) - (64 - width)); }
uint64_t TrailingZeros(uint64_t bits, int width) {
  return static_cast<uint64_t>(std::min(std::countr_zero(bits), width));
}
uint64_t Population(uint64_t bits, int) { return static_cast<uint64_t>(std::popcount(bits)); }
uint64_t ReversedBytes(uint64_t bits, int width) { return __builtin_bswap64(bits) >> (64 - width); }
uint64_t ReversedBits(uint64_t bits, int width) {
  uint64_t result = 0;
  for (int k = 0; k < width; ++k) result |= (bits >> k & 1) << (width - 1 - k);
  return result;
}

// Returns what clang's check of the source has found, by clang's number of the kind of check.
std::string_view CheckThatFails(const MachineValue& kind) {
  switch (static_cast<int>(kind.integer.number().value_or(-1))) {
    case 10: return "a bool that is neither true nor false";
    case 18: return "an index outside of its array";
    case 20: return "a shift that is not defined";
    default: return "a trap";
  }
}

int64_t BytesOfCopy(const MachineValue& bytes, const std::string& place) {
  const auto number = Use(bytes, place).integer.number();
  if (!number) throw FunctionUnknown{StrCat("a copy of a number of bytes that is not known, at ", place)};
  if (*number < 0) throw FunctionFault{StrCat("a write of 2^63 bytes or more at ", place)};
  return static_cast<int64_t>(*number);
}

// Returns the threads of a warp that wait at __syncwarp() with the mask, which has a bit per thread of a warp.
BarrierGroup GroupOfMask(const MachineValue& mask) {
  const auto number = mask.IsInteger() ? mask.integer.number() : std::nullopt;
  if (!number) return {.tile = std::max(mask.width, 1), .mask = BarrierGroup::kUnknownThreads};
  const uint64_t bits = static_cast<uint64_t>(*number) & LowBits(mask.width);
  return {.tile = mask.width, .mask = bits == LowBits(mask.width) ? BarrierGroup::kAllThreads : bits};
}

// Returns the tiles of threads of a cooperative group of so many threads.
BarrierGroup GroupOfTile(const MachineValue& size) {
  const auto number = size.IsInteger() ? size.integer.number() : std::nullopt;
  if (!number || *number < 1) return {.tile = 1, .mask = BarrierGroup::kUnknownThreads};
  return {.tile = static_cast<int64_t>(*number)};
}

// Calls an intrinsic that has effects or whose operands may be poison. Returns false if it is another.
bool CallWithEffects(const llvm::CallBase& call, Operands operands, IrMemory& memory, const std::string& place,
                     std::optional<MachineValue>& result) {
  const llvm::Intrinsic::ID id = call.getCalledFunction()->getIntrinsicID();
  const auto copied = [&](unsigned k) -> IrMemory::CopiedPlace {
    return {Use(operands[k], place), static_cast<int64_t>(call.getParamAlign(k).valueOrOne().value())};
  };
  switch (id) {
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::stackrestore: return true;
    case llvm::Intrinsic::nvvm_membar_cta:
    case llvm::Intrinsic::nvvm_membar_gl:
    case llvm::Intrinsic::nvvm_membar_sys: return true;  // nobody waits at a fence
    case llvm::Intrinsic::nvvm_barrier0:
    case llvm::Intrinsic::amdgcn_s_barrier: memory.PassBarrier({}, place); return true;
    case llvm::Intrinsic::nvvm_bar_warp_sync: memory.PassBarrier(GroupOfMask(operands[0]), place); return true;
    case llvm::Intrinsic::assume:
      if (!UseAsCondition(operands[0], place)) throw FunctionFault{StrCat("an assumption is false at ", place)};
      return true;
    case llvm::Intrinsic::expect: result = operands[0]; return true;
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
      if (operands[1].kind == MachineValue::Kind::kPointer && operands[1].object >= 0) {
        if (id == llvm::Intrinsic::lifetime_start) {
          memory.object(operands[1]).Begin();
        } else {
          memory.object(operands[1]).End();
        }
      }
      return true;
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove:
      memory.Copy(copied(0), copied(1), BytesOfCopy(operands[2], place), place);
      return true;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
      memory.Fill(Use(operands[0], place), operands[1], BytesOfCopy(operands[2], place), place);
      return true;
    case llvm::Intrinsic::trap: throw FunctionFault{StrCat("a trap at ", place)};
    case llvm::Intrinsic::ubsantrap: throw FunctionFault{StrCat(CheckThatFails(operands[0]), " at ", place)};
    default: return false;
  }
}

// Calls memcpy, memmove or memset, as code for a GPU names them. Returns false if it is another function.
bool CopyByName(std::string_view name, Operands operands, IrMemory& memory, const std::string& place) {
  if (operands.size() != 3) return false;
  if (name == "memcpy" || name == "memmove") {
    memory.Copy({Use(operands[0], place)}, {Use(operands[1], place)}, BytesOfCopy(operands[2], place), place);
    return true;
  }
  if (name != "memset") return false;
  const MachineValue& number = operands[1];
  const MachineValue byte = number.IsInteger() ? MachineValue::Integer(Wrap(number.integer, kBitsPerByte), kBitsPerByte)
                                               : MachineValue::Unknown(number.text);
  memory.Fill(Use(operands[0], place), byte, BytesOfCopy(operands[2], place), place);
  return true;
}

// Calls a function of <cuda_pipeline.h>. Returns false if it is another function.
bool CallOfPipeline(std::string_view name, Operands operands, IrMemory& memory, const std::string& place) {
  if (name == "__pipeline_commit") return true;
  const auto number = [&](size_t k) { return operands[k].IsInteger() ? operands[k].integer.number() : std::nullopt; };
  if (name == "__pipeline_wait_prior") {
    // Which of several groups of copies have ended is not followed.
    if (number(0) == Int128{0}) memory.SetCopiesUnderWay(false);
    return true;
  }
  if (name != "__pipeline_memcpy_async") return false;
  if (number(3) != Int128{0}) throw FunctionUnknown{StrCat("a copy that fills up with zeros, at ", place)};
  const int64_t bytes = BytesOfCopy(operands[2], place);
  memory.Copy({Use(operands[0], place), bytes}, {Use(operands[1], place), bytes}, bytes, place);
  memory.SetCopiesUnderWay(true);
  return true;
}

std::optional<MachineValue> CallPure(llvm::Intrinsic::ID id, Operands operands, const std::string& place) {
  using llvm::Intrinsic::ID;
  switch (id) {
    case llvm::Intrinsic::smin: return MinMax(true, true, operands);
    case llvm::Intrinsic::smax: return MinMax(true, false, operands);
    case llvm::Intrinsic::umin: return MinMax(false, true, operands);
    case llvm::Intrinsic::umax: return MinMax(false, false, operands);
    case llvm::Intrinsic::abs: return Absolute(operands[0], !(operands[1].integer == 0), place);
    case llvm::Intrinsic::sadd_with_overflow: return WithOverflow(MachineOp::kAdd, true, operands, place);
    case llvm::Intrinsic::uadd_with_overflow: return WithOverflow(MachineOp::kAdd, false, operands, place);
    case llvm::Intrinsic::ssub_with_overflow: return WithOverflow(MachineOp::kSubtract, true, operands, place);
    case llvm::Intrinsic::usub_with_overflow: return WithOverflow(MachineOp::kSubtract, false, operands, place);
    case llvm::Intrinsic::smul_with_overflow: return WithOverflow(MachineOp::kMultiply, true, operands, place);
    case llvm::Intrinsic::umul_with_overflow: return WithOverflow(MachineOp::kMultiply, false, operands, place);
    case llvm::Intrinsic::sadd_sat: return Saturated(true, true, operands);
    case llvm::Intrinsic::uadd_sat: return Saturated(true, false, operands);
    case llvm::Intrinsic::ssub_sat: return Saturated(false, true, operands);
    case llvm::Intrinsic::usub_sat: return Saturated(false, false, operands);
    case llvm::Intrinsic::fshl: return FunnelShift(true, operands);
    case llvm::Intrinsic::fshr: return FunnelShift(false, operands);
    case llvm::Intrinsic::ctpop: return OfBits(operands[0], Population);
    case llvm::Intrinsic::bswap: return OfBits(operands[0], ReversedBytes);
    case llvm::Intrinsic::bitreverse: return OfBits(operands[0], ReversedBits);
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      if (!(operands[1].integer == 0) && operands[0].integer == 0) {
        return MachineValue::Poison(StrCat("the zeros of 0 are counted at ", place));
      }
      return OfBits(operands[0], id == llvm::Intrinsic::ctlz ? LeadingZeros : TrailingZeros);
    default: return std::nullopt;
  }
}

constexpr std::array<std::string_view, 3> kAbsolute{"abs", "labs", "llabs"};

constexpr std::string_view kPrint = "vprintf";  // what clang makes of printf for NVIDIA's GPUs

// Returns true if the call may write to memory that the run knows, or does not return. A function of floating-point
// numbers that has no pointer, such as sqrtf, does not.
bool MayHaveEffects(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.hasFnAttribute(kLeftOutAttribute)) return true;
  if (callee.doesNotAccessMemory() || std::string_view(callee.getName()) == kPrint) return false;
  if (callee.isIntrinsic()) return call.mayWriteToMemory() && !call.onlyAccessesInaccessibleMemory();
  if (std::ranges::find(kAbsolute, std::string_view(callee.getName())) != kAbsolute.end()) return false;
  const auto is_pointer = [](const llvm::Use& argument) { return argument->getType()->isPointerTy(); };
  return !callee.getReturnType()->isFloatingPointTy() || std::ranges::any_of(call.args(), is_pointer);
}

constexpr std::array<std::string_view, 6> kEnds{"abort",        "exit",        "__assert_fail",
                                                "__assert_rtn", "__cxa_throw", "_ZSt9terminatev"};

// Returns the result of a function that reads and writes nothing but its operands.
MachineValue CallOnValues(const llvm::CallBase& call, const llvm::Function& callee,
                          std::span<const MachineValue> operands, const IrMemory& memory, const std::string& place) {
  const std::string name = callee.getName().str();
  const std::string name_in_source = SourceName(callee);
  std::optional<MachineValue> result;
  std::vector<MachineValue> numbered;
  if (callee.isIntrinsic() && call.getType()->isIntegerTy()) operands = WithNumbers(operands, memory, numbered);
  // A value of another thread may be an element.
  const bool is_shuffle = name_in_source.contains("shfl");
  bool are_integers = true;
  for (const MachineValue& operand : operands) {
    if (operand.IsPoison()) return MachineValue::Whole(operand);
    if (operand.kind == MachineValue::Kind::kUnknown || operand.kind == MachineValue::Kind::kElement) {
      MachineValue made = MachineValue::Unknown(operand.text.starts_with(kFloatingPoint)
                                                    ? FloatingPointText(name, place)
                                                    : StrCat("what ", name, " makes of ", operand.text, " at ", place));
      made.is_computed = callee.getReturnType()->isFloatingPointTy() && !is_shuffle;
      return made;
    }
    are_integers = are_integers && operand.IsInteger();
  }
  if (are_integers && std::ranges::find(kAbsolute, name) != kAbsolute.end()) {
    result = Absolute(operands[0], true, place);
  } else if (are_integers && !operands.empty()) {
    result = CallPure(callee.getIntrinsicID(), operands, place);
  }
  // clang makes a selection of __builtin_ffs that leaves the zeros of 0 out.
  const bool is_chosen = callee.getIntrinsicID() == llvm::Intrinsic::cttz;
  if (result) return IsOfSource(call) && !is_chosen ? Use(*result, place) : *result;
  const bool has_pointer =
      std::ranges::any_of(operands, [](const auto& o) { return o.kind == MachineValue::Kind::kPointer; });
  if (callee.getReturnType()->isFloatingPointTy() && !has_pointer) {
    return MachineValue::Computed(FloatingPointText(name_in_source, place));
  }
  // A function of the prelude that has no body.
  if (!callee.isIntrinsic() && (callee.doesNotAccessMemory() || name == kPrint)) {
    return MachineValue::Unknown(StrCat("what ", name_in_source, " returns at ", place));
  }
  throw FunctionUnknown{StrCat("a call of ", name_in_source, ", which has no body here, at ", place)};
}

}  // namespace

std::optional<MachineValue> CallKnown(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                      IrMemory& memory, const std::string& place) {
  const llvm::Function* const callee = call.getCalledFunction();
  std::optional<MachineValue> result;
  if (callee == nullptr && CallAssembly(call, place, result)) return result;
  if (callee == nullptr) {
    const std::string_view what = call.isInlineAsm() ? "inline assembly" : "a call of a function";
    throw FunctionUnknown{StrCat(what, " that is not known, at ", place)};
  }
  const std::string_view name = callee->getName();
  if (std::ranges::find(kEnds, name) != kEnds.end()) {
    throw FunctionFault{
        StrCat(name.contains("assert") ? "an assertion fails" : StrCat(name, " is called"), " at ", place)};
  }
  result = ReadRegister(call, operands, memory, place);
  if (result) return result;
  if (CallWithEffects(call, operands, memory, place, result)) return result;
  const std::string name_in_source = SourceName(*callee);
  const bool is_of_tile = name_in_source == kTileBarrier;
  if ((is_of_tile || name_in_source == kWarpBarrier) && operands.size() == 1) {
    memory.PassBarrier(is_of_tile ? GroupOfTile(operands[0]) : GroupOfMask(operands[0]), place);
    return std::nullopt;
  }
  if (CopyByName(name, operands, memory, place)) return operands[0];
  if (CallOfPipeline(name_in_source, operands, memory, place)) return std::nullopt;
  if (MayHaveEffects(call, *callee)) {
    throw FunctionUnknown{StrCat("a call of ", name_in_source, ", which has no body here, at ", place)};
  }
  return CallOnValues(call, *callee, operands, memory, place);
}

}  // namespace layoutcheck
