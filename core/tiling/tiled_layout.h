// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a layout that places elements: sizes, dimension order and tiles over any integer type.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// An entry of a tile: `*` (combine), or a size.
template <class Int>
struct TileDimension {
  bool combine = false;
  Int size{};
};

// A tiled layout whose sizes may be symbolic: Int is int64_t, or a symbolic integer if sizes are names.
template <class Int>
struct BasicTiledLayout {
  std::vector<Int> dimensions;  // logical sizes, in elements
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<TileDimension<Int>>> tiles;

  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  // Returns the logical dimension at physical position p, where position 0 is the major end.
  int64_t Major(int64_t p) const { return minor_to_major[static_cast<size_t>(rank() - 1 - p)]; }
};

using TiledLayout = BasicTiledLayout<int64_t>;

// Largest number of dimensions plus tile entries. XLA has no bound; here, work per layout grows with its square.
inline constexpr size_t kMaxDigits = 1024;

// Returns the tiled layout of an array shape. Errors: no array, or no layout (invalid argument); an unbounded
// dimension, or more than kMaxDigits dimensions and tile entries (unsupported); a layout that breaks a
// validation rule, or a tile that ends with `*` (invalid layout).
Expected<TiledLayout> TiledLayoutOf(const Shape& shape);

// Returns an error (invalid layout) that names the place unless minor_to_major is a permutation, sizes are >= 0, and
// each tile has entries, sizes >= 1, and no `*` at its end.
Expected<void> ValidateTiledLayout(const TiledLayout& layout);

// Returns the same layout over another integer type.
template <class Int>
BasicTiledLayout<Int> ConvertTiledLayout(const TiledLayout& layout) {
  BasicTiledLayout<Int> result{{layout.dimensions.begin(), layout.dimensions.end()}, layout.minor_to_major, {}};
  for (const auto& tile : layout.tiles) {
    std::vector<TileDimension<Int>>& converted = result.tiles.emplace_back();
    for (const auto& entry : tile) converted.push_back({entry.combine, Int(entry.size)});
  }
  return result;
}

}  // namespace layoutcheck
