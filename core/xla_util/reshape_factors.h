// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds which dimensions of a reshape belong together: XLA's CommonFactors.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// A pair (i, j) of a dimension, or a place between dimensions, of one shape and one of the other.
using DimensionPair = std::pair<int64_t, int64_t>;

// Returns every place (i, j), from (0, 0) to (|a|, |b|) in order, at which both lists can be cut: the products of
// a[0..i) and b[0..j) are equal, and so are those of the rest. Sizes of 1 are paired from the left while they face each
// other; other sizes of 1 are groups of their own. Equal lists are cut everywhere. If a size is 0, equal leading sizes
// are cut one by one while the sizes after them have equal products; those after them are cut only if none of them is
// 0. Errors: different products, a negative size, overflow.
Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b);

}  // namespace layoutcheck
