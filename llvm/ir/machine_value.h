// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of LLVM IR on one path of a run, and arithmetic on its integers modulo 2^width.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

inline constexpr int kBitsPerByte = 8;

// Consecutive bits of an integer.
struct BitField {
  enum class Kind : uint8_t {
    kElement,  // bits of the caller's array `object`: `bit` bits behind the byte offset `byte`
    kNumber,   // those of `number`
    kUnknown,
  };
  Kind kind = Kind::kUnknown;
  int width = 0;
  uint64_t number = 0;
  int64_t object = -1;
  SymbolicInteger byte;
  SymbolicInteger bit;
};

// The number that arithmetic without limits gives in place of an integer or of a pointer's offset.
struct ExactNumber {
  SymbolicInteger number;
  bool is_congruent = true;  // equal to the machine's modulo 2^width, so that it is the same if it fits the type
  std::string why = {};      // the operation that has wrapped, in a run on numbers: "2 * 2147483647 does not fit ..."
};

// A value of LLVM IR. An integer is kept in two's complement as a number of [-2^(width-1), 2^(width-1)), so an i1 is 0
// or -1. A poison value says which claim of the code was broken; to use it is undefined behavior.
struct MachineValue {
  enum class Kind : uint8_t {
    kInteger,
    kPointer,    // into an object of the run's memory
    kAggregate,  // struct or array
    kPoison,     // `text` is the broken claim
    kPartial,    // an integer with bits that were never written, `unwritten`, as in a unit of bit-fields: `integer` has
                 // 0 in their place, and `text` is the claim that a use of one of them breaks
    kElement,    // `width` bits loaded from the caller's array `object`, at the byte offset `integer`
    kUnknown,    // `text` is what cannot be followed, such as floating point
  };

  Kind kind = Kind::kUnknown;
  int width = 0;            // width of an integer, in bits
  SymbolicInteger integer;  // the value, or the offset of a pointer in bytes
  // Number of the object that a pointer points into; -1 for null. Of kUnknown, of the array whose element it is
  // computed of; -1 if it is none.
  int64_t object = -1;
  std::vector<MachineValue> elements;
  std::vector<BitField> fields;  // of kUnknown: those of an integer with bits of elements, the lowest first
  std::string text;
  uint64_t unwritten = 0;
  bool is_garbage = false;    // of kUnknown: no thread has written it
  bool is_of_shared = false;  // of kUnknown: read of memory that the threads of a block share
  // True if arithmetic made the value. An unknown value is then no element of an array, unless its `fields` have bits
  // of one. A kElement is then bits of a load, which need not be a whole element.
  bool is_computed = false;
  // The exact number of a kInteger, or of the offset of a kPointer, if it may differ from `integer`; otherwise null.
  // Set only in a run that follows exact numbers (IrMemory::FollowExact).
  std::shared_ptr<const ExactNumber> exact = nullptr;

  bool IsInteger() const { return kind == Kind::kInteger; }
  // Returns true for an integer some of whose bits may never have been written.
  bool HasBits() const { return IsInteger() || kind == Kind::kPartial; }
  // Returns true if a use of the whole value is undefined behavior.
  bool IsPoison() const { return kind == Kind::kPoison || kind == Kind::kPartial; }

  static MachineValue Integer(SymbolicInteger value, int width) {
    return {.kind = Kind::kInteger, .width = width, .integer = std::move(value)};
  }
  static MachineValue Bool(bool value) { return Integer(value ? -1 : 0, 1); }
  static MachineValue Pointer(int64_t object, SymbolicInteger offset) {
    return {.kind = Kind::kPointer, .integer = std::move(offset), .object = object};
  }
  static MachineValue Poison(std::string text) { return {.kind = Kind::kPoison, .text = std::move(text)}; }
  // Returns an integer whose bits `unwritten` were never written, which is kInteger if there are none.
  static MachineValue Partial(SymbolicInteger value, int width, uint64_t unwritten, std::string text) {
    if (unwritten == 0) return Integer(std::move(value), width);
    MachineValue partial = Integer(std::move(value), width);
    partial.kind = Kind::kPartial;
    partial.unwritten = unwritten;
    partial.text = std::move(text);
    return partial;
  }
  // Returns the value, or poison in place of an integer with bits that were never written.
  static MachineValue Whole(MachineValue value) {
    return value.kind == Kind::kPartial ? Poison(std::move(value.text)) : std::move(value);
  }
  static MachineValue Unknown(std::string text) { return {.kind = Kind::kUnknown, .text = std::move(text)}; }
  static MachineValue Computed(std::string text) {
    MachineValue computed = Unknown(std::move(text));
    computed.is_computed = true;
    return computed;
  }
};

// The place of a store among the loops of a kernel.
struct LoopPosition {
  // Number of the iteration of the outermost loop of the kernel in which it is, from 0; nothing if it is in no loop.
  std::optional<SymbolicInteger> iteration = std::nullopt;
  // Behind a loop of which only some iterations were run, so that not all stores of the thread are on the path.
  bool is_behind_loop = false;
  bool is_given = false;  // the iteration is the one that KernelThread asks for
};

// Returns 2^width - 1, the bits of an integer of `width` bits. Requires 1 <= width <= 64.
inline uint64_t LowBits(int width) { return ~uint64_t{0} >> (64 - width); }

// Returns 2^exponent. Requires 0 <= exponent <= 64.
SymbolicInteger PowerOfTwo(int exponent);
// Return true if an integer of `width` bits can hold the number.
bool FitsSigned(const SymbolicInteger& value, int width);
bool FitsUnsigned(const SymbolicInteger& value, int width);
// Returns the number modulo 2^width, as the two's complement of that width.
SymbolicInteger Wrap(const SymbolicInteger& value, int width);
// Returns the number of [0, 2^width) that has the same bits.
SymbolicInteger Unsigned(const SymbolicInteger& value, int width);

// Claims of an instruction whose violation makes its result poison.
struct MachineClaims {
  bool nsw = false;
  bool nuw = false;
  bool exact = false;     // divisions and right shifts: no bit is lost
  bool disjoint = false;  // `or`: the operands have no bit in common
};

enum class MachineOp : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kSignedDivide,
  kUnsignedDivide,
  kSignedRemainder,
  kUnsignedRemainder,
  kShiftLeft,
  kLogicalShiftRight,
  kArithmeticShiftRight,
  kAnd,
  kOr,
  kXor
};

// Returns `a op b` for integers of one width. Division by zero and of the least integer by -1 throw FunctionFault; a
// broken claim, and a shift by the width or more, give poison. `place` ends messages: "tile.c:7".
MachineValue Apply(MachineOp op, const MachineValue& a, const MachineValue& b, const MachineClaims& claims,
                   std::string_view place);

}  // namespace layoutcheck
