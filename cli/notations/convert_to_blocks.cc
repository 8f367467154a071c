// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/conversion_internal.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/blocked_format.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

// Returns blocks with the placement and the element count of the shape's layout.
Expected<BlockedFormat> BlocksOf(const Shape& shape) {
  const Expected<TiledLayout> tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes) return std::unexpected(sizes.error());
  // The unchanged tiles would be blocks for any size. If they are no blocks, the strides for this size may still be.
  Expected<BlockedFormat> format = BlockedFormatOfHlo(
      Shape::Array(shape.element_type, shape.dimensions, Layout(tiled->minor_to_major, shape.layout->tiles)));
  if (!format) {
    const Expected<ShapeStrideLayout> modes = ShapeStrideOfHlo(shape);
    if (!modes) return std::unexpected(modes.error());
    format = BlockedFormatOfShapeStride(*modes);
    if (!format) return std::unexpected(format.error());
  }
  const Expected<int64_t> padded = PaddedElements(*format, tiled->dimensions);
  if (!padded) return std::unexpected(padded.error());
  if (*padded != sizes->padded_elements) {
    return NotExpressible(StrCat(ToString(shape), " takes ", sizes->padded_elements, " elements, blocks ", *padded));
  }
  return format;
}

Expected<BlockedFormat> BlocksOf(const CoreForms& forms) {
  if (forms.shape) return *forms.shape ? BlocksOf(**forms.shape) : std::unexpected(forms.shape->error());
  const Expected<ShapeStrideLayout> strides = PlainStrides(*forms.strided);
  return strides ? BlockedFormatOfShapeStride(*strides) : std::unexpected(strides.error());
}

}  // namespace

Expected<Conversion> ConvertToBlocks(const ConversionSource& source, ConversionTarget target) {
  const Expected<BlockedFormat> format = BlocksOf(source.forms);
  if (!format) return std::unexpected(format.error());
  Conversion conversion;
  if (target == ConversionTarget::kOneDnn) {
    Expected<std::string> tag = OneDnnTag(*format);
    if (!tag) return std::unexpected(tag.error());
    conversion.text = *std::move(tag);
  } else {
    const Expected<PackAttributes> pack = ToPackAttributes(*format);
    if (!pack) return std::unexpected(pack.error());
    conversion.text = ToString(*pack);
    conversion.parts = {{"outer_dims_perm", pack->outer_dims_perm},
                        {"inner_dims_pos", pack->inner_dims_pos},
                        {"inner_tiles", pack->inner_tiles}};
  }
  const auto index = [&](std::span<const int64_t> i) { return OffsetIn(*format, source.sizes, i); };
  if (auto same = CheckSameIndex(source, index, conversion.text); !same) return std::unexpected(same.error());
  return conversion;
}

}  // namespace layoutcheck
