// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {

Expected<TiledLayout> TiledLayoutOf(const Shape& shape) {
  if (!shape.IsArray()) {
    return ArgumentError("a ", ElementTypeName(shape.element_type), " has no linear index: expected an array shape");
  }
  if (!shape.layout) return ArgumentError("the shape has no layout");
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateShape(shape, MissingLayout::kRejected));
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.IsUnbounded(d)) return UnsupportedError("dimension ", d, " is unbounded (?): its size is not known");
  }
  size_t digits = shape.dimensions.size();
  for (const Tile& tile : shape.layout->tiles) digits += tile.dimensions.size();
  if (digits > kMaxDigits) {
    return UnsupportedError("dimensions and tile entries together are ", digits, ": expected at most ", kMaxDigits);
  }
  TiledLayout result{shape.dimensions, shape.layout->minor_to_major, {}};
  for (size_t t = 0; t < shape.layout->tiles.size(); ++t) {
    const Tile& tile = shape.layout->tiles[t];
    if (tile.dimensions.back() == Tile::kCombineDimension) {
      return LayoutError("tile ", t, " ends with *: there is no more minor dimension to combine with");
    }
    std::vector<TileDimension<int64_t>>& entries = result.tiles.emplace_back();
    for (const int64_t size : tile.dimensions) {
      const bool combine = size == Tile::kCombineDimension;
      entries.push_back({combine, combine ? 1 : size});
    }
  }
  return result;
}

Expected<void> ValidateTiledLayout(const TiledLayout& layout) {
  const auto invalid = [](std::string message) { return LayoutError(std::move(message)); };
  const size_t rank = layout.dimensions.size();
  if (layout.minor_to_major.size() != rank) {
    return invalid(StrCat("minor_to_major has ", layout.minor_to_major.size(), " entries, expected ", rank));
  }
  std::vector<bool> seen(rank, false);
  for (const int64_t d : layout.minor_to_major) {
    if (d < 0 || d >= layout.rank() || seen[static_cast<size_t>(d)]) {
      return invalid(StrCat("minor_to_major is not a permutation: entry ", d));
    }
    seen[static_cast<size_t>(d)] = true;
  }
  for (size_t d = 0; d < rank; ++d) {
    if (layout.dimensions[d] < 0) {
      return invalid(StrCat("dimension ", d, " has size ", layout.dimensions[d], ", expected a size >= 0"));
    }
  }
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const auto& tile = layout.tiles[t];
    if (tile.empty()) return invalid(StrCat("tile ", t, " is empty"));
    if (tile.back().combine) return invalid(StrCat("tile ", t, " ends in `*`, which has nothing to combine with"));
    for (const auto& entry : tile) {
      if (!entry.combine && entry.size < 1) {
        return invalid(StrCat("tile ", t, " has size ", entry.size, ", expected a size >= 1"));
      }
    }
  }
  return {};
}

}  // namespace layoutcheck
