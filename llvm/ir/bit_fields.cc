// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/bit_fields.h"
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <algorithm>
#include <bit>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

using Kind = BitField::Kind;
using Fields = std::vector<BitField>;

constexpr int kMostWidth = 64;

BitField Number(uint64_t bits, int width) { return {.kind = Kind::kNumber, .width = width, .number = bits}; }
BitField Unknown(int width) { return {.kind = Kind::kUnknown, .width = width}; }

// Returns a - b, if that is a number.
std::optional<Int128> DifferenceOf(const SymbolicInteger& a, const SymbolicInteger& b) {
  const SymbolicInteger difference = a - b;
  const auto number = difference.number();
  return number || !FunctionRun::IsOnNames() ? number : FunctionRun::Simplify(difference).number();
}

// Returns true if `next` is the bits of an array behind those of `field`.
bool IsNext(const BitField& field, const BitField& next) {
  if (field.object != next.object) return false;
  const auto bytes = DifferenceOf(next.byte, field.byte);
  const auto bits = DifferenceOf(next.bit, field.bit);
  return bytes && bits && *bytes * kBitsPerByte + *bits == field.width;
}

// Adds a field above the others, as a part of the last one if it goes on there.
void Add(Fields& fields, const BitField& field) {
  if (field.width == 0) return;
  const bool is_alike = !fields.empty() && fields.back().kind == field.kind;
  const bool is_one = is_alike && (field.kind == Kind::kElement  ? IsNext(fields.back(), field)
                                   : field.kind == Kind::kNumber ? fields.back().width + field.width <= kMostWidth
                                                                 : true);
  if (!is_one) return fields.push_back(field);
  if (field.kind == Kind::kNumber) fields.back().number |= field.number << fields.back().width;
  fields.back().width += field.width;
}

// Returns `bits` bits of the fields from bit `begin` on, which they have.
Fields Slice(const Fields& fields, int begin, int bits) {
  Fields slice;
  int at = 0;
  for (const BitField& field : fields) {
    const int first = std::max(begin, at);
    const int end = std::min(begin + bits, at + field.width);
    if (first < end) {
      BitField part = field;
      part.width = end - first;
      if (field.kind == Kind::kElement) part.bit = part.bit + (first - at);
      if (field.kind == Kind::kNumber) part.number = field.number >> (first - at) & LowBits(part.width);
      Add(slice, part);
    }
    at += field.width;
  }
  return slice;
}

void Append(Fields& fields, const Fields& more) {
  for (const BitField& field : more) Add(fields, field);
}

bool HasElement(const Fields& fields) {
  return std::ranges::any_of(fields, [](const BitField& field) { return field.kind == Kind::kElement; });
}

// Calls visit(bits of a, bits of b) for parts of two integers of one width in which each has one field.
template <class Visit>
void ForEachPart(const Fields& a, const Fields& b, Visit visit) {
  size_t in_a = 0;
  size_t in_b = 0;
  int begin_a = 0;
  int begin_b = 0;
  for (int at = 0; in_a < a.size() && in_b < b.size();) {
    const int end_a = begin_a + a[in_a].width;
    const int end_b = begin_b + b[in_b].width;
    const int end = std::min(end_a, end_b);
    visit(Slice(a, at, end - at)[0], Slice(b, at, end - at)[0]);
    at = end;
    if (end == end_a) begin_a = a[in_a++].width + begin_a;
    if (end == end_b) begin_b = b[in_b++].width + begin_b;
  }
}

bool IsZero(const BitField& field) { return field.kind == Kind::kNumber && field.number == 0; }
bool IsOnes(const BitField& field) { return field.kind == Kind::kNumber && field.number == LowBits(field.width); }

// Returns the bits of a conjunction with a number, which keeps some bits and clears others.
Fields Masked(const Fields& fields, uint64_t mask, int width) {
  Fields result;
  for (int begin = 0; begin < width;) {
    const uint64_t rest = mask >> begin;
    const bool keeps = (rest & 1) != 0;
    const int bits = std::min(keeps       ? std::countr_one(rest)
                              : rest == 0 ? width
                                          : std::countr_zero(rest),
                              width - begin);
    if (keeps) {
      Append(result, Slice(fields, begin, bits));
    } else {
      Add(result, Number(0, bits));
    }
    begin += bits;
  }
  return result;
}

// Returns a | b, a ^ b or a + b. A sum is known only where no two bits meet.
Fields United(const Fields& a, const Fields& b, unsigned opcode) {
  Fields result;
  bool is_carried = false;
  ForEachPart(a, b, [&](const BitField& x, const BitField& y) {
    if (IsZero(x) || IsZero(y)) {
      Add(result, is_carried ? Unknown(x.width) : IsZero(x) ? y : x);
      return;
    }
    is_carried = is_carried || opcode == llvm::Instruction::Add;
    const bool are_numbers = x.kind == Kind::kNumber && y.kind == Kind::kNumber && !is_carried;
    const bool is_one = opcode == llvm::Instruction::Or && (IsOnes(x) || IsOnes(y));
    if (are_numbers || is_one) {
      const uint64_t bits = opcode == llvm::Instruction::Or ? x.number | y.number : x.number ^ y.number;
      Add(result, Number(is_one ? LowBits(x.width) : bits, x.width));
    } else {
      Add(result, Unknown(x.width));
    }
  });
  return result;
}

Fields Shifted(const Fields& fields, unsigned opcode, int amount, int width) {
  Fields result;
  if (opcode == llvm::Instruction::Shl) {
    Add(result, Number(0, amount));
    Append(result, Slice(fields, 0, width - amount));
    return result;
  }
  Append(result, Slice(fields, amount, width - amount));
  Add(result, opcode == llvm::Instruction::LShr ? Number(0, amount) : Unknown(amount));
  return result;
}

// Returns the low bits of the lowest field, which is of an array, after a shift to the right by an amount that is no
// number. Bits that come from above the field are not known.
std::optional<Fields> ShiftedByName(const Fields& fields, const SymbolicInteger& amount, int width) {
  if (fields.empty() || fields[0].kind != Kind::kElement || !FunctionRun::IsOnNames()) return std::nullopt;
  // A power of two that is at most the number of bits that are left.
  int bits = fields[0].width / 2;
  while (bits > 0 && !FunctionRun::CanShowAtMost(amount, fields[0].width - bits)) bits /= 2;
  if (bits == 0 || !FunctionRun::CanShowAtMost(0, amount)) return std::nullopt;
  BitField low = fields[0];
  low.width = bits;
  low.bit = low.bit + amount;
  Fields result{low};
  Add(result, Unknown(width - bits));
  return result;
}

std::optional<Fields> ShiftedBy(const llvm::Instruction& shift, const Fields& fields, const MachineValue& amount,
                                int width) {
  if (!amount.IsInteger()) return std::nullopt;
  const auto number = amount.integer.number();
  if (number && (*number < 0 || *number >= width)) return std::nullopt;
  if (number) return Shifted(fields, shift.getOpcode(), static_cast<int>(*number), width);
  if (shift.getOpcode() == llvm::Instruction::Shl) return std::nullopt;
  return ShiftedByName(fields, amount.integer, width);
}

// Returns the fields of the result of a cast between integers.
std::optional<Fields> Extended(const llvm::Instruction& cast, const Fields& fields, int from, int width) {
  if (width <= from) return Slice(fields, 0, width);
  Fields result = fields;
  Add(result, cast.getOpcode() == llvm::Instruction::ZExt ? Number(0, width - from) : Unknown(width - from));
  return result;
}

// Returns true if the claims of the instruction, such as nsw, hold whatever the elements are.
bool ClaimsHold(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                std::span<const Fields> fields, int width) {
  if (!instruction.hasPoisonGeneratingFlags()) return true;
  const auto are_zero = [](const Fields& some) { return std::ranges::all_of(some, IsZero); };
  switch (instruction.getOpcode()) {
    // Where no two bits meet, a sum neither wraps nor changes its sign.
    case llvm::Instruction::Add:
    case llvm::Instruction::Or: {
      bool do_meet = false;
      ForEachPart(fields[0], fields[1],
                  [&](const BitField& x, const BitField& y) { do_meet = do_meet || (!IsZero(x) && !IsZero(y)); });
      return !do_meet;
    }
    case llvm::Instruction::ZExt: {
      const auto from = static_cast<int>(instruction.getOperand(0)->getType()->getIntegerBitWidth());
      return are_zero(Slice(fields[0], from - 1, 1));
    }
    // The bits that leave the integer, and its sign.
    case llvm::Instruction::Shl: {
      const auto amount = operands[1].integer.number();
      return amount && are_zero(Slice(fields[0], width - 1 - static_cast<int>(*amount), static_cast<int>(*amount) + 1));
    }
    case llvm::Instruction::Mul: {
      const Fields& other = fields[HasElement(fields[0]) ? 1 : 0];
      const int amount = std::countr_zero(other[0].number);
      return are_zero(Slice(fields[HasElement(fields[0]) ? 0 : 1], width - 1 - amount, amount + 1));
    }
    default: return false;
  }
}

std::optional<Fields> MovedFields(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                  std::span<const Fields> fields, int width) {
  const bool is_second = !HasElement(fields[0]);
  const Fields& of_elements = fields[is_second ? 1 : 0];
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return Extended(instruction, fields[0],
                      static_cast<int>(instruction.getOperand(0)->getType()->getIntegerBitWidth()), width);
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return is_second ? std::nullopt : ShiftedBy(instruction, fields[0], operands[1], width);
    case llvm::Instruction::And: {
      const MachineValue& mask = operands[is_second ? 0 : 1];
      const auto number = mask.IsInteger() ? mask.integer.number() : std::nullopt;
      if (!number) return std::nullopt;
      return Masked(of_elements, static_cast<uint64_t>(static_cast<int64_t>(*number)), width);
    }
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::Add: return United(fields[0], fields[1], instruction.getOpcode());
    case llvm::Instruction::Mul: {
      const MachineValue& factor = operands[is_second ? 0 : 1];
      const auto number = factor.IsInteger() ? factor.integer.number() : std::nullopt;
      if (!number || *number <= 0 || !std::has_single_bit(static_cast<uint64_t>(*number))) return std::nullopt;
      const int amount = std::countr_zero(static_cast<uint64_t>(*number));
      return Shifted(of_elements, llvm::Instruction::Shl, amount, width);
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::vector<BitField> FieldsOf(const MachineValue& value, int width) {
  if (!value.fields.empty()) {
    Fields fields = Slice(value.fields, 0, width);
    int known = 0;
    for (const BitField& field : fields) known += field.width;
    Add(fields, Unknown(width - known));
    return fields;
  }
  if (value.kind == MachineValue::Kind::kElement && value.width >= width) {
    return {{.kind = Kind::kElement, .width = width, .object = value.object, .byte = value.integer}};
  }
  const auto number = value.HasBits() && width <= kMostWidth ? value.integer.number() : std::nullopt;
  if (!number) return {Unknown(width)};
  Fields fields;
  const auto bits = static_cast<uint64_t>(static_cast<int64_t>(*number));
  for (int k = 0; k < width; ++k) {
    const bool is_known = k < value.width && (value.unwritten >> k & 1) == 0;
    Add(fields, is_known ? Number(bits >> k & 1, 1) : Unknown(1));
  }
  return fields;
}

MachineValue FromFields(std::span<const BitField> fields, std::string why) {
  Fields joined;
  int width = 0;
  for (const BitField& field : fields) {
    Add(joined, field);
    width += field.width;
  }
  MachineValue value = MachineValue::Computed(std::move(why));
  const auto element = std::ranges::find(joined, Kind::kElement, &BitField::kind);
  if (element != joined.end()) value.object = element->object;
  if (joined.size() == 1 && joined[0].kind == Kind::kElement) {
    const auto bit = joined[0].bit.number();
    if (bit && *bit % kBitsPerByte == 0 && width % kBitsPerByte == 0) {
      value.kind = MachineValue::Kind::kElement;
      value.width = width;
      value.integer = joined[0].byte + static_cast<int64_t>(*bit / kBitsPerByte);
      return value;
    }
  }
  if (joined.size() == 1 && joined[0].kind == Kind::kNumber && width <= kMostWidth) {
    return MachineValue::Integer(Wrap(SymbolicInteger::FromUnsigned(joined[0].number), width), width);
  }
  if (element != joined.end()) value.fields = std::move(joined);
  return value;
}

MachineValue BitsOf(const MachineValue& value, int begin, int bits) {
  return FromFields(Slice(FieldsOf(value, begin + bits), begin, bits), value.text);
}

std::optional<MachineValue> MoveBits(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                     const std::string& place) {
  if (operands.empty() || operands.size() > 2 || !instruction.getType()->isIntegerTy()) return std::nullopt;
  const auto width = static_cast<int>(instruction.getType()->getIntegerBitWidth());
  const auto may_have_element = [](const MachineValue& value) {
    return value.kind == MachineValue::Kind::kElement || !value.fields.empty();
  };
  if (width > kMostWidth || std::ranges::none_of(operands, may_have_element)) return std::nullopt;
  std::vector<Fields> fields;
  bool has_element = false;
  std::string text;
  for (size_t k = 0; k < operands.size(); ++k) {
    const llvm::Type& type = *instruction.getOperand(static_cast<unsigned>(k))->getType();
    if (operands[k].kind == MachineValue::Kind::kPoison || !type.isIntegerTy() ||
        type.getIntegerBitWidth() > kMostWidth)
      return std::nullopt;
    fields.push_back(FieldsOf(operands[k], static_cast<int>(type.getIntegerBitWidth())));
    if (has_element || !HasElement(fields.back())) continue;
    has_element = true;
    const bool is_loaded = operands[k].kind == MachineValue::Kind::kElement && !operands[k].is_computed;
    text = is_loaded ? StrCat("what is computed of ", operands[k].text, " at ", place) : operands[k].text;
  }
  if (!has_element) return std::nullopt;
  const auto moved = MovedFields(instruction, operands, fields, width);
  if (!moved || (!HasElement(*moved) && moved->size() > 1)) return std::nullopt;
  if (!ClaimsHold(instruction, operands, fields, width)) return std::nullopt;
  return FromFields(*moved, std::move(text));
}

}  // namespace layoutcheck
