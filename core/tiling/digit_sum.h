// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digit sums: the positions of a tiled layout's elements as a function of one number n, and an exact comparison of two
// such functions that visits no element.
//
// A digit sum writes n in [0, size) greedily with weights 1 = w_0 < w_1 < ...: the first digit is the quotient of n by
// the largest weight, and the remainder is written with the smaller weights. A weight need not divide the next one.
// Most tilings are digit sums: a coordinate is a digit of n; splitting (x mod u) by t gives the greedy digits (x mod u)
// div t and x mod t; padding only makes strides larger. Exception: a `*` combines dimensions that are not neighbors in
// n, and the tile size neither divides the size of the minor one nor is a multiple of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// A digit of n, and the distance by which one unit of the digit moves the position.
struct WeightedDigit {
  int64_t weight = 1;  // distance between neighboring values of the digit, in elements
  int64_t stride = 1;  // distance between their positions
};

// The function from n in [0, size) to the sum of digit * stride. size >= 1.
struct DigitSum {
  int64_t size = 1;
  // The weights increase strictly from 1 and are below size. There is no digit if size is 1.
  std::vector<WeightedDigit> digits;

  // Returns the value at n. Requires 0 <= n < size and that every value fits int64.
  int64_t operator()(int64_t n) const;
};

// Returns the positions of a layout's elements as a function of the element number n, the sum of weights[d] * index[d],
// or nothing if this function is no digit sum. Requires a layout made by TiledLayoutOf, sizes >= 1, and weights that
// are the strides of an untiled array of these sizes in any dimension order. Error: overflow of a size.
Expected<std::optional<DigitSum>> PositionsAsDigitSum(const TiledLayout& layout, std::span<const int64_t> weights);

// Returns true if both functions have the same size and values. The answer is exact: weights and strides are compared
// from the top. Where a weight w of one function is not a weight of the other, the other must grow by the same amount
// over every step of w, which is a question about its lower digits. Requires that every value fits int64. Error
// (unsupported): more than kDigitSumSteps such questions, from dozens of weights that do not divide each other.
Expected<bool> SameFunction(const DigitSum& a, const DigitSum& b);
inline constexpr int64_t kDigitSumSteps = 1'000'000;

}  // namespace layoutcheck
