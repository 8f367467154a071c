// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaussian elimination over the field of two elements. A vector is the bits of a word; the sum of vectors is their
// exclusive or.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace layoutcheck {

// The set of all sums of some vectors. A sum is described by the set of its summands: bit k of a combination is vector
// k.
class F2Span {
 public:
  // Requires at most 64 vectors.
  explicit F2Span(std::span<const uint64_t> vectors);

  // Returns the dimension: the span has 2^rank vectors.
  size_t rank() const { return rank_; }
  // Returns the set of the vectors that are sums of vectors before them.
  uint64_t dependent() const { return dependent_; }
  // Returns one combination with sum 0 per dependent vector, which is its last summand; the other summands are
  // independent. These combinations are a basis of the kernel, and the first one is the smallest that is not 0.
  const std::vector<uint64_t>& kernel() const { return kernel_; }

  // Returns the combination of independent vectors with this sum, or nothing if it is not in the span.
  std::optional<uint64_t> Combination(uint64_t sum) const;
  // Returns the smallest vector that is not in the span, which is a power of two, or nothing if it has all `bits` bits.
  std::optional<uint64_t> SmallestOutside(size_t bits) const;

 private:
  struct Row {
    uint64_t vector = 0;  // its highest bit is the row's place in rows_; 0 if there is no such row
    uint64_t combination = 0;
  };

  // Adds rows to the vector until no row begins with its highest bit.
  Row Reduce(Row row) const;

  std::array<Row, 64> rows_{};
  size_t rank_ = 0;
  uint64_t dependent_ = 0;
  std::vector<uint64_t> kernel_;
};

}  // namespace layoutcheck
