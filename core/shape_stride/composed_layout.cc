// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include <algorithm>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

// largest number of coordinates of a swizzled layout whose values are enumerated
constexpr int64_t kMaxSwizzledCoordinates = int64_t{1} << 22;

// Returns the value of the layout that the offset and the swizzle turn into `offset`, or nothing if no int64 does.
std::optional<int64_t> InnerOffset(const ComposedLayout& composed, int64_t offset) {
  if (composed.swizzle) {
    if (offset < 0) return std::nullopt;
    offset = ApplySwizzle(*composed.swizzle, offset);  // a swizzle is its own inverse
  }
  const CheckedInt64 inner = CheckedInt64(offset) - composed.offset;
  return inner.overflow ? std::nullopt : std::optional(inner.value);
}

}  // namespace

Expected<void> ValidateComposedLayout(const ComposedLayout& composed) {
  Expected<void> valid = ValidateLayout(composed.layout);
  if (valid && composed.swizzle) valid = ValidateSwizzle(*composed.swizzle);
  return valid;
}

Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ComposedLayout& composed) {
  LAYOUTCHECK_TRY(const int64_t inner, Crd2Idx(coordinate, composed.layout));
  const Expected<int64_t> offset = ValueOrOverflow(CheckedInt64(inner) + composed.offset, "the offset");
  if (!offset || !composed.swizzle) return offset;
  if (*offset < 0) return ArgumentError("offset ", *offset, " is negative: a swizzle has no meaning there");
  return ApplySwizzle(*composed.swizzle, *offset);
}

Expected<int64_t> Cosize(const ComposedLayout& composed) {
  const Expected<int64_t> size = Size(composed.layout);
  if (!size || *size == 0) return size;
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(composed.layout));
  if (!composed.swizzle) return ValueOrOverflow(CheckedInt64(range.largest) + composed.offset + 1, "the cosize");
  const CheckedInt64 smallest = CheckedInt64(range.smallest) + composed.offset;
  const CheckedInt64 largest = CheckedInt64(range.largest) + composed.offset + 1;
  if (smallest.overflow || largest.overflow || smallest.value < 0) {
    return ArgumentError(ToString(composed), " has offsets outside the swizzle's range");
  }
  LAYOUTCHECK_TRY(const std::vector<int64_t> table, StridedOffsetTable(composed.layout, kMaxSwizzledCoordinates));
  int64_t highest = 0;
  for (const int64_t offset : table) {
    highest = std::max(highest, ApplySwizzle(*composed.swizzle, offset + composed.offset));
  }
  return highest + 1;
}

Expected<std::optional<IntTuple>> FindCoordinate(const ComposedLayout& composed, int64_t offset) {
  const std::optional<int64_t> inner = InnerOffset(composed, offset);
  if (!inner) return std::nullopt;
  return FindCoordinate(composed.layout, *inner);
}

Expected<std::optional<std::vector<int64_t>>> FindCoordinateBelow(const ComposedLayout& composed, int64_t offset,
                                                                  std::span<const int64_t> limits) {
  const std::optional<int64_t> inner = InnerOffset(composed, offset);
  if (!inner) return std::nullopt;
  return FindCoordinateBelow(composed.layout, *inner, limits);
}

std::string ToString(const ComposedLayout& composed) {
  std::string out;
  if (composed.swizzle) StrAppend(out, ToString(*composed.swizzle), " o ");
  if (composed.swizzle || composed.offset != 0) StrAppend(out, composed.offset, " o ");
  return out + ToString(composed.layout);
}

}  // namespace layoutcheck
