// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of one run: local variables, constants, and the arrays that pointer arguments point to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {

// The end of the message about a value that is read before it is written.
inline constexpr std::string_view kNotWritten = " is read before it is written";

// The scalars of an object, by their offsets in bytes. They do not overlap. Bytes are in the order of little-endian
// machines.
class MachineObject {
 public:
  struct Scalar {
    int64_t bytes = 0;
    MachineValue value;
  };

  // An object of unknown size has no bounds. The bytes of an object that belongs to the caller have values that are not
  // known until they are stored.
  MachineObject(std::string name, std::optional<int64_t> size, bool is_callers)
      : name_(std::move(name)), size_(size), is_callers_(is_callers) {}

  const std::string& name() const { return name_; }
  std::optional<int64_t> size() const { return size_; }
  // Forgets all values, as after a store to a place that is not known. Requires an object of the caller.
  void Forget() {
    scalars_.clear();
    is_forgotten_ = true;
  }
  bool is_forgotten() const { return is_forgotten_; }
  bool is_callers() const { return is_callers_; }
  // Removes all values. Bytes that are read before they are stored again are unknown, for the reason `why`.
  void MakeUnknown(std::string why) {
    scalars_.clear();
    unknown_ = std::move(why);
  }
  std::map<int64_t, Scalar>& scalars() { return scalars_; }
  const std::map<int64_t, Scalar>& scalars() const { return scalars_; }
  // Returns the scalar of this many bytes at the offset, or null.
  const MachineValue* Find(int64_t offset, int64_t bytes) const;
  // Begin and end the life of a local variable. Its bytes are not written when it begins, and may be neither read nor
  // written when it has ended.
  void Begin() {
    scalars_.clear();
    has_ended_ = false;
  }
  void End() { has_ended_ = true; }
  bool has_ended() const { return has_ended_; }

  // The operations below require that the object has the bytes.

  // Stores a scalar of this many bytes.
  void Store(int64_t offset, int64_t bytes, MachineValue value);
  // Returns the integer of `width` bits that the stored bytes form: kPartial if some of the bits were never stored,
  // kUnknown if one of the bytes is unknown.
  MachineValue LoadInteger(int64_t offset, int width) const;
  // Returns the pointer of `bytes` bytes that was stored there: poison if none was, kUnknown if it is unknown.
  MachineValue LoadPointer(int64_t offset, int64_t bytes) const;
  // Returns the scalar of another type that was stored there.
  MachineValue LoadOther(int64_t offset, int64_t bytes) const;
  // Returns the integer in memory of the caller, or poison if one of its bytes was never stored. `name` is that of the
  // integer, for messages.
  MachineValue Written(int64_t offset, int width, std::string_view name) const;
  // Copies the scalars that lie in the bytes. Throws FunctionUnknown if the ends of the bytes cut a
  // scalar.
  void Copy(const MachineObject& from, int64_t from_offset, int64_t to_offset, int64_t bytes);

 private:
  // Cuts scalars that lie partly in the bytes into single bytes, and removes those that lie in them.
  void Clear(int64_t offset, int64_t bytes);
  // Returns the value that the scalars in the bytes form, some of which have bits of elements. It is unknown if one of
  // the bytes was never stored.
  MachineValue LoadBits(int64_t offset, int64_t bytes) const;
  // Returns the scalar that has the byte, or the end.
  std::map<int64_t, Scalar>::const_iterator ScalarAt(int64_t offset) const;
  // Returns true if one of the bytes was stored.
  bool HasBytes(int64_t offset, int64_t bytes) const;
  // Returns the value of bytes that were never stored.
  MachineValue Unwritten() const;

  std::string name_;
  std::optional<int64_t> size_;
  bool is_callers_;
  bool is_forgotten_ = false;
  std::string unknown_;  // set by MakeUnknown()
  bool has_ended_ = false;
  std::map<int64_t, Scalar> scalars_;
};

}  // namespace layoutcheck
