// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

Expected<LayoutCase> LayoutCase::Create(const Shape& shape) {
  LayoutCase result;
  result.shape = shape;
  result.text = ToString(shape);
  LAYOUTCHECK_TRY(result.layout, TiledLayoutOf(shape));
  LAYOUTCHECK_TRY(const auto index, MakeTiledIndex(result.layout));
  LAYOUTCHECK_TRY(result.sizes, SizesOf(shape, index));
  LAYOUTCHECK_TRY(const auto table, OffsetTable::Create(result.layout, index));
  if (table.size() > OffsetTable::kMaxEntries) return UnsupportedError("too many elements for a table");
  result.offsets.resize(static_cast<size_t>(table.size()));
  table.Fill(result.offsets);
  return result;
}

std::vector<int64_t> LayoutCase::IndexOf(size_t element) const {
  std::vector<int64_t> index(layout.dimensions.size());
  auto rest = static_cast<int64_t>(element);
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = rest % layout.dimensions[d];
    rest /= layout.dimensions[d];
  }
  return index;
}

namespace {

// Returns the size of the first tile per dimension, 1 where it has none.
std::vector<int64_t> FirstTile(const Shape& shape) {
  std::vector<int64_t> sizes(shape.dimensions.size(), 1);
  const std::vector<int64_t>& tile = shape.layout->tiles[0].dimensions;
  for (size_t k = 0; k < std::min(tile.size(), sizes.size()); ++k) {
    const int64_t size = tile[tile.size() - 1 - k];
    if (size != Tile::kCombineDimension) sizes[static_cast<size_t>(shape.layout->minor_to_major[k])] = size;
  }
  return sizes;
}

}  // namespace

Expected<HugeCase> HugeCase::Create(const Shape& shape) {
  LAYOUTCHECK_TRY(const auto index, MakeTiledIndex(shape));
  LAYOUTCHECK_TRY(const auto sizes, SizesOf(shape, index));
  if (sizes.elements == 0) return ArgumentError("the array has no elements");
  HugeCase result{shape, ToString(shape), index, sizes, {}};
  const auto add = [&](auto at) {
    std::vector<int64_t> element;
    for (size_t d = 0; d < shape.dimensions.size(); ++d) element.push_back(at(d, shape.dimensions[d]));
    if (std::ranges::find(result.elements, element) == result.elements.end()) result.elements.push_back(element);
  };
  add([](size_t, int64_t) { return int64_t{0}; });
  add([](size_t, int64_t size) { return size - 1; });
  for (size_t last = 0; shape.dimensions.size() > 1 && last < shape.dimensions.size(); ++last) {
    add([&](size_t d, int64_t size) { return d == last ? size - 1 : 0; });
  }
  if (!shape.layout->tiles.empty()) {
    const std::vector<int64_t> tiles = FirstTile(shape);
    add([&](size_t d, int64_t size) { return std::min(size, tiles[d]) - 1; });
    add([&](size_t d, int64_t size) { return std::min(size - 1, tiles[d]); });
  }
  // the powers of two at which narrow types end, and the last one within each dimension
  constexpr int kLast = 63;
  for (const int bits : {15, 16, 31, 32, kLast}) {
    for (const int64_t difference : {-1, 0}) {
      add([&](size_t, int64_t size) {
        const int power = bits == kLast ? static_cast<int>(std::bit_width(static_cast<uint64_t>(size))) - 1 : bits;
        return std::clamp<int64_t>((int64_t{1} << power) + difference, 0, size - 1);
      });
    }
  }
  // A linear congruential generator makes the places differ from dimension to dimension.
  uint64_t mixed = HashValue(shape) | 1;
  for (int k = 0; k < 4; ++k) {
    add([&](size_t, int64_t size) {
      mixed = mixed * 6364136223846793005u + 1442695040888963407u;
      return static_cast<int64_t>((mixed >> 1) % static_cast<uint64_t>(size));
    });
  }
  return result;
}

}  // namespace layoutcheck
