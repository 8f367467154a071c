// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 128-bit integers that remember overflow: the constants and coefficients of symbolic integers. These have no bound, so
// a result past 128 bits must count as unknown, never as a wrong number.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

__extension__ using Int128 = __int128;

using WideInteger = CheckedInteger<Int128>;

// Return floor(a / b) and a - b * floor(a / b). A divisor below 1 counts as overflow, because no caller divides by one.
constexpr WideInteger FloorDiv(WideInteger a, WideInteger b) {
  if (a.overflow || b.overflow || b.value < 1) return {0, true};
  return {a.value / b.value - (a.value % b.value < 0 ? 1 : 0)};
}
constexpr WideInteger Mod(WideInteger a, WideInteger b) {
  if (a.overflow || b.overflow || b.value < 1) return {0, true};
  return {a.value % b.value + (a.value % b.value < 0 ? b.value : 0)};
}

// Return the same for numbers whose results fit. Require b >= 1.
constexpr Int128 FloorOf(Int128 a, Int128 b) { return FloorDiv(WideInteger(a), WideInteger(b)).value; }
constexpr Int128 RemainderOf(Int128 a, Int128 b) { return Mod(WideInteger(a), WideInteger(b)).value; }

// Returns the greatest common divisor, which is >= 0; that of 0 and 0 is 0.
constexpr Int128 Gcd(Int128 a, Int128 b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// Returns the decimal digits, after a '-' if the value is negative.
inline std::string ToDecimal(Int128 value) {
  std::string digits;
  const bool negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace layoutcheck
