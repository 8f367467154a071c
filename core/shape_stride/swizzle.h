// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CuTe's swizzles: permutations of the bits of an offset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Sw<B,M,S>: f(x) = x ^ ((x & Y) >> S) with the mask Y = (2^B - 1) << (M + max(0, S)). It moves the B bits that lie |S|
// above (S > 0) or below (S < 0) the B bits from bit M on onto those, by exclusive-or. A swizzle is its own inverse,
// and a bijection on every aligned block of 2^(M+B+|S|) offsets.
struct Swizzle {
  int64_t bits = 0;   // B
  int64_t base = 0;   // M
  int64_t shift = 0;  // S

  bool operator==(const Swizzle&) const = default;
};

// Returns an error that names the broken rule unless B >= 0, M >= 0, |S| >= B and M + B + |S| <= 62.
Expected<void> ValidateSwizzle(const Swizzle& swizzle);
// Returns the mask Y. Requires a valid swizzle.
constexpr int64_t ReadMask(const Swizzle& swizzle) {
  return ((int64_t{1} << swizzle.bits) - 1) << (swizzle.base + std::max<int64_t>(0, swizzle.shift));
}
// Returns f(offset) in any integer type. Requires a valid swizzle and offset >= 0.
template <class Int>
constexpr Int ApplySwizzle(const Swizzle& swizzle, Int offset) {
  const Int read = offset & Int(ReadMask(swizzle));
  return offset ^ (swizzle.shift >= 0 ? read >> Int(swizzle.shift) : read << Int(-swizzle.shift));
}
// Returns the swizzle that equals `a` after `b`. Error (invalid argument): there is none. Unless one is the identity,
// shifts must be equal, neither may read a bit that the other writes, and the xor of the masks must be one run of bits.
Expected<Swizzle> ComposeSwizzles(const Swizzle& a, const Swizzle& b);
// Returns the swizzle of the same bytes after `factor` = 2^k elements become one: M - k, and B shrinks by the part of k
// that exceeds M. Law: floor(f(factor * x + t) / factor) = f'(x) for 0 <= t < factor. Errors (invalid argument): a
// factor that is no power of two; bits that move from inside the new element to above it.
Expected<Swizzle> UpcastSwizzle(const Swizzle& swizzle, int64_t factor);
// Returns the swizzle after one element becomes `factor` (a power of two). Law: f'(factor * x + t) = factor * f(x) + t
// for 0 <= t < factor.
Expected<Swizzle> DowncastSwizzle(const Swizzle& swizzle, int64_t factor);

// Returns "Sw<3,4,3>".
std::string ToString(const Swizzle& swizzle);

}  // namespace layoutcheck
