// The element types of XLA shapes and their widths (xla_data.proto's PrimitiveType).
#ifndef LAYOUTCHECK_CORE_HLO_ELEMENT_TYPE_H_
#define LAYOUTCHECK_CORE_HLO_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace layoutcheck {

// Values are the numbers of XLA's PrimitiveType, so that they can be exchanged with protos and plugins.
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

// The name in HLO text ("f32", "pred", "token"). "tuple" and "buffer" are for messages: they are not written in HLO
// text. "invalid" for a number that is no type.
std::string_view ElementTypeName(ElementType type);

// The type with this name among those that HLO text may contain (lower case only; not "tuple", not "buffer"), or
// nothing.
std::optional<ElementType> ElementTypeFromName(std::string_view name);

// Every type that an array can have, in the order of their numbers.
std::span<const ElementType> ArrayElementTypes();

// Whether arrays of this type exist: all but tuple, token, opaque and buffer.
bool IsArrayElementType(ElementType type);

// Bits of one value: s4 4, f6e3m2fn 6, pred 1, c128 128. 0 for a type that arrays cannot have.
int64_t BitWidth(ElementType type);

// Bytes that one value takes where it is not packed: ceil(bits / 8). 0 for a type that arrays cannot have.
int64_t ByteWidth(ElementType type);

// s1..s64, u1..u64. pred is not integral.
bool IsIntegral(ElementType type);

// u1..u64.
bool IsUnsignedIntegral(ElementType type);

// An array type of less than 8 bits other than pred: the types that `E(n)` packs.
bool IsSubByteNonPred(ElementType type);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_ELEMENT_TYPE_H_
