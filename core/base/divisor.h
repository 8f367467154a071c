// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division by a number that is known long before the dividend, e.g. once per layout instead of once per element.
#pragma once

#include <bit>
#include <cstdint>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// A divisor. For a general integer type, it divides with the type's FloorDiv and Mod.
template <class Int>
class Divisor {
 public:
  explicit Divisor(Int divisor) : divisor_(divisor) {}

  Int Quotient(const Int& dividend) const { return FloorDiv(dividend, divisor_); }
  Int Remainder(const Int& dividend, const Int& /*quotient*/) const { return Mod(dividend, divisor_); }

 private:
  Int divisor_;
};

// A divisor of int64_t, which divides with a multiplication and a shift. Requires divisor >= 1 and dividends >= 0.
// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994: for every 0 <= n <
// 2^63, floor(n / d) = floor(m n / 2^(63+l)), where l = ceil(log2 d) and m = floor(2^(63+l) / d) + 1. The code
// multiplies m by 2n, so that the upper word of the product is m n / 2^63.
template <>
class Divisor<int64_t> {
 public:
  explicit constexpr Divisor(int64_t divisor)
      : divisor_(divisor), shift_(static_cast<int>(std::bit_width(static_cast<uint64_t>(divisor) - 1))) {
    multiplier_ = static_cast<uint64_t>((Wide{1} << (63 + shift_)) / static_cast<uint64_t>(divisor) + 1);
  }

  constexpr int64_t Quotient(int64_t dividend) const {
    const Wide product = Wide{multiplier_} * (static_cast<uint64_t>(dividend) << 1);
    return static_cast<int64_t>(static_cast<uint64_t>(product >> 64) >> shift_);
  }
  constexpr int64_t Remainder(int64_t dividend, int64_t quotient) const { return dividend - quotient * divisor_; }

 private:
  __extension__ using Wide = unsigned __int128;

  int64_t divisor_;
  int shift_;
  uint64_t multiplier_ = 0;
};

}  // namespace layoutcheck
