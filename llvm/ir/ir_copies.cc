// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of IrMemory that copies and fills bytes: structs that are assigned, memcpy and memset.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostCopiedBytes = 4096;

// Returns the bytes of one access of a copy: as many as the alignment and the size of the copy allow, so that each
// access is aligned to its size. Throws FunctionUnknown if that takes many accesses.
int64_t BytesOfAccess(int64_t alignment, int64_t bytes, std::string_view place) {
  constexpr int64_t kMostBytes = 16;
  constexpr int64_t kMostAccesses = 32;
  const int64_t either = alignment | bytes;
  const int64_t each = std::min(kMostBytes, either & -either);
  if (bytes / each <= kMostAccesses) return each;
  throw FunctionUnknown{StrCat("a copy of ", bytes, " bytes, ", each, " at a time, at ", place)};
}

// Returns bytes of a copy. Those that were never written, such as padding, may be anything.
MachineValue BytesOf(const MachineObject& copied, int64_t at, int64_t bytes, std::string_view place) {
  constexpr int64_t kMostInteger = 8;
  MachineValue value = bytes <= kMostInteger ? copied.LoadInteger(at, static_cast<int>(bytes) * kBitsPerByte)
                                             : copied.LoadOther(at, bytes);
  if (!value.IsPoison()) return value;
  return MachineValue::Unknown(StrCat("bytes that were never written, at ", place));
}

}  // namespace

MachineObject IrMemory::BytesAt(const CopiedPlace& from, int64_t bytes, std::string_view place) {
  MachineObject copied("a copy", bytes, /*is_callers=*/false);
  const MachineValue& pointer = from.pointer;
  const bool is_array = CheckArray(pointer, bytes, from.alignment, place, "a read") != nullptr;
  if (is_array || CheckShared(pointer, bytes, from.alignment, place, "a read")) {
    const int64_t each = BytesOfAccess(from.alignment, bytes, place);
    for (int64_t at = 0; at < bytes; at += each) {
      MachineValue part = pointer;
      part.integer = part.integer + at;
      copied.Store(at, each, is_array ? LoadArray(part, each, place) : LoadShared(part, each, place));
    }
    return copied;
  }
  const int64_t offset = NumberOf(pointer, bytes, place, "a read");
  const Object& source = objects_[static_cast<size_t>(pointer.object)];
  if (source.contents.has_ended()) {
    throw FunctionUnknown{StrCat(source.contents.name(), " is copied after it has ended at ", place)};
  }
  if (source.global == nullptr) {
    copied.Copy(source.contents, offset, 0, bytes);
    return copied;
  }
  if (!source.global->isConstant() || !source.global->hasInitializer() || source.global->isInterposable()) {
    throw FunctionUnknown{StrCat("the variable ", source.contents.name(), ", which may change, at ", place)};
  }
  CheckScalars(*source.global->getValueType(), place);
  MachineObject whole(source.contents.name(), source.contents.size(), /*is_callers=*/false);
  StoreConstant(whole, 0, *source.global->getInitializer());
  copied.Copy(whole, offset, 0, bytes);
  return copied;
}

void IrMemory::Copy(const CopiedPlace& to, const CopiedPlace& from, int64_t bytes, std::string_view place) {
  if (bytes == 0) return;
  if (bytes > kMostCopiedBytes) throw FunctionUnknown{StrCat("a copy of ", bytes, " bytes at ", place)};
  const MachineObject copied = BytesAt(from, bytes, place);
  const bool is_recorded = CheckArray(to.pointer, bytes, to.alignment, place, "a write") != nullptr ||
                           CheckShared(to.pointer, bytes, to.alignment, place, "a write");
  if (is_recorded) {
    const int64_t each = BytesOfAccess(to.alignment, bytes, place);
    for (int64_t at = 0; at < bytes; at += each) {
      MachineValue part = to.pointer;
      part.integer = part.integer + at;
      RecordStore(part, each, BytesOf(copied, at, each, place), place);
    }
    return;
  }
  const int64_t offset = NumberOf(to.pointer, bytes, place, "a write");
  Object& target = objects_[static_cast<size_t>(to.pointer.object)];
  CheckWritable(target, place);
  // Nothing that is read of a variable that may change is known.
  if (target.global == nullptr) target.contents.Copy(copied, 0, offset, bytes);
}

void IrMemory::Fill(const MachineValue& to, const MachineValue& byte, int64_t bytes, std::string_view place) {
  if (bytes == 0) return;
  if (bytes > kMostCopiedBytes) throw FunctionUnknown{StrCat("a fill of ", bytes, " bytes at ", place)};
  const int64_t offset = NumberOf(to, bytes, place, "a write");
  if (const Object& filled = objects_[static_cast<size_t>(to.object)]; filled.is_array || filled.is_shared) {
    throw FunctionUnknown{StrCat("a fill of an array at ", place)};
  }
  CheckWritable(objects_[static_cast<size_t>(to.object)], place);
  MachineObject& contents = object(to);
  for (int64_t k = 0; k < bytes; ++k) contents.Store(offset + k, 1, byte);
}

}  // namespace layoutcheck
