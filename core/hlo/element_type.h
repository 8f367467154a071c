// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of XLA shapes and their widths. Source: PrimitiveType in xla_data.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace layoutcheck {

// An element type. Its values are the numbers of XLA's PrimitiveType, so that protos and plugins can exchange them.
enum class ElementType : int {
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kS64 = 5,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kU64 = 9,
  kF16 = 10,
  kF32 = 11,
  kF64 = 12,
  kTuple = 13,
  kOpaque = 14,
  kC64 = 15,
  kBF16 = 16,
  kToken = 17,
  kC128 = 18,
  kF8E5M2 = 19,
  kF8E4M3FN = 20,
  kS4 = 21,
  kU4 = 22,
  kF8E4M3B11FNUZ = 23,
  kF8E5M2FNUZ = 24,
  kF8E4M3FNUZ = 25,
  kS2 = 26,
  kU2 = 27,
  kF8E4M3 = 28,
  kF8E3M4 = 29,
  kS1 = 30,
  kU1 = 31,
  kF4E2M1FN = 32,
  kF8E8M0FNU = 33,
  kBuffer = 34,
  kF6E3M2FN = 35,
  kF6E2M3FN = 36,
};

// Returns the name in HLO text ("f32", "pred", "token"), or "invalid" for an unknown number. "tuple" and "buffer" are
// for messages; HLO text never contains them.
std::string_view ElementTypeName(ElementType type);

// Returns the type with this lower-case name, or nothing if HLO text cannot contain the name ("tuple", "buffer").
std::optional<ElementType> ElementTypeFromName(std::string_view name);

// Returns " (did you mean 'f32'?)" for a text that is almost the name of an array's type, or an empty text.
std::string DidYouMeanType(std::string_view name);

// Returns every type that an array can have, in the order of their numbers.
std::span<const ElementType> ArrayElementTypes();

// Returns true for every type but tuple, token, opaque and buffer.
bool IsArrayElementType(ElementType type);

// Returns the bits of one value (4 for s4, 6 for f6e3m2fn, 1 for pred, 128 for c128), or 0 if arrays lack the type.
int64_t BitWidth(ElementType type);

// Returns the bytes of one unpacked value: ceil(BitWidth(type) / 8).
int64_t ByteWidth(ElementType type);

// Returns true for s1 to s64 and u1 to u64; pred is not integral.
bool IsIntegral(ElementType type);

bool IsUnsignedIntegral(ElementType type);

// Returns true for the types that `E(n)` packs: array types of less than 8 bits, other than pred.
bool IsSubByteNonPred(ElementType type);

}  // namespace layoutcheck
