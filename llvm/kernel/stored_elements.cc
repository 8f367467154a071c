// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include <vector>

namespace layoutcheck {
namespace {

using Kind = BitField::Kind;

const KernelTensor& TensorAt(std::span<const KernelTensor> tensors, int64_t array) {
  return tensors[static_cast<size_t>(array)];
}

// Returns the fields of the stored value.
std::vector<BitField> FieldsOfStore(const KernelStore& store) {
  if (!store.bits.empty() || store.from < 0) return store.bits;
  return {{.kind = Kind::kElement,
           .width = static_cast<int>(store.bytes * kBitsPerByte),
           .object = store.from,
           .byte = store.from_offset}};
}

// Returns the field that has these bits, cut down to them; an unknown one if several have them.
BitField FieldAt(std::span<const BitField> fields, int64_t begin, int64_t bits) {
  int64_t at = 0;
  for (const BitField& field : fields) {
    if (at <= begin && begin + bits <= at + field.width) {
      BitField part = field;
      part.width = static_cast<int>(bits);
      if (field.kind == Kind::kElement && begin > at) part.bit = field.bit + (begin - at);
      return part;
    }
    at += field.width;
  }
  return {};
}

}  // namespace

void SettleStore(std::span<const KernelTensor> tensors, KernelStore& store) {
  if (!store.is_computed || (store.from < 0 && store.bits.empty())) return;
  const KernelTensor& to = TensorAt(tensors, store.array);
  const std::vector<BitField> fields = FieldsOfStore(store);
  bool is_moved = store.bytes % to.element_bytes() == 0;
  for (int64_t at = 0; is_moved && at < store.bytes * to.places_per_byte(); at += to.element_bytes()) {
    const BitField field = FieldAt(fields, at * to.place_bits(), to.value_bits());
    is_moved = field.kind == Kind::kNumber ||
               (field.kind == Kind::kElement && TensorAt(tensors, field.object).value_bits() == to.value_bits());
  }
  store.is_computed = !is_moved;
  if (is_moved) return;
  store.from = -1;
  store.bits.clear();
  if (store.unknown.empty()) store.unknown = "bits of elements";
}

std::optional<ArrayPlace> SourceAt(std::span<const KernelTensor> tensors, const KernelStore& store, int64_t at) {
  const KernelTensor& to = TensorAt(tensors, store.array);
  if (store.bits.empty()) {
    if (store.from < 0) return std::nullopt;
    const bool are_bytes = to.places_per_byte() == 1 && TensorAt(tensors, store.from).places_per_byte() == 1;
    if (are_bytes) return ArrayPlace{store.from, store.from_offset + at};
  }
  const BitField field = FieldAt(FieldsOfStore(store), at * to.place_bits(), to.value_bits());
  if (field.kind != Kind::kElement) return std::nullopt;
  const KernelTensor& from = TensorAt(tensors, field.object);
  if (!(Mod(field.bit, from.place_bits()) == 0)) return std::nullopt;
  return ArrayPlace{field.object, from.PlaceOfByte(field.byte) + FloorDiv(field.bit, from.place_bits())};
}

std::set<int64_t> SourcesOf(const KernelStore& store) {
  std::set<int64_t> arrays;
  for (const BitField& field : FieldsOfStore(store)) {
    if (field.kind == Kind::kElement) arrays.insert(field.object);
  }
  return arrays;
}

}  // namespace layoutcheck
