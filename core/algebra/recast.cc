// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/recast.h"
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/inverse.h"

namespace layoutcheck {
namespace {

// Returns the leaves of a layout that can be recast by `factor`. Errors: those of RangeOfOffsets; a factor below 1.
Expected<std::vector<StridedMode>> ModesToRecast(const ShapeStrideLayout& layout, int64_t factor) {
  if (factor < 1) return ArgumentError("factor ", factor, ": expected at least 1");
  LAYOUTCHECK_RETURN_IF_ERROR(RangeOfOffsets(layout));
  std::vector<StridedMode> modes = *FlatModes(layout);
  for (const StridedMode& mode : modes) {
    if (mode.stride == std::numeric_limits<int64_t>::min()) {
      return OverflowError("stride ", mode.stride, " has no absolute value in int64");
    }
  }
  return modes;
}

ShapeStrideLayout WithModes(const ShapeStrideLayout& like, const std::vector<StridedMode>& modes) {
  std::vector<IntTuple> extents;
  std::vector<IntTuple> strides;
  for (const StridedMode& mode : modes) {
    extents.emplace_back(mode.extent);
    strides.emplace_back(mode.stride);
  }
  return WithStatic({Unflatten(like.shape, extents), Unflatten(like.shape, strides)}, IsStatic(like));
}

}  // namespace

Expected<ShapeStrideLayout> Upcast(const ShapeStrideLayout& layout, int64_t factor) {
  LAYOUTCHECK_TRY(std::vector<StridedMode> modes, ModesToRecast(layout, factor));
  CheckedInt64 inside = 0;  // how far the modes reach inside one new element, in old elements
  for (StridedMode& mode : modes) {
    const int64_t width = std::abs(mode.stride);
    if (width == 0) continue;
    if (mode.extent > 1 && width % factor != 0 && factor % width != 0) {
      return ArgumentError("neither of the stride ", mode.stride, " of ", ToString(layout), " and the factor ", factor,
                           " divides the other");
    }
    if (width >= factor) {
      mode.stride = mode.extent == 1 ? CeilDiv(width, factor) * (mode.stride < 0 ? -1 : 1) : mode.stride / factor;
      continue;
    }
    if (mode.stride < 0 && mode.extent > 1) {
      return ArgumentError("the stride ", mode.stride, " of ", ToString(layout), " runs backward through elements of ",
                           factor);
    }
    const int64_t parts = factor / width;
    inside = inside + (CheckedInt64(std::min(mode.extent, parts)) - 1) * width;
    mode = {CeilDiv(mode.extent, parts), mode.stride < 0 ? -1 : 1};
  }
  if (inside.overflow || inside.value >= factor) {
    return ArgumentError("the modes of ", ToString(layout), " overlap inside elements of ", factor);
  }
  return WithModes(layout, modes);
}

Expected<ShapeStrideLayout> Downcast(const ShapeStrideLayout& layout, int64_t factor) {
  LAYOUTCHECK_TRY(std::vector<StridedMode> modes, ModesToRecast(layout, factor));
  if (factor == 1) return ShapeStrideLayout{layout.shape, layout.stride};
  int64_t contiguous = 0;
  for (StridedMode& mode : modes) {
    const bool unit = mode.stride == 1 || (mode.stride == -1 && mode.extent == 1);
    if (mode.stride == -1 && mode.extent > 1) {
      return ArgumentError("the stride -1 of ", ToString(layout),
                           " runs backward; the parts of an element run forward");
    }
    const CheckedInt64 product = CheckedInt64(unit ? mode.extent : mode.stride) * factor;
    if (product.overflow) return OverflowError("the downcast layout does not fit int64");
    (unit ? mode.extent : mode.stride) = product.value;
    if (unit) {
      ++contiguous;
      mode.stride = 1;
    }
  }
  if (contiguous != 1) {
    return ArgumentError(ToString(layout), " has ", contiguous,
                         " modes of stride 1: expected the one to be cut into parts");
  }
  ShapeStrideLayout result = WithModes(layout, modes);
  LAYOUTCHECK_RETURN_IF_ERROR(RangeOfOffsets(result));
  return result;
}

Expected<ComposedLayout> Upcast(const ComposedLayout& composed, int64_t factor) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout layout, Upcast(composed.layout, factor));
  if (composed.offset % factor != 0) {
    return ArgumentError("the offset ", composed.offset, " lies inside an element of ", factor);
  }
  if (!composed.swizzle) return ComposedLayout{std::nullopt, composed.offset / factor, layout};
  LAYOUTCHECK_TRY(const Swizzle swizzle, UpcastSwizzle(*composed.swizzle, factor));
  return ComposedLayout{swizzle, composed.offset / factor, layout};
}

Expected<ComposedLayout> Downcast(const ComposedLayout& composed, int64_t factor) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout layout, Downcast(composed.layout, factor));
  LAYOUTCHECK_TRY(const int64_t offset, ValueOrOverflow(CheckedInt64(composed.offset) * factor, "the offset"));
  if (!composed.swizzle) return ComposedLayout{std::nullopt, offset, layout};
  LAYOUTCHECK_TRY(const Swizzle swizzle, DowncastSwizzle(*composed.swizzle, factor));
  return ComposedLayout{swizzle, offset, layout};
}

Expected<ShapeStrideLayout> RecastLayout(const ShapeStrideLayout& layout, int64_t old_bits, int64_t new_bits) {
  if (old_bits < 1 || new_bits < 1) {
    return ArgumentError("widths ", old_bits, " and ", new_bits, ": expected bits above 0");
  }
  const int64_t common = std::gcd(old_bits, new_bits);
  const Expected<ShapeStrideLayout> wide = Upcast(layout, new_bits / common);
  return wide ? Downcast(*wide, old_bits / common) : wide;
}

Expected<int64_t> MaxAlignment(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout coalesced, Coalesce(layout));
  LAYOUTCHECK_TRY(const std::vector<StridedMode> modes, ModesToRecast(coalesced, 1));
  LAYOUTCHECK_TRY(const ShapeStrideLayout inverse, RightInverse(coalesced));
  const std::vector<StridedMode> chain = *FlatModes(inverse);
  int64_t alignment = *Size(inverse);
  int64_t index_step = 1;
  for (const StridedMode& mode : modes) {
    // The strides of the inverse are the index steps of the modes that it chains.
    bool chained = false;
    for (const StridedMode& link : chain) chained |= link.extent > 1 && link.stride == index_step;
    if (!chained) alignment = std::gcd(alignment, mode.stride);
    index_step *= mode.extent;
  }
  return alignment;
}

}  // namespace layoutcheck
