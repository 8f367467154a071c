// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_strides.h"
#include <bit>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_text.h"

namespace layoutcheck {
namespace {

std::unexpected<Error> NotLinear(const ComposedLayout& composed, std::string_view why) {
  return UnsupportedError(ToString(composed), " is not linear over bits: ", why);
}

// Returns true if no two images share a bit, so that their sums are exclusive ors.
bool AreSeparate(std::span<const uint64_t> images, const Swizzle& swizzle) {
  uint64_t seen = 0;
  for (const uint64_t image : images) {
    const auto moved = static_cast<uint64_t>(ApplySwizzle(swizzle, static_cast<int64_t>(image)));
    if ((seen & moved) != 0) return false;
    seen |= moved;
  }
  return true;
}

// Returns the first swizzle that separates the images and keeps them below 2^bits, or nothing.
std::optional<Swizzle> SeparatingSwizzle(std::span<const uint64_t> images, int64_t bits) {
  if (AreSeparate(images, {})) return Swizzle{};
  for (int64_t count = 1; 2 * count <= bits; ++count) {
    for (int64_t distance = count; count + distance <= bits; ++distance) {
      for (int64_t base = 0; base + count + distance <= bits; ++base) {
        for (const int64_t shift : {distance, -distance}) {
          if (AreSeparate(images, {count, base, shift})) return Swizzle{count, base, shift};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

ShapeStrideLayout ModeOfBits(std::span<const uint64_t> strides) {
  std::vector<StridedMode> modes;
  for (const uint64_t weight : strides) {
    const auto stride = static_cast<int64_t>(weight);
    const CheckedInt64 next =
        modes.empty() ? CheckedInt64() : CheckedInt64(modes.back().extent) * CheckedInt64(modes.back().stride);
    if (!modes.empty() && !next.overflow && next.value == stride) {
      modes.back().extent *= 2;
    } else {
      modes.push_back({2, stride});
    }
  }
  return LayoutOfModes(modes);
}

Expected<LinearLayout> LinearOfStrides(const ComposedLayout& composed) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateComposedLayout(composed));
  LAYOUTCHECK_RETURN_IF_ERROR(RequireOrdinaryStrides(composed.layout));
  if (composed.offset != 0) {
    return NotLinear(composed, StrCat("coordinate 0 is at offset ", composed.offset, ", which would be 0"));
  }
  if (const auto& origin = composed.layout.origin_shape) {
    const Expected<std::vector<int64_t>> sizes = LogicalSizes({composed.layout.shape, composed.layout.stride});
    const Expected<std::vector<int64_t>> held = LogicalSizes(composed.layout);
    if (!sizes || !held || *sizes != *held)
      return NotLinear(composed, StrCat("its origin shape is ", ToString(*origin)));
  }
  std::vector<LinearInput> inputs;
  size_t bits = 0;
  uint64_t seen = 0;
  for (const ShapeStrideLayout& mode : Modes(composed.layout)) {
    LinearInput& input = inputs.emplace_back(LinearInput{DefaultOutputName(inputs.size()), {}});
    const std::vector<IntTuple> extents = Leaves(mode.shape);
    const std::vector<IntTuple> strides = Leaves(mode.stride);
    for (size_t k = 0; k < extents.size(); ++k) {
      const int64_t extent = extents[k].value();
      const int64_t stride = strides[k].value();
      if (extent < 1 || !std::has_single_bit(static_cast<uint64_t>(extent))) {
        return NotLinear(composed, StrCat("the extent ", extent, " is no power of two"));
      }
      if (extent == 1) continue;
      if (stride < 0) return NotLinear(composed, StrCat("the stride ", stride, " is negative"));
      CheckedInt64 image = stride;
      for (int64_t below = 1; below < extent; below *= 2, image = image * 2) {
        if (image.overflow || image.value >> LinearLayout::kMaxBits != 0 || ++bits > LinearLayout::kMaxBits) {
          return NotLinear(composed, StrCat("it has more than ", LinearLayout::kMaxBits, " bits"));
        }
        const auto value = static_cast<uint64_t>(image.value);
        if ((seen & value) != 0) {
          return NotLinear(composed, StrCat("bits of the coordinate share bit ", std::countr_zero(seen & value),
                                            " of the offset, so that their sum may carry"));
        }
        seen |= value;
        input.images.push_back(value);
      }
    }
  }
  uint64_t all = 0;
  for (LinearInput& input : inputs) {
    for (uint64_t& image : input.images) {
      if (composed.swizzle) {
        image = static_cast<uint64_t>(ApplySwizzle(*composed.swizzle, static_cast<int64_t>(image)));
      }
      all |= image;
    }
  }
  return LinearLayout::Create(std::move(inputs), {{DefaultOutputName(0), static_cast<size_t>(std::bit_width(all))}});
}

Expected<ComposedLayout> StridesOfLinear(const LinearLayout& layout) {
  const std::optional<Swizzle> swizzle = SeparatingSwizzle(layout.images(), static_cast<int64_t>(layout.output_bits()));
  if (!swizzle) {
    return UnsupportedError(ToString(layout), " combines bits by exclusive or, and no swizzle Sw<B,M,S> undoes that");
  }
  std::vector<ShapeStrideLayout> modes;
  for (const LinearInput& input : layout.inputs()) {
    std::vector<uint64_t> strides = input.images;
    for (uint64_t& stride : strides) {
      stride = static_cast<uint64_t>(ApplySwizzle(*swizzle, static_cast<int64_t>(stride)));
    }
    modes.push_back(ModeOfBits(strides));
  }
  ComposedLayout composed;
  if (swizzle->bits > 0) composed.swizzle = *swizzle;
  composed.layout = ConcatenateModes(modes);
  return composed;
}

}  // namespace layoutcheck
