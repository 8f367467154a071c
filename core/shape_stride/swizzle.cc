// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/swizzle.h"
#include <bit>
#include <cstdlib>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Offsets are below 2^62, so no mask reaches the sign bit.
constexpr int64_t kMaxSwizzleBit = 62;
int64_t Run(int64_t bits, int64_t from) { return ((int64_t{1} << bits) - 1) << from; }
int64_t WriteMask(const Swizzle& s) { return Run(s.bits, s.base - std::min<int64_t>(0, s.shift)); }

Expected<int64_t> LogarithmOfFactor(int64_t factor) {
  if (factor < 1 || !std::has_single_bit(static_cast<uint64_t>(factor))) {
    return ArgumentError("a swizzle can be recast by a power of two, not by ", factor);
  }
  return std::countr_zero(static_cast<uint64_t>(factor));
}

}  // namespace

Expected<void> ValidateSwizzle(const Swizzle& swizzle) {
  const auto [bits, base, shift] = swizzle;
  // Each number is bounded first, so that their sum cannot overflow.
  const bool in_range = bits >= 0 && base >= 0 && bits <= kMaxSwizzleBit && base <= kMaxSwizzleBit &&
                        shift >= -kMaxSwizzleBit && shift <= kMaxSwizzleBit;
  if (!in_range || bits + base + std::abs(shift) > kMaxSwizzleBit) {
    return LayoutError(ToString(swizzle), ": expected B >= 0, M >= 0 and M + B + |S| <= ", kMaxSwizzleBit);
  }
  if (std::abs(shift) < bits) return LayoutError(ToString(swizzle), ": expected |S| >= B");
  return {};
}

Expected<Swizzle> ComposeSwizzles(const Swizzle& a, const Swizzle& b) {
  for (const Swizzle& swizzle : {a, b}) {
    if (auto valid = ValidateSwizzle(swizzle); !valid) return std::unexpected(valid.error());
  }
  if (a.bits == 0) return b;
  if (b.bits == 0) return a;
  if (a.shift != b.shift) return ArgumentError(ToString(a), " o ", ToString(b), " is no swizzle: the shifts differ");
  if ((ReadMask(a) & WriteMask(b)) != 0) {
    return ArgumentError(ToString(a), " o ", ToString(b), " is no swizzle: the first reads what the second writes");
  }
  const auto read = static_cast<uint64_t>(ReadMask(a) ^ ReadMask(b));
  if (read == 0) return Swizzle{0, 0, a.shift};
  const int64_t first = std::countr_zero(read);
  const int64_t bits = std::popcount(read);
  if (read != static_cast<uint64_t>(Run(bits, first)) || bits > std::abs(a.shift)) {
    return ArgumentError(ToString(a), " o ", ToString(b), " is no swizzle: its bits are not one run of at most |S|");
  }
  return Swizzle{bits, first - std::max<int64_t>(0, a.shift), a.shift};
}

Expected<Swizzle> UpcastSwizzle(const Swizzle& swizzle, int64_t factor) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateSwizzle(swizzle));
  LAYOUTCHECK_TRY(const int64_t shrink, LogarithmOfFactor(factor));
  const int64_t base = swizzle.base - shrink;
  if (base >= 0) return Swizzle{swizzle.bits, base, swizzle.shift};
  // The lowest -base moves touch bits inside the new element. Downward moves disappear in it. An upward move carries a
  // bit from inside to a place above, unless all moves stay inside.
  const int64_t kept = std::max<int64_t>(0, swizzle.bits + base);
  if (swizzle.shift < 0 && swizzle.bits > 0 && swizzle.base - swizzle.shift + swizzle.bits > shrink) {
    return ArgumentError(ToString(swizzle), " moves bits from inside elements of ", factor, " to bits above them");
  }
  return Swizzle{swizzle.shift < 0 ? 0 : kept, 0, swizzle.shift};
}

Expected<Swizzle> DowncastSwizzle(const Swizzle& swizzle, int64_t factor) {
  Expected<void> valid = ValidateSwizzle(swizzle);
  if (!valid) return std::unexpected(valid.error());
  LAYOUTCHECK_TRY(const int64_t grow, LogarithmOfFactor(factor));
  const Swizzle result{swizzle.bits, swizzle.base + grow, swizzle.shift};
  valid = ValidateSwizzle(result);
  if (!valid) return std::unexpected(valid.error());
  return result;
}

std::string ToString(const Swizzle& swizzle) {
  return StrCat("Sw<", swizzle.bits, ",", swizzle.base, ",", swizzle.shift, ">");
}

}  // namespace layoutcheck
