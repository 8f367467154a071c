// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/element_type.h"
#include <algorithm>
#include <array>

namespace layoutcheck {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  int64_t bits;
};

constexpr Row kRows[] = {
    {ElementType::kPred, "pred", 1},
    {ElementType::kS8, "s8", 8},
    {ElementType::kS16, "s16", 16},
    {ElementType::kS32, "s32", 32},
    {ElementType::kS64, "s64", 64},
    {ElementType::kU8, "u8", 8},
    {ElementType::kU16, "u16", 16},
    {ElementType::kU32, "u32", 32},
    {ElementType::kU64, "u64", 64},
    {ElementType::kF16, "f16", 16},
    {ElementType::kF32, "f32", 32},
    {ElementType::kF64, "f64", 64},
    {ElementType::kTuple, "tuple", 0},
    {ElementType::kOpaque, "opaque", 0},
    {ElementType::kC64, "c64", 64},
    {ElementType::kBF16, "bf16", 16},
    {ElementType::kToken, "token", 0},
    {ElementType::kC128, "c128", 128},
    {ElementType::kF8E5M2, "f8e5m2", 8},
    {ElementType::kF8E4M3FN, "f8e4m3fn", 8},
    {ElementType::kS4, "s4", 4},
    {ElementType::kU4, "u4", 4},
    {ElementType::kF8E4M3B11FNUZ, "f8e4m3b11fnuz", 8},
    {ElementType::kF8E5M2FNUZ, "f8e5m2fnuz", 8},
    {ElementType::kF8E4M3FNUZ, "f8e4m3fnuz", 8},
    {ElementType::kS2, "s2", 2},
    {ElementType::kU2, "u2", 2},
    {ElementType::kF8E4M3, "f8e4m3", 8},
    {ElementType::kF8E3M4, "f8e3m4", 8},
    {ElementType::kS1, "s1", 1},
    {ElementType::kU1, "u1", 1},
    {ElementType::kF4E2M1FN, "f4e2m1fn", 4},
    {ElementType::kF8E8M0FNU, "f8e8m0fnu", 8},
    {ElementType::kBuffer, "buffer", 0},
    {ElementType::kF6E3M2FN, "f6e3m2fn", 6},
    {ElementType::kF6E2M3FN, "f6e2m3fn", 6},
};
constexpr size_t kFirstNumber = 1;
constexpr size_t kArrayTypes = std::ranges::count_if(kRows, [](const Row& row) { return row.bits > 0; });

constexpr bool RowsStandAtTheirNumbers() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].type) != i + kFirstNumber) return false;
  }
  return true;
}
static_assert(RowsStandAtTheirNumbers());

constexpr auto kArrayElementTypes = [] {
  std::array<ElementType, kArrayTypes> types{};
  size_t n = 0;
  for (const Row& row : kRows) {
    if (row.bits > 0) types[n++] = row.type;
  }
  return types;
}();

// Hash table of the rows by name, with linear probing. A slot holds the row number plus 1, or 0 if it is empty.
constexpr size_t kSlots = 128;
constexpr size_t SlotOf(std::string_view name) {
  const auto byte = [name](size_t k) { return static_cast<size_t>(static_cast<unsigned char>(name[k])); };
  const size_t last = name.size() - 1;
  return (byte(0) * 7 + byte(last) * 5 + byte(std::min<size_t>(last, 3)) * 3 + name.size() * 11) % kSlots;
}
constexpr auto kRowAtSlot = [] {
  std::array<uint8_t, kSlots> slots{};
  for (size_t row = 0; row < std::size(kRows); ++row) {
    size_t slot = SlotOf(kRows[row].name);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint8_t>(row + 1);
  }
  return slots;
}();

// The row for unknown numbers, which protos and plugins may contain.
constexpr Row kUnknown = {ElementType::kTuple, "invalid", 0};

const Row& RowOf(ElementType type) {
  const size_t row = static_cast<size_t>(type) - kFirstNumber;
  return row < std::size(kRows) ? kRows[row] : kUnknown;
}

bool StartsIntegral(ElementType type, char letter) {
  const std::string_view name = ElementTypeName(type);
  return name[0] == letter && name[1] >= '0' && name[1] <= '9';
}

}  // namespace

std::string_view ElementTypeName(ElementType type) { return RowOf(type).name; }

std::optional<ElementType> ElementTypeFromName(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (size_t slot = SlotOf(name); kRowAtSlot[slot] != 0; slot = (slot + 1) % kSlots) {
    const Row& row = kRows[kRowAtSlot[slot] - 1];
    if (row.name != name) continue;
    if (row.type == ElementType::kTuple || row.type == ElementType::kBuffer) return std::nullopt;
    return row.type;
  }
  return std::nullopt;
}

std::span<const ElementType> ArrayElementTypes() { return kArrayElementTypes; }

bool IsArrayElementType(ElementType type) { return BitWidth(type) > 0; }

int64_t BitWidth(ElementType type) { return RowOf(type).bits; }

int64_t ByteWidth(ElementType type) { return (BitWidth(type) + 7) / 8; }

bool IsIntegral(ElementType type) { return StartsIntegral(type, 's') || IsUnsignedIntegral(type); }

bool IsUnsignedIntegral(ElementType type) { return StartsIntegral(type, 'u'); }

bool IsSubByteNonPred(ElementType type) {
  return IsArrayElementType(type) && type != ElementType::kPred && BitWidth(type) < 8;
}

}  // namespace layoutcheck
