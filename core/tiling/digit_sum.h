// Positions of the elements of a tiled layout as a function of one number, the element's number in some order, and the
// exact comparison of two such functions without visiting the elements. bitcast.h stands on it.
//
// Write n in [0, size) with weights 1 = w_0 < w_1 < ... greedily: divide by the largest weight below size, the quotient
// is the first digit, go on with the remainder. A weight need not divide the next one. A DigitSum is the function
// n -> sum of digit_j(n) * stride_j. Tilings are of this form: the coordinate of a dimension is a digit of n, dividing
// (x mod u) by t gives (x mod u) div t and x mod t, again greedy digits, and padding only makes strides larger. What
// is not of this form is a `*` that combines dimensions which are not neighbors in n, followed by a tile size that
// neither divides nor is a multiple of what the minor one of them can hold.
#ifndef LAYOUTCHECK_CORE_TILING_DIGIT_SUM_H_
#define LAYOUTCHECK_CORE_TILING_DIGIT_SUM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

struct WeightedDigit {
  int64_t weight = 1;
  int64_t stride = 1;
};

struct DigitSum {
  // The domain is [0, size); size >= 1.
  int64_t size = 1;
  // Weights are strictly increasing and below size, the first one is 1; no digit at all where size is 1.
  std::vector<WeightedDigit> digits;

  // The value at n. Requires 0 <= n < size and that every value fits int64.
  int64_t operator()(int64_t n) const;
};

// The positions that the layout gives to its elements, element number n being the sum of weights[d] * i_d, where
// 0 <= i_d < dimensions[d] are its coordinates. Nothing where the positions are not a DigitSum of n (see above).
// Requires a layout as TiledLayoutOf makes them, sizes >= 1, and weights that are the strides of an array of these
// sizes without tiles, in any order of its dimensions. Error: a size past int64 (overflow).
Expected<std::optional<DigitSum>> PositionsAsDigitSum(const TiledLayout& layout, std::span<const int64_t> weights);

// Whether both functions have the same size and the same value everywhere. Exact: it compares weights and strides from
// the top, and where a weight w of one is not a weight of the other, asks whether the other one grows by the same
// amount over every step of w, which is again a question about its lower digits. Requires that every value fits int64.
// Error (unsupported): more than kDigitSumSteps such questions, which takes dozens of nested weights that do not divide
// each other.
Expected<bool> SameFunction(const DigitSum& a, const DigitSum& b);
inline constexpr int64_t kDigitSumSteps = 1'000'000;

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_DIGIT_SUM_H_
