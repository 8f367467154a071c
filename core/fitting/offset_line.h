// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The offsets of the elements along one dimension, and the digits of the coordinate on which they depend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/core/fitting/element_offsets.h"

namespace layoutcheck {

// Returns, per coordinate x of the dimension, how far the element with x there and 0 elsewhere lies behind the first.
// Differences that do not fit int64 wrap.
std::vector<int64_t> LineOf(const ElementOffsets& table, size_t dimension);

// A digit of a coordinate: (coordinate / (product of the radices before it)) mod radix, times the stride.
struct LineDigit {
  std::optional<int64_t> radix;  // none for the last digit, which takes the rest
  int64_t stride = 0;
};

// Returns the digits, fastest first, none for a line of one element: the stride of the line is constant up to a radix,
// and the line of every radix-th element has the other digits. Only the elements 0, 1, ... of these lines were looked
// at, so that the sum of the digits may differ from the line.
std::vector<LineDigit> DigitsOf(std::vector<int64_t> line);

}  // namespace layoutcheck
