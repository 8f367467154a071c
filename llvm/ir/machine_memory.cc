// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/machine_memory.h"
#include <algorithm>
#include <iterator>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/bit_fields.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr const char* kUnusedBits = "bytes in which an integer of another width was stored, and bits that it has not";

MachineValue Part(const MachineObject::Scalar& scalar, int64_t begin, int64_t bytes);

// Returns true for a value some of whose bits are bits of elements.
bool HasElements(const MachineValue& value) {
  return value.kind == MachineValue::Kind::kElement || !value.fields.empty() || !value.elements.empty();
}

// Returns `bytes` bytes, from byte `begin` on, of a scalar some of whose bits are bits of elements.
MachineValue PartOfElements(const MachineObject::Scalar& scalar, int64_t begin, int64_t bytes) {
  const MachineValue& value = scalar.value;
  if (value.elements.empty()) {
    return BitsOf(value, static_cast<int>(begin * kBitsPerByte), static_cast<int>(bytes * kBitsPerByte));
  }
  // Parts of a vector.
  const int64_t each = scalar.bytes / std::ssize(value.elements);
  if (each == 0 || begin / each != (begin + bytes - 1) / each) return MachineValue::Unknown(value.text);
  return Part({each, value.elements[static_cast<size_t>(begin / each)]}, begin % each, bytes);
}

// Returns `bytes` bytes of a scalar from byte `begin` on.
MachineValue Part(const MachineObject::Scalar& scalar, int64_t begin, int64_t bytes) {
  const MachineValue& value = scalar.value;
  if (begin == 0 && bytes == scalar.bytes && !value.HasBits()) return value;
  if (HasElements(value) && value.kind != MachineValue::Kind::kAggregate) return PartOfElements(scalar, begin, bytes);
  if (!value.HasBits()) return value;
  if (value.width % kBitsPerByte != 0) return MachineValue::Unknown(kUnusedBits);
  const SymbolicInteger rest = value.integer >> (begin * kBitsPerByte);
  const auto width = static_cast<int>(bytes * kBitsPerByte);
  const uint64_t unwritten = value.unwritten >> (begin * kBitsPerByte) & LowBits(width);
  return MachineValue::Partial(width >= value.width ? rest : Wrap(rest, width), width, unwritten, value.text);
}

}  // namespace

void MachineObject::Clear(int64_t offset, int64_t bytes) {
  auto scalar = scalars_.upper_bound(offset);
  if (scalar != scalars_.begin()) --scalar;
  while (scalar != scalars_.end() && scalar->first < offset + bytes) {
    const int64_t begin = scalar->first;
    const int64_t end = begin + scalar->second.bytes;
    if (end <= offset) {
      ++scalar;
      continue;
    }
    const Scalar cut = std::move(scalar->second);
    scalar = scalars_.erase(scalar);
    for (int64_t at = begin; at < end; ++at) {
      if (at < offset || at >= offset + bytes) scalars_[at] = {1, Part(cut, at - begin, 1)};
    }
  }
}

void MachineObject::Store(int64_t offset, int64_t bytes, MachineValue value) {
  if (is_forgotten_) return;
  const auto known = scalars_.find(offset);
  if (known != scalars_.end() && known->second.bytes == bytes) {
    known->second.value = std::move(value);
    return;
  }
  Clear(offset, bytes);
  scalars_[offset] = {bytes, std::move(value)};
}

const MachineValue* MachineObject::Find(int64_t offset, int64_t bytes) const {
  const auto scalar = scalars_.find(offset);
  return scalar == scalars_.end() || scalar->second.bytes != bytes ? nullptr : &scalar->second.value;
}

MachineValue MachineObject::Unwritten() const {
  if (is_callers_) return MachineValue::Unknown(StrCat("what ", name_, " points to"));
  if (!unknown_.empty()) return MachineValue::Unknown(unknown_);
  return MachineValue::Poison(StrCat(name_, kNotWritten));
}

MachineValue MachineObject::LoadInteger(int64_t offset, int width) const {
  const int64_t bytes = (width + kBitsPerByte - 1) / kBitsPerByte;
  SymbolicInteger sum = 0;
  uint64_t unwritten = 0;
  for (int64_t at = offset; at < offset + bytes;) {
    const auto scalar = ScalarAt(at);
    if (scalar == scalars_.end()) {
      const MachineValue none = Unwritten();
      if (none.kind != MachineValue::Kind::kPoison) return none;
      unwritten |= LowBits(kBitsPerByte) << ((at - offset) * kBitsPerByte);
      ++at;
      continue;
    }
    const int64_t end = scalar->first + scalar->second.bytes;
    const MachineValue& value = scalar->second.value;
    if (HasElements(value)) return LoadBits(offset, bytes);
    if (value.kind == MachineValue::Kind::kPoison || value.kind == MachineValue::Kind::kUnknown) return value;
    if (!value.HasBits()) return MachineValue::Unknown("a pointer or an element that is read as an integer");
    const int64_t taken = std::min(end, offset + bytes) - at;
    if (taken == bytes && scalar->first == at) {
      if (value.width == width) return value;
      if (value.exact) return MachineValue::Unknown("a part of a number that may wrap");
      if (value.IsInteger() && value.width % kBitsPerByte == 0)
        return MachineValue::Integer(Wrap(value.integer, width), width);
    }
    if (value.exact) return MachineValue::Unknown("a part of a number that may wrap");
    const MachineValue part = Part(scalar->second, at - scalar->first, taken);
    if (!part.HasBits()) return part;
    const auto place = static_cast<int>((at - offset) * kBitsPerByte);
    sum += Unsigned(part.integer, part.width) * PowerOfTwo(place);
    unwritten |= part.unwritten << place;
    at += taken;
  }
  return MachineValue::Partial(Wrap(sum, width), width, unwritten & LowBits(width), StrCat(name_, kNotWritten));
}

std::map<int64_t, MachineObject::Scalar>::const_iterator MachineObject::ScalarAt(int64_t offset) const {
  auto scalar = scalars_.upper_bound(offset);
  if (scalar == scalars_.begin()) return scalars_.end();
  --scalar;
  return scalar->first + scalar->second.bytes <= offset ? scalars_.end() : scalar;
}

MachineValue MachineObject::LoadPointer(int64_t offset, int64_t bytes) const {
  const auto scalar = scalars_.find(offset);
  if (!HasBytes(offset, bytes)) return Unwritten();
  if (scalar == scalars_.end() || scalar->second.bytes != bytes || scalar->second.value.IsInteger()) {
    return MachineValue::Unknown("a number that is read as a pointer");
  }
  return scalar->second.value;
}

MachineValue MachineObject::LoadOther(int64_t offset, int64_t bytes) const {
  if (!HasBytes(offset, bytes)) return Unwritten();
  const auto scalar = scalars_.find(offset);
  const bool is_one = scalar != scalars_.end() && scalar->second.bytes == bytes && !scalar->second.value.IsInteger();
  if (is_one) return scalar->second.value;
  MachineValue value = LoadBits(offset, bytes);
  return value.HasBits() ? MachineValue::Unknown(StrCat("the bytes of ", name_)) : value;
}

MachineValue MachineObject::LoadBits(int64_t offset, int64_t bytes) const {
  MachineValue unknown = MachineValue::Unknown(StrCat("the bytes of ", name_));
  std::vector<BitField> fields;
  for (int64_t at = offset; at < offset + bytes;) {
    const auto scalar = ScalarAt(at);
    if (scalar == scalars_.end()) return unknown;
    const int64_t end = std::min(offset + bytes, scalar->first + scalar->second.bytes);
    MachineValue part = Part(scalar->second, at - scalar->first, end - at);
    if (end - at == bytes) return part;
    const bool has_bits = part.kind == MachineValue::Kind::kElement || !part.fields.empty() || part.IsInteger();
    if (!has_bits && !part.is_computed) return part.kind == MachineValue::Kind::kUnknown ? part : unknown;
    const auto more = FieldsOf(part, static_cast<int>((end - at) * kBitsPerByte));
    fields.insert(fields.end(), more.begin(), more.end());
    at = end;
  }
  return FromFields(fields, unknown.text);
}

MachineValue MachineObject::Written(int64_t offset, int width, std::string_view name) const {
  if (is_forgotten_) return MachineValue::Unknown(StrCat("what ", name_, " points to"));
  if (!unknown_.empty()) return MachineValue::Unknown(unknown_);
  for (int64_t at = offset; at < offset + width / kBitsPerByte; ++at) {
    if (!HasBytes(at, 1)) return MachineValue::Poison(StrCat(name, " of ", name_, " is not written"));
  }
  return MachineValue::Whole(LoadInteger(offset, width));
}

bool MachineObject::HasBytes(int64_t offset, int64_t bytes) const {
  const auto after = scalars_.lower_bound(offset + bytes);
  return after != scalars_.begin() && std::prev(after)->first + std::prev(after)->second.bytes > offset;
}

void MachineObject::Copy(const MachineObject& from, int64_t from_offset, int64_t to_offset, int64_t bytes) {
  const auto is_cut = [&](int64_t at) {
    const auto scalar = from.scalars_.lower_bound(at);
    return scalar != from.scalars_.begin() && std::prev(scalar)->first + std::prev(scalar)->second.bytes > at;
  };
  if (is_cut(from_offset) || is_cut(from_offset + bytes)) throw FunctionUnknown{"a part of a number is copied"};
  const std::map<int64_t, Scalar> copied(from.scalars_.lower_bound(from_offset),
                                         from.scalars_.lower_bound(from_offset + bytes));
  if (is_forgotten_) return;
  Clear(to_offset, bytes);
  if ((from.is_callers_ || !from.unknown_.empty()) && bytes > 0) scalars_[to_offset] = {bytes, from.Unwritten()};
  for (const auto& [offset, scalar] : copied) {
    Clear(offset - from_offset + to_offset, scalar.bytes);
    scalars_[offset - from_offset + to_offset] = scalar;
  }
}

}  // namespace layoutcheck
