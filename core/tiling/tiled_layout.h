// What the three definitions of a tiled layout are given: sizes, dimension order and tiles over any integer type,
// without the attributes that do not move elements.
#ifndef LAYOUTCHECK_CORE_TILING_TILED_LAYOUT_H_
#define LAYOUTCHECK_CORE_TILING_TILED_LAYOUT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// One entry of a tile: `*`, or a size.
template <class Int>
struct TileDimension {
  bool combine = false;
  Int size{};
};

// A tiled layout over `Int`: int64_t for a concrete one, a symbolic integer where sizes are names.
template <class Int>
struct BasicTiledLayout {
  std::vector<Int> dimensions;  // logical sizes
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<TileDimension<Int>>> tiles;

  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  // The logical dimension at physical position p, counted from the major end.
  int64_t Major(int64_t p) const { return minor_to_major[static_cast<size_t>(rank() - 1 - p)]; }
};

using TiledLayout = BasicTiledLayout<int64_t>;

// The most dimensions and tile entries together for which a layout has an index: XLA sets no bound, but what is
// computed once a layout grows with the square of this.
inline constexpr size_t kMaxDigits = 1024;

// The part of an array shape that places its elements. Errors: not an array or without a layout (invalid argument), an
// unbounded dimension (unsupported: its size is not known), more than kMaxDigits dimensions and tile entries
// (unsupported), a layout that breaks a validation rule (invalid layout), and `*` where it has no meaning: as the last
// entry of a tile (invalid layout).
Expected<TiledLayout> TiledLayoutOf(const Shape& shape);

// The same layout over another integer type.
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

#endif  // LAYOUTCHECK_CORE_TILING_TILED_LAYOUT_H_
