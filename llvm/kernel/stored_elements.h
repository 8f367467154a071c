// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements that a store covers, and the element that it brings to each: of a store of bytes that hold several
// elements of less than a byte, too.
#pragma once

#include <optional>
#include <set>
#include <span>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/kernel/kernel_tensor.h"

namespace layoutcheck {

// A place of an array.
struct ArrayPlace {
  int64_t array = 0;
  SymbolicInteger place;  // as KernelTensor counts places
};

// Decides whether the store of bits of loads brings elements, by the arrays' elements. If it does not, what it stores
// is computed.
void SettleStore(std::span<const KernelTensor> tensors, KernelStore& store);

// Returns the place from which the store brings the element that it stores `at` places behind its first one; nothing if
// that is no element of an array.
std::optional<ArrayPlace> SourceAt(std::span<const KernelTensor> tensors, const KernelStore& store, int64_t at);

// Returns the numbers of the arrays whose elements the store brings.
std::set<int64_t> SourcesOf(const KernelStore& store);

// Calls visit(place of the element, number of places behind the first one) for each element of the array that an access
// to `bytes` bytes at the byte `offset` covers. Parts of elements at its end are left out.
template <class Visit>
void ForEachElementOf(const KernelTensor& tensor, const SymbolicInteger& offset, int64_t bytes, Visit visit) {
  const SymbolicInteger first = tensor.PlaceOfByte(offset);
  for (int64_t at = 0; at < bytes * tensor.places_per_byte(); at += tensor.element_bytes()) visit(first + at, at);
}

}  // namespace layoutcheck
