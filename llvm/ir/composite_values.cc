// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/composite_values.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/bit_fields.h"

namespace layoutcheck {
namespace {

// Returns the parts of a vector. Nothing is known of a part that is never set: nobody has to use it.
std::vector<MachineValue> PartsOf(const MachineValue& value, const llvm::Type& type) {
  const auto& vector = llvm::cast<llvm::FixedVectorType>(type);
  if (!value.elements.empty()) return value.elements;
  std::vector<MachineValue> parts(vector.getNumElements(),
                                  value.IsPoison() ? MachineValue::Unknown(value.text) : value);
  const auto bits = static_cast<int>(vector.getElementType()->getPrimitiveSizeInBits().getFixedValue());
  for (size_t k = 0; k < parts.size() && !value.fields.empty(); ++k) {
    parts[k] = BitsOf(value, static_cast<int>(k) * bits, bits);
  }
  const bool is_of_memory =
      value.kind == MachineValue::Kind::kElement && bits % kBitsPerByte == 0 && bits * std::ssize(parts) == value.width;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (!is_of_memory) continue;
    parts[k].integer = value.integer + static_cast<int64_t>(k) * (bits / kBitsPerByte);
    parts[k].width = bits;
  }
  return parts;
}

MachineValue Vector(std::vector<MachineValue> parts, const std::string& place) {
  MachineValue vector = MachineValue::Unknown(StrCat("a vector at ", place));
  vector.elements = std::move(parts);
  return vector;
}

// Returns the number of the part that an operand names; nothing if the code does not say which.
std::optional<size_t> PartNumber(const MachineValue& index, size_t parts) {
  const auto number = index.IsInteger() ? index.integer.number() : std::nullopt;
  if (!number || *number < 0 || *number >= parts) return std::nullopt;
  return static_cast<size_t>(*number);
}

// Returns the value that an aggregate of this type has before anything is inserted.
MachineValue Uninitialized(const llvm::Type& type, const MachineValue& reason) {
  if (!type.isStructTy() && !type.isArrayTy()) return reason;
  MachineValue value{.kind = MachineValue::Kind::kAggregate};
  const uint64_t count = type.isStructTy() ? type.getStructNumElements() : type.getArrayNumElements();
  for (unsigned k = 0; k < count; ++k) {
    value.elements.push_back(
        Uninitialized(*(type.isStructTy() ? type.getStructElementType(k) : type.getArrayElementType()), reason));
  }
  return value;
}

}  // namespace

MachineValue ExecuteOnVector(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                             const std::string& place) {
  MachineValue unknown = MachineValue::Unknown(StrCat("a vector at ", place));
  const llvm::Type& type = *instruction.getOperand(0)->getType();
  if (!llvm::isa<llvm::FixedVectorType>(type)) return unknown;
  std::vector<MachineValue> parts = PartsOf(operands[0], type);
  if (const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    const std::vector<MachineValue> others = PartsOf(operands[1], type);
    parts.insert(parts.end(), others.begin(), others.end());
    std::vector<MachineValue> shuffled;
    for (const int number : shuffle->getShuffleMask()) {
      shuffled.push_back(number < 0 ? MachineValue::Unknown("a part of a vector that is never set")
                                    : parts[static_cast<size_t>(number)]);
    }
    return Vector(std::move(shuffled), place);
  }
  const bool extracts = llvm::isa<llvm::ExtractElementInst>(instruction);
  const auto part = PartNumber(operands[extracts ? 1 : 2], parts.size());
  if (!part) return unknown;
  if (extracts) return parts[*part];
  parts[*part] = operands[1];
  return Vector(std::move(parts), place);
}

MachineValue ExtractValue(const llvm::ExtractValueInst& extract, const MachineValue& aggregate) {
  const MachineValue* value = &aggregate;
  for (const unsigned index : extract.indices()) {
    if (value->kind != MachineValue::Kind::kAggregate) return *value;
    value = &value->elements[index];
  }
  return *value;
}

MachineValue InsertValue(const llvm::InsertValueInst& insert, std::span<const MachineValue> operands) {
  MachineValue result =
      operands[0].kind == MachineValue::Kind::kAggregate ? operands[0] : Uninitialized(*insert.getType(), operands[0]);
  MachineValue* place = &result;
  for (const unsigned index : insert.indices()) place = &place->elements[index];
  *place = operands[1];
  return result;
}

std::optional<ElementOffset> OffsetOf(const llvm::GetElementPtrInst& gep, const llvm::DataLayout& layout) {
  const unsigned width = layout.getIndexSizeInBits(gep.getAddressSpace());
  if (gep.getType()->isVectorTy() || width > 64) return std::nullopt;
  ElementOffset offset;
  uint64_t constant = 0;  // modulo 2^64
  for (auto part = llvm::gep_type_begin(gep); part != llvm::gep_type_end(gep); ++part) {
    offset.factors.push_back(0);
    if (llvm::StructType* const type = part.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(part.getOperand())->getZExtValue();
      constant += layout.getStructLayout(type)->getElementOffset(static_cast<unsigned>(field));
      continue;
    }
    const llvm::TypeSize stride = part.getSequentialElementStride(layout);
    if (stride.isScalable()) return std::nullopt;
    if (const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(part.getOperand())) {
      constant += index->getValue().sextOrTrunc(64).getZExtValue() * stride.getFixedValue();
    } else {
      offset.factors.back() = llvm::SignExtend64(stride.getFixedValue(), width);
    }
  }
  offset.constant = llvm::SignExtend64(constant, width);
  return offset;
}

}  // namespace layoutcheck
