// CuTe's swizzles, and layouts composed with them.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_SWIZZLE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_SWIZZLE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Sw<B,M,S>: x xor (the B bits of x that lie |S| above (S > 0) or below (S < 0) the B bits from M on, moved there).
//   mask Y = (2^B - 1) << (M + max(0, S)), mask Z = (2^B - 1) << (M - min(0, S)), f(x) = x ^ ((x & Y) >> S).
// An involution, and a bijection of every aligned block of 2^(M+B+|S|) offsets.
struct Swizzle {
  int64_t bits = 0;
  int64_t base = 0;
  int64_t shift = 0;

  bool operator==(const Swizzle&) const = default;
};

// B >= 0, M >= 0, |S| >= B and M + B + |S| <= 62. The error names the rule.
Expected<void> ValidateSwizzle(const Swizzle& swizzle);
// The mask Y. Requires a valid swizzle.
constexpr int64_t ReadMask(const Swizzle& swizzle) {
  return ((int64_t{1} << swizzle.bits) - 1) << (swizzle.base + std::max<int64_t>(0, swizzle.shift));
}
// f(offset), in any integer type. Requires a valid swizzle and offset >= 0.
template <class Int>
constexpr Int ApplySwizzle(const Swizzle& swizzle, Int offset) {
  const Int read = offset & Int(ReadMask(swizzle));
  return offset ^ (swizzle.shift >= 0 ? read >> Int(swizzle.shift) : read << Int(-swizzle.shift));
}
// Sw<B,M,S> o Sw<B',M',S>: the swizzle equal to both in turn. Rejected where there is none: unless one is the identity,
// the shifts must be equal, no bit that one writes may be read by the other, and the masks' exclusive-or must be one
// run of bits.
Expected<Swizzle> ComposeSwizzles(const Swizzle& a, const Swizzle& b);
// The swizzle of the same bytes where `factor` (a power of two) elements become one: M - k, and B shrinks by what M is
// short of. The law: floor(f(factor * x + t) / factor) = f'(x) for 0 <= t < factor. Rejected where bits from inside the
// new element are moved to bits above it: there is no such map.
Expected<Swizzle> UpcastSwizzle(const Swizzle& swizzle, int64_t factor);
// The inverse: one element becomes `factor` (a power of two). f'(factor * x + t) = factor * f(x) + t for 0 <= t <
// factor.
Expected<Swizzle> DowncastSwizzle(const Swizzle& swizzle, int64_t factor);

// swizzle o offset o layout: the value at c is f(offset + layout(c)); CuTe's ComposedLayout. Without a swizzle, an
// ordinary layout (offset 0) or a shifted one.
struct ComposedLayout {
  std::optional<Swizzle> swizzle;
  int64_t offset = 0;
  ShapeStrideLayout layout;

  bool operator==(const ComposedLayout&) const = default;
};

Expected<void> ValidateComposedLayout(const ComposedLayout& composed);
// The value at the coordinate. Errors: those of Crd2Idx, and a negative offset under a swizzle.
Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ComposedLayout& composed);
// 1 + the largest value, exactly: the swizzle counts (CuTe's cosize of a swizzled layout ignores it and can be too
// small). Where the layout has more than 2^22 coordinates, rejected under a swizzle. 0 without coordinates.
Expected<int64_t> Cosize(const ComposedLayout& composed);
// The coordinate that is stored at `offset`, as FindCoordinate.
Expected<std::optional<IntTuple>> FindCoordinate(const ComposedLayout& composed, int64_t offset);

// "Sw<3,4,3>", and "Sw<3,4,3> o 0 o (8,64):(64,1)" (the layout alone where there is neither swizzle nor offset, and
// "16 o (8,64):(64,1)" where there is an offset only).
std::string ToString(const Swizzle& swizzle);
std::string ToString(const ComposedLayout& composed);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_SWIZZLE_H_
