// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/element_type.h"
#include <algorithm>
#include <array>
#include <vector>
#include "layoutcheck/core/base/nearest_name.h"

namespace layoutcheck {
namespace {

struct TypeRow {
  std::string_view name;
  int64_t bits;
};

// The types in the order of their numbers, from 1 on.
constexpr TypeRow kTypeRows[] = {
    {"pred", 1},       {"s8", 8},       {"s16", 16},      {"s32", 32},   {"s64", 64},          {"u8", 8},
    {"u16", 16},       {"u32", 32},     {"u64", 64},      {"f16", 16},   {"f32", 32},          {"f64", 64},
    {"tuple", 0},      {"opaque", 0},   {"c64", 64},      {"bf16", 16},  {"token", 0},         {"c128", 128},
    {"f8e5m2", 8},     {"f8e4m3fn", 8}, {"s4", 4},        {"u4", 4},     {"f8e4m3b11fnuz", 8}, {"f8e5m2fnuz", 8},
    {"f8e4m3fnuz", 8}, {"s2", 2},       {"u2", 2},        {"f8e4m3", 8}, {"f8e3m4", 8},        {"s1", 1},
    {"u1", 1},         {"f4e2m1fn", 4}, {"f8e8m0fnu", 8}, {"buffer", 0}, {"f6e3m2fn", 6},      {"f6e2m3fn", 6}};
constexpr size_t kFirstNumber = 1;
static_assert(std::size(kTypeRows) == static_cast<size_t>(ElementType::kF6E2M3FN));
constexpr size_t kArrayTypes = std::ranges::count_if(kTypeRows, [](const TypeRow& row) { return row.bits > 0; });

constexpr auto kArrayElementTypes = [] {
  std::array<ElementType, kArrayTypes> types{};
  size_t n = 0;
  for (size_t row = 0; row < std::size(kTypeRows); ++row) {
    if (kTypeRows[row].bits > 0) types[n++] = static_cast<ElementType>(row + kFirstNumber);
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
  for (size_t row = 0; row < std::size(kTypeRows); ++row) {
    size_t slot = SlotOf(kTypeRows[row].name);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint8_t>(row + 1);
  }
  return slots;
}();

// The row for unknown numbers, which protos and plugins may contain.
constexpr TypeRow kInvalid = {"invalid", 0};

const TypeRow& RowOf(ElementType type) {
  const size_t row = static_cast<size_t>(type) - kFirstNumber;
  return row < std::size(kTypeRows) ? kTypeRows[row] : kInvalid;
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
    if (kTypeRows[kRowAtSlot[slot] - 1].name != name) continue;
    const auto type = static_cast<ElementType>(kRowAtSlot[slot] - 1 + kFirstNumber);
    return type == ElementType::kTuple || type == ElementType::kBuffer ? std::nullopt : std::optional(type);
  }
  return std::nullopt;
}

std::string DidYouMeanType(std::string_view name) { return DidYouMean(name, kArrayElementTypes, ElementTypeName); }

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
