// 128-bit integers that remember overflow: the constants and coefficients of symbolic integers, which stand for
// integers without bound, so that a result past 128 bits has to be an answer "not known", never a wrong one.
#ifndef LAYOUTCHECK_SOLVER_WIDE_INTEGER_H_
#define LAYOUTCHECK_SOLVER_WIDE_INTEGER_H_

#include <algorithm>
#include <cstdint>
#include <string>

namespace layoutcheck {

__extension__ using Int128 = __int128;

// The exact result of an operation, or overflow; every operation on an overflowed operand overflows.
struct WideInteger {
  Int128 value = 0;
  bool overflow = false;

  constexpr WideInteger() = default;
  constexpr WideInteger(Int128 v) : value(v) {}  // NOLINT(google-explicit-constructor): mixes with literals
  constexpr WideInteger(Int128 v, bool overflowed) : value(v), overflow(overflowed) {}

  friend constexpr WideInteger operator+(WideInteger a, WideInteger b) {
    Int128 sum = 0;
    const bool wrapped = __builtin_add_overflow(a.value, b.value, &sum);
    return {sum, wrapped || a.overflow || b.overflow};
  }
  friend constexpr WideInteger operator-(WideInteger a, WideInteger b) {
    Int128 difference = 0;
    const bool wrapped = __builtin_sub_overflow(a.value, b.value, &difference);
    return {difference, wrapped || a.overflow || b.overflow};
  }
  friend constexpr WideInteger operator*(WideInteger a, WideInteger b) {
    Int128 product = 0;
    const bool wrapped = __builtin_mul_overflow(a.value, b.value, &product);
    return {product, wrapped || a.overflow || b.overflow};
  }
};

// floor(a / b) and a - b * floor(a / b). A divisor below 1 is an overflow: nothing here divides by one.
constexpr WideInteger FloorDiv(WideInteger a, WideInteger b) {
  if (a.overflow || b.overflow || b.value < 1) return {0, true};
  return {a.value / b.value - (a.value % b.value < 0 ? 1 : 0)};
}
constexpr WideInteger Mod(WideInteger a, WideInteger b) {
  if (a.overflow || b.overflow || b.value < 1) return {0, true};
  return {a.value % b.value + (a.value % b.value < 0 ? b.value : 0)};
}

// Decimal digits, with a leading '-' where negative.
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

#endif  // LAYOUTCHECK_SOLVER_WIDE_INTEGER_H_
