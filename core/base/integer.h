// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of core's formulas, which are templates over an integer type with +, *, FloorDiv, Mod and CeilDiv.
// This file has int64_t and CheckedInt64; symbolic and printing integers have overloads of their own.
#pragma once

#include <cstdint>
#include <span>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Return floor(a / b), a - b * floor(a / b), and ceil(a / b). Require b >= 1, and never overflow then.
constexpr int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr int64_t Mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// An integer that remembers overflow: an operation sets `overflow` if it overflows or an operand has it set. The value
// is then the result modulo 2^bits, in the range of T.
template <class T>
struct CheckedInteger {
  T value = 0;
  bool overflow = false;

  constexpr CheckedInteger() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): formulas mix it with literals
  constexpr CheckedInteger(T v)
    requires(sizeof(T) >= sizeof(int64_t))
      : value(v) {}
  // Converts a number to a narrower T and sets `overflow` if it does not fit.
  explicit constexpr CheckedInteger(int64_t v)
    requires(sizeof(T) < sizeof(int64_t))
      : value(static_cast<T>(v)), overflow(static_cast<int64_t>(value) != v) {}
  constexpr CheckedInteger(T v, bool overflowed) : value(v), overflow(overflowed) {}

  friend constexpr CheckedInteger operator+(CheckedInteger a, CheckedInteger b) {
    T sum = 0;
    const bool wrapped = __builtin_add_overflow(a.value, b.value, &sum);
    return {sum, wrapped || a.overflow || b.overflow};
  }
  friend constexpr CheckedInteger operator-(CheckedInteger a, CheckedInteger b) {
    T difference = 0;
    const bool wrapped = __builtin_sub_overflow(a.value, b.value, &difference);
    return {difference, wrapped || a.overflow || b.overflow};
  }
  friend constexpr CheckedInteger operator*(CheckedInteger a, CheckedInteger b) {
    T product = 0;
    const bool wrapped = __builtin_mul_overflow(a.value, b.value, &product);
    return {product, wrapped || a.overflow || b.overflow};
  }
};

using CheckedInt64 = CheckedInteger<int64_t>;

// Returns the divisor, or 1 if it overflowed or is not positive, so that a division never traps.
constexpr int64_t UsableDivisor(CheckedInt64 b) { return b.overflow || b.value < 1 ? 1 : b.value; }
constexpr CheckedInt64 FloorDiv(CheckedInt64 a, CheckedInt64 b) {
  return {FloorDiv(a.value, UsableDivisor(b)), a.overflow || b.overflow};
}
constexpr CheckedInt64 Mod(CheckedInt64 a, CheckedInt64 b) {
  return {Mod(a.value, UsableDivisor(b)), a.overflow || b.overflow};
}
constexpr CheckedInt64 CeilDiv(CheckedInt64 a, CheckedInt64 b) {
  return {CeilDiv(a.value, UsableDivisor(b)), a.overflow || b.overflow};
}

// Returns the product of sizes >= 0: 0 if any size is 0, however large the others are.
CheckedInt64 ProductOfSizes(std::span<const int64_t> sizes);

// Returns the value, or a kOverflow error about `what`, e.g. "the padded element count".
Expected<int64_t> ValueOrOverflow(CheckedInt64 number, std::string_view what);

}  // namespace layoutcheck
