// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/unwritten_bits.h"
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instruction.h>
#include <algorithm>
#include <cstdint>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the bits that were never written, with those above the width that an extension by the sign would have.
uint64_t ExtendedBySign(const MachineValue& value) {
  const bool has_sign = (value.unwritten >> (value.width - 1) & 1) == 0;
  return has_sign ? value.unwritten : value.unwritten | ~LowBits(value.width);
}

// Returns the shift of the value by a number, or nothing if it makes a claim or shifts all bits out.
std::optional<MachineValue> Shifted(const llvm::Instruction& shift, const MachineValue& value,
                                    const MachineValue& amount, const std::string& place) {
  const auto number = amount.IsInteger() ? amount.integer.number() : std::nullopt;
  if (!number || *number < 0 || *number >= value.width || shift.hasPoisonGeneratingFlags()) return std::nullopt;
  const auto bits = static_cast<int>(*number);
  const auto result = [&](MachineOp op, uint64_t unwritten) {
    const MachineValue known = Apply(op, MachineValue::Integer(value.integer, value.width), amount, {}, place);
    return MachineValue::Partial(known.integer, value.width, unwritten & LowBits(value.width), value.text);
  };
  switch (shift.getOpcode()) {
    case llvm::Instruction::Shl: return result(MachineOp::kShiftLeft, value.unwritten << bits);
    case llvm::Instruction::LShr: return result(MachineOp::kLogicalShiftRight, value.unwritten >> bits);
    default: break;
  }
  const auto extended = static_cast<int64_t>(ExtendedBySign(value));
  return result(MachineOp::kArithmeticShiftRight, static_cast<uint64_t>(extended >> bits));
}

}  // namespace

std::optional<MachineValue> WithUnwrittenBits(const llvm::Instruction& instruction,
                                              std::span<const MachineValue> operands, const std::string& place) {
  if (operands.empty() || operands.size() > 2 || !instruction.getType()->isIntegerTy()) return std::nullopt;
  if (!std::ranges::all_of(operands, &MachineValue::HasBits)) return std::nullopt;
  const bool is_first = operands[0].kind == MachineValue::Kind::kPartial;
  const MachineValue& value = is_first ? operands[0] : operands.back();
  const MachineValue& other = is_first ? operands.back() : operands[0];
  const auto width = static_cast<int>(instruction.getType()->getIntegerBitWidth());
  if (value.kind != MachineValue::Kind::kPartial || width > 64) return std::nullopt;
  // Bits that were never written are 0 in the integer.
  const auto result = [&](const SymbolicInteger& bits, uint64_t unwritten) {
    return MachineValue::Partial(bits, width, unwritten & LowBits(width), value.text);
  };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::And: {
      const auto mask = other.IsInteger() ? other.integer.number() : std::nullopt;
      if (!mask) return MachineValue::Unknown(StrCat("bits of which some may not be written, at ", place));
      return result(value.integer & other.integer, value.unwritten & static_cast<uint64_t>(*mask));
    }
    case llvm::Instruction::Or: {
      if (instruction.hasPoisonGeneratingFlags() && !((value.integer & other.integer) == 0)) {
        return MachineValue::Poison(StrCat("operands of | have a bit in common at ", place));
      }
      const uint64_t unwritten = value.unwritten | other.unwritten;
      const bool has_sign = (unwritten >> (width - 1) & 1) == 0;
      const auto written = static_cast<int64_t>(has_sign ? ~unwritten : ~unwritten & LowBits(width));
      return result((value.integer & written) | (other.integer & written), unwritten);
    }
    case llvm::Instruction::Trunc:
      if (instruction.hasPoisonGeneratingFlags()) return std::nullopt;
      return result(Wrap(value.integer, width), value.unwritten);
    case llvm::Instruction::ZExt:
      if (instruction.hasPoisonGeneratingFlags()) return std::nullopt;
      return result(Unsigned(value.integer, value.width), value.unwritten);
    case llvm::Instruction::SExt: return result(value.integer, ExtendedBySign(value));
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: return is_first ? Shifted(instruction, value, other, place) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace layoutcheck
