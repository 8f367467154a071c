// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/f2_span.h"
#include <bit>

namespace layoutcheck {
namespace {

size_t HighestBit(uint64_t vector) { return static_cast<size_t>(std::bit_width(vector)) - 1; }

}  // namespace

F2Span::F2Span(std::span<const uint64_t> vectors) {
  for (size_t k = 0; k < vectors.size(); ++k) {
    const Row row = Reduce({vectors[k], uint64_t{1} << k});
    if (row.vector == 0) {
      dependent_ |= uint64_t{1} << k;
      kernel_.push_back(row.combination);
    } else {
      rows_[HighestBit(row.vector)] = row;
      ++rank_;
    }
  }
}

F2Span::Row F2Span::Reduce(Row row) const {
  while (row.vector != 0) {
    const Row& other = rows_[HighestBit(row.vector)];
    if (other.vector == 0) break;
    row.vector ^= other.vector;
    row.combination ^= other.combination;
  }
  return row;
}

std::optional<uint64_t> F2Span::Combination(uint64_t sum) const {
  const Row row = Reduce({sum, 0});
  if (row.vector != 0) return std::nullopt;
  return row.combination;
}

std::optional<uint64_t> F2Span::SmallestOutside(size_t bits) const {
  // If all vectors below v are in the span and v has two or more bits, v is the sum of two of them.
  for (size_t bit = 0; bit < bits; ++bit) {
    if (!Combination(uint64_t{1} << bit)) return uint64_t{1} << bit;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
