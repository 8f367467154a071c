#include "layoutcheck/core/shape_stride/swizzle.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Offsets are below 2^62, so that no mask reaches the sign.
constexpr int64_t kMaxSwizzleBit = 62;
// Largest swizzled layout whose values are enumerated.
constexpr int64_t kMaxEnumerated = int64_t{1} << 22;

int64_t Run(int64_t bits, int64_t from) { return ((int64_t{1} << bits) - 1) << from; }
int64_t WriteMask(const Swizzle& s) { return Run(s.bits, s.base - std::min<int64_t>(0, s.shift)); }

Expected<int64_t> LogarithmOfFactor(int64_t factor) {
  if (factor < 1 || !std::has_single_bit(static_cast<uint64_t>(factor))) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("a swizzle can be recast by a power of two, not by ", factor));
  }
  return std::countr_zero(static_cast<uint64_t>(factor));
}

}  // namespace

Expected<void> ValidateSwizzle(const Swizzle& swizzle) {
  const auto [bits, base, shift] = swizzle;
  // Bounded one by one first, so that nothing below can overflow.
  const bool in_range = bits >= 0 && base >= 0 && bits <= kMaxSwizzleBit && base <= kMaxSwizzleBit &&
                        shift >= -kMaxSwizzleBit && shift <= kMaxSwizzleBit;
  if (!in_range || bits + base + std::abs(shift) > kMaxSwizzleBit) {
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat(ToString(swizzle), ": expected B >= 0, M >= 0 and M + B + |S| <= ", kMaxSwizzleBit));
  }
  if (std::abs(shift) < bits) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat(ToString(swizzle), ": expected |S| >= B"));
  }
  return {};
}

Expected<Swizzle> ComposeSwizzles(const Swizzle& a, const Swizzle& b) {
  for (const Swizzle& swizzle : {a, b}) {
    const Expected<void> valid = ValidateSwizzle(swizzle);
    if (!valid) return std::unexpected(valid.error());
  }
  if (a.bits == 0) return b;
  if (b.bits == 0) return a;
  if (a.shift != b.shift) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(ToString(a), " o ", ToString(b), " is no swizzle: the shifts differ"));
  }
  if ((ReadMask(a) & WriteMask(b)) != 0) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(ToString(a), " o ", ToString(b), " is no swizzle: the first reads what the second writes"));
  }
  const auto read = static_cast<uint64_t>(ReadMask(a) ^ ReadMask(b));
  if (read == 0) return Swizzle{0, 0, a.shift};
  const int64_t first = std::countr_zero(read);
  const int64_t bits = std::popcount(read);
  if (read != static_cast<uint64_t>(Run(bits, first)) || bits > std::abs(a.shift)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(ToString(a), " o ", ToString(b),
                                                         " is no swizzle: its bits are not one run of at most |S|"));
  }
  return Swizzle{bits, first - std::max<int64_t>(0, a.shift), a.shift};
}

Expected<Swizzle> UpcastSwizzle(const Swizzle& swizzle, int64_t factor) {
  const Expected<void> valid = ValidateSwizzle(swizzle);
  if (!valid) return std::unexpected(valid.error());
  const Expected<int64_t> shrink = LogarithmOfFactor(factor);
  if (!shrink) return std::unexpected(shrink.error());
  const int64_t base = swizzle.base - *shrink;
  if (base >= 0) return Swizzle{swizzle.bits, base, swizzle.shift};
  // The -base lowest moves touch bits inside the new element. Downward moves disappear in it; an upward one carries a
  // bit from inside to a place above, unless all of them stay inside.
  const int64_t kept = std::max<int64_t>(0, swizzle.bits + base);
  if (swizzle.shift < 0 && swizzle.bits > 0 && swizzle.base - swizzle.shift + swizzle.bits > *shrink) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(ToString(swizzle), " moves bits from inside elements of ", factor, " to bits above them"));
  }
  return Swizzle{swizzle.shift < 0 ? 0 : kept, 0, swizzle.shift};
}

Expected<Swizzle> DowncastSwizzle(const Swizzle& swizzle, int64_t factor) {
  Expected<void> valid = ValidateSwizzle(swizzle);
  if (!valid) return std::unexpected(valid.error());
  const Expected<int64_t> grow = LogarithmOfFactor(factor);
  if (!grow) return std::unexpected(grow.error());
  const Swizzle result{swizzle.bits, swizzle.base + *grow, swizzle.shift};
  valid = ValidateSwizzle(result);
  if (!valid) return std::unexpected(valid.error());
  return result;
}

Expected<void> ValidateComposedLayout(const ComposedLayout& composed) {
  Expected<void> valid = ValidateLayout(composed.layout);
  if (valid && composed.swizzle) valid = ValidateSwizzle(*composed.swizzle);
  return valid;
}

Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ComposedLayout& composed) {
  const Expected<int64_t> inner = Crd2Idx(coordinate, composed.layout);
  if (!inner) return inner;
  const Expected<int64_t> offset = ValueOrOverflow(CheckedInt64(*inner) + composed.offset, "the offset");
  if (!offset || !composed.swizzle) return offset;
  if (*offset < 0) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("offset ", *offset, " is negative: a swizzle has no meaning there"));
  }
  return ApplySwizzle(*composed.swizzle, *offset);
}

Expected<int64_t> Cosize(const ComposedLayout& composed) {
  const Expected<int64_t> size = Size(composed.layout);
  if (!size || *size == 0) return size;
  const Expected<OffsetRange> range = RangeOfOffsets(composed.layout);
  if (!range) return std::unexpected(range.error());
  if (!composed.swizzle) return ValueOrOverflow(CheckedInt64(range->largest) + composed.offset + 1, "the cosize");
  const CheckedInt64 smallest = CheckedInt64(range->smallest) + composed.offset;
  const CheckedInt64 largest = CheckedInt64(range->largest) + composed.offset + 1;
  if (smallest.overflow || largest.overflow || smallest.value < 0) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(ToString(composed), " has offsets outside the swizzle's range"));
  }
  const Expected<std::vector<int64_t>> table = StridedOffsetTable(composed.layout, kMaxEnumerated);
  if (!table) return std::unexpected(table.error());
  int64_t highest = 0;
  for (const int64_t offset : *table) {
    highest = std::max(highest, ApplySwizzle(*composed.swizzle, offset + composed.offset));
  }
  return highest + 1;
}

Expected<std::optional<IntTuple>> FindCoordinate(const ComposedLayout& composed, int64_t offset) {
  if (composed.swizzle) {
    if (offset < 0) return std::nullopt;
    offset = ApplySwizzle(*composed.swizzle, offset);  // its own inverse
  }
  const CheckedInt64 inner = CheckedInt64(offset) - composed.offset;
  if (inner.overflow) return std::nullopt;
  return FindCoordinate(composed.layout, inner.value);
}

std::string ToString(const Swizzle& swizzle) {
  return StrCat("Sw<", swizzle.bits, ",", swizzle.base, ",", swizzle.shift, ">");
}

std::string ToString(const ComposedLayout& composed) {
  std::string out;
  if (composed.swizzle) StrAppend(out, ToString(*composed.swizzle), " o ");
  if (composed.swizzle || composed.offset != 0) StrAppend(out, composed.offset, " o ");
  return out + ToString(composed.layout);
}

}  // namespace layoutcheck
