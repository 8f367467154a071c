// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/tile_layout.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the integers of an argument, which must have one integer >= 0 per mode of the layout.
Expected<std::vector<int64_t>> OnePerMode(const ShapeStrideLayout& layout, const IntTuple& numbers,
                                          std::string_view what) {
  const Expected<void> valid = ValidateLayout(layout);
  if (!valid) return std::unexpected(valid.error());
  if (Depth(numbers) > 1 || numbers.is_leaf() != layout.shape.is_leaf() || Rank(numbers) != Rank(layout)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(what, " ", ToString(numbers), ": expected one integer for each of the ", Rank(layout),
                            " modes of ", ToString(layout)));
  }
  std::vector<int64_t> result;
  for (const IntTuple& number : Leaves(numbers)) {
    if (number.value() < 0) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat(what, " ", ToString(numbers), " has an integer below 0"));
    }
    result.push_back(number.value());
  }
  return result;
}

// Returns the shape of a tile: as many inner blocks per mode as the tile needs.
Expected<IntTuple> TileShapeOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& tile) {
  std::vector<IntTuple> shape;
  for (size_t i = 0; i < tile.size(); ++i) {
    const IntTuple mode = *Get(layout.shape, static_cast<int64_t>(i));
    if (mode.is_leaf()) {
      shape.emplace_back(tile[i]);
      continue;
    }
    if (Depth(mode) != 1 || Rank(mode) != 2 || mode.elements()[0].value() < 1) {
      return MakeError(ErrorKind::kUnsupported,
                       StrCat("mode ", i, " is ", ToString(mode), ": expected an integer or (inner,outer)"));
    }
    const IntTuple& inner = mode.elements()[0];
    shape.push_back(IntTuple::Tuple({inner, CeilDiv(tile[i], inner.value())}));
  }
  return layout.shape.is_leaf() ? shape[0] : IntTuple::Tuple(std::move(shape));
}

}  // namespace

Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate) {
  const Expected<std::vector<int64_t>> tile = OnePerMode(layout, tile_shape, "tile shape");
  if (!tile) return std::unexpected(tile.error());
  const Expected<std::vector<int64_t>> start = OnePerMode(layout, coordinate, "coordinate");
  if (!start) return std::unexpected(start.error());
  Expected<std::vector<int64_t>> origin = LogicalSizes(layout);
  if (!origin) return std::unexpected(origin.error());
  Expected<IntTuple> shape = TileShapeOf(layout, *tile);
  if (!shape) return std::unexpected(shape.error());
  for (size_t i = 0; i < origin->size(); ++i) {
    (*origin)[i] = std::min((*tile)[i], std::max<int64_t>((*origin)[i] - (*start)[i], 0));
  }
  const std::vector<IntTuple> sizes(origin->begin(), origin->end());
  return ShapeStrideLayout{*std::move(shape), layout.stride,
                           layout.shape.is_leaf() ? sizes[0] : IntTuple::Tuple(sizes)};
}

}  // namespace layoutcheck
