// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers in the types of parameters, as debug information or the accesses of the code say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Argument;
class DIType;
}  // namespace llvm

namespace layoutcheck {

// An integer in the memory of a type.
struct SourceInteger {
  int64_t offset = 0;  // in bytes
  int bits = 32;
  bool is_unsigned = false;
  bool is_sign_known = true;
};

// Returns the type without typedefs and qualifiers, or null.
const llvm::DIType* Stripped(const llvm::DIType* type);
// Returns the type that a pointer or reference points to, stripped, or null.
const llvm::DIType* PointedTo(const llvm::DIType* type);
// Returns the text of the type for messages: "float", "int *".
std::string TypeText(const llvm::DIType* type);

// Returns the sign and width of an integer or enumeration, or an integer of so many bits whose sign is not known.
SourceInteger IntegerOf(const llvm::DIType* type, int bits);

// Returns the integers of a type in the order of their places, through structs and arrays. None if there is anything
// else in it, such as a pointer, a floating-point number, a bit-field or a union, or no integer at all.
std::vector<SourceInteger> IntegersOf(const llvm::DIType* type);

// Returns the width of the integers that the code reads and writes through the pointer, at multiples of that width.
// Nothing if there are several widths, or accesses that cannot be seen.
std::optional<int> AccessedBits(const llvm::Argument& pointer);

}  // namespace layoutcheck
