// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_generator.h"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/generate/size_target.h"

namespace layoutcheck {
namespace {

// Returns true if a list of `have` items gets one more: it stops after n items with probability stop[n] / 16. A choice
// per item lets a shrinker remove the choices of one item without changing the others.
template <size_t N>
bool OneMore(Choices& choices, const std::array<uint64_t, N>& stop, size_t have) {
  return have < N && choices.Choose(16) >= stop[have];
}

constexpr std::array<uint64_t, 8> kStopDimensions = {1, 3, 5, 8, 8, 8, 8, 8};
constexpr std::array<uint64_t, 4> kStopTiles = {5, 6, 9, 12};
constexpr std::array<uint64_t, 8> kStopTileEntries = {0, 4, 5, 7, 8, 10, 12, 12};

int64_t TileSize(uint64_t kind, uint64_t value) {
  if (kind < 4) return static_cast<int64_t>(value % 8) + 1;
  if (kind == 4) return int64_t{1} << (value % 8);
  return kPrimes[value % 5];
}

struct DrawnDimension {
  uint64_t kind;
  uint64_t value;
  uint64_t sort_key;
};

// Returns the size of a dimension. `tile` is the size of the first tile in that dimension, or 1.
int64_t DimensionSize(const DrawnDimension& drawn, int64_t tile) {
  const auto value = static_cast<int64_t>(drawn.value);
  if (drawn.kind < 4 || (drawn.kind < 8 && tile == 1)) return 1 + value % 9;
  if (drawn.kind < 8) return std::max<int64_t>(0, tile * (1 + value / 3 % 3) + std::array{0, 1, -1}[drawn.value % 3]);
  if (drawn.kind == 8) return kPrimes[drawn.value % std::size(kPrimes)];
  if (drawn.kind == 9) return int64_t{1} << (value % 9);
  return drawn.kind == 10 || value % 2 == 1 ? 1 : 0;
}

// Returns the size of the first tile in a dimension, or 1 if the tile does not reach the dimension or combines it.
int64_t FirstTileSize(std::span<const Tile> tiles, size_t from_minor_end) {
  if (tiles.empty() || from_minor_end >= tiles[0].dimensions.size()) return 1;
  const int64_t size = tiles[0].dimensions[tiles[0].dimensions.size() - 1 - from_minor_end];
  return size == Tile::kCombineDimension ? 1 : size;
}

// Returns true if the allocation, with tail padding, has at most `most` elements.
bool AllocatesAtMost(const Shape& shape, int64_t most) {
  const std::optional<int64_t> tiled = TiledElements(shape, shape.layout->tiles.size());
  if (!tiled) return false;
  const CheckedInt64 alignment = shape.layout->tail_padding_alignment_in_elements;
  if (alignment.value == 1) return *tiled <= most;
  const CheckedInt64 padded = CeilDiv(CheckedInt64(*tiled), alignment) * alignment;
  return !padded.overflow && padded.value <= most;
}

// Halves the largest tile entry, or else the tail padding, until the allocation is within the scope.
void FitAllocation(Shape& shape, const LayoutScope& scope) {
  while (!AllocatesAtMost(shape, scope.max_padded_elements)) {
    int64_t* largest = &shape.layout->tail_padding_alignment_in_elements;
    for (Tile& tile : shape.layout->tiles) {
      for (int64_t& size : tile.dimensions) {
        if (size > *largest) largest = &size;
      }
    }
    if (*largest <= 1) return;
    *largest /= 2;
  }
}

void DrawTiles(Choices& choices, const LayoutScope& scope, size_t rank, std::vector<Tile>& tiles) {
  size_t count = 0;
  while (static_cast<int64_t>(count) < scope.max_tiles && OneMore(choices, kStopTiles, count)) {
    if (count == tiles.size()) tiles.emplace_back();
    Tile& tile = tiles[count++];
    tile.dimensions.clear();
    while (tile.dimensions.size() < rank + 2 && OneMore(choices, kStopTileEntries, tile.dimensions.size())) {
      const uint64_t kind = choices.Choose(8);
      const uint64_t value = choices.Choose(16);
      tile.dimensions.push_back(kind == 7 && scope.combine ? Tile::kCombineDimension : TileSize(kind % 6, value));
    }
    if (tile.dimensions.back() == Tile::kCombineDimension) tile.dimensions.back() = 2;
  }
  tiles.resize(count);
}

// Sets minor_to_major by the sort keys. Equal keys give the simplest order, row-major.
void SetOrder(std::span<const DrawnDimension> drawn, std::vector<int64_t>& order) {
  order.resize(drawn.size());
  const auto key = [&](int64_t d) { return drawn[static_cast<size_t>(d)].sort_key; };
  // Sorts by insertion: std::stable_sort allocates.
  for (size_t count = 0; count < order.size(); ++count) {
    const auto d = static_cast<int64_t>(drawn.size() - 1 - count);
    size_t at = count;
    for (; at > 0 && key(order[at - 1]) > key(d); --at) order[at] = order[at - 1];
    order[at] = d;
  }
}

// Makes `shape` an array of this rank with a layout without attributes. Its sizes, order and tiles remain to be set.
void Reset(Shape& shape, ElementType type, size_t rank) {
  shape.element_type = type;
  shape.dimensions.resize(rank);
  shape.dynamic_dimensions.assign(rank, false);
  shape.elements.clear();
  if (!shape.layout) shape.layout.emplace();
  Layout& layout = *shape.layout;
  layout.tail_padding_alignment_in_elements = 1;
  layout.index_primitive_type.reset();
  layout.pointer_primitive_type.reset();
  layout.element_size_in_bits = 0;
  layout.memory_space = 0;
  layout.split_configs.clear();
  layout.physical_shape.clear();
  layout.dynamic_shape_metadata_prefix_bytes = 0;
}

void DrawAttributes(Choices& choices, Shape& shape) {
  Layout& layout = *shape.layout;
  const auto types = ArrayElementTypes();
  if (choices.Choose(4) == 3) shape.element_type = types[choices.Choose(types.size())];
  if (choices.Choose(8) == 7) {
    const int64_t bits = IsSubByteNonPred(shape.element_type) ? BitWidth(shape.element_type) : 0;
    constexpr int64_t kWidths[] = {4, 1, 2, 8, 16, 32, 6, 3};
    layout.element_size_in_bits =
        bits != 0 && choices.Choose(2) == 0 ? bits : kWidths[choices.Choose(std::size(kWidths))];
  }
  if (choices.Choose(8) == 7) layout.tail_padding_alignment_in_elements = static_cast<int64_t>(choices.Choose(64)) + 1;
  if (choices.Choose(8) == 7) layout.memory_space = static_cast<int64_t>(choices.Choose(7));
  if (choices.Choose(12) == 11) layout.dynamic_shape_metadata_prefix_bytes = static_cast<int64_t>(choices.Choose(1025));
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    if (choices.Choose(20) == 19) shape.dynamic_dimensions[d] = true;
  }
  if (shape.rank() > 0 && choices.Choose(12) == 11) {
    const auto physical = static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(shape.rank())));
    const int64_t size = shape.dimensions[static_cast<size_t>(layout.Major(physical))];
    SplitConfig split{physical, {}};
    for (int64_t at = 1; at < size && split.split_indices.size() < 3; ++at) {
      if (choices.Choose(3) == 2) split.split_indices.push_back(at);
    }
    if (!split.split_indices.empty()) layout.split_configs.push_back(split);
  }
}

}  // namespace

std::string LayoutScope::ToString() const {
  std::string text =
      fmt::format("rank <= {}, tiles <= {}, elements <= {}, padded elements <= {}{}{}", max_rank, max_tiles,
                  max_elements, max_padded_elements, combine ? ", with *" : "", attributes ? ", with attributes" : "");
  if (max_array_elements < INT64_MAX) text += fmt::format(", arrays of at most {} elements", max_array_elements);
  if (max_array_bytes < INT64_MAX) text += fmt::format(", arrays of at most {} bytes", max_array_bytes);
  return text;
}

Shape DrawLayout(Choices& choices, const LayoutScope& scope) {
  Shape shape;
  DrawLayout(choices, scope, shape);
  return shape;
}

void DrawLayout(Choices& choices, const LayoutScope& scope, Shape& shape) {
  std::array<DrawnDimension, kStopDimensions.size()> drawn;
  size_t rank = 0;
  while (static_cast<int64_t>(rank) < scope.max_rank && OneMore(choices, kStopDimensions, rank)) {
    const uint64_t kind = choices.Choose(12);
    const uint64_t value = choices.Choose(32);
    drawn[rank++] = {kind, value, choices.Choose(16)};
  }
  Reset(shape, ElementType::kF32, rank);
  Layout& layout = *shape.layout;
  DrawTiles(choices, scope, rank, layout.tiles);
  SetOrder(std::span(drawn).first(rank), layout.minor_to_major);

  int64_t elements = 1;
  for (size_t k = 0; k < rank; ++k) {
    const auto d = static_cast<size_t>(layout.minor_to_major[k]);
    const int64_t size = DimensionSize(drawn[d], FirstTileSize(layout.tiles, k));
    const int64_t most = std::max<int64_t>(scope.max_elements / elements, 1);
    shape.dimensions[d] = size <= most ? size : 1 + size % most;
    elements *= std::max<int64_t>(shape.dimensions[d], 1);
  }
  if (scope.attributes) DrawAttributes(choices, shape);
  FitAllocation(shape, scope);
}

namespace {

// Draws rank, tiles and order of an array whose sizes remain to be set.
Shape DrawWithoutSizes(Choices& choices, const LayoutScope& scope, std::vector<DrawnDimension>& drawn) {
  do {
    const uint64_t kind = choices.Choose(4);
    const uint64_t value = choices.Choose(64);
    drawn.push_back({kind, value, choices.Choose(16)});
  } while (static_cast<int64_t>(drawn.size()) < std::min<int64_t>(scope.max_rank, 4) && choices.Choose(3) > 0);
  Shape shape;
  Reset(shape, ElementType::kS8, drawn.size());
  DrawTiles(choices, scope, drawn.size(), shape.layout->tiles);
  SetOrder(drawn, shape.layout->minor_to_major);
  return shape;
}

// Halves the largest dimension, and drops the tiles at last, until the array has sizes that `fits` takes.
template <class Fits>
void HalveUntil(Shape& shape, Fits fits) {
  for (;;) {
    const auto sizes = SizesOf(shape);
    if (sizes && fits(*sizes)) return;
    int64_t& largest = *std::ranges::max_element(shape.dimensions);
    if (largest <= 2 && shape.layout->tiles.empty()) return;
    largest = largest / 2 + 1;
    if (largest <= 2) shape.layout->tiles.clear();
  }
}

}  // namespace

Shape DrawHugeLayout(Choices& choices, const LayoutScope& scope) {
  constexpr std::array kBits = {31, 32, 62, 31, 62, 33, 16, 15, 40, 48};
  const int bits = kBits[choices.Choose(kBits.size())];
  std::vector<DrawnDimension> drawn;
  Shape shape = DrawWithoutSizes(choices, scope, drawn);

  // Each dimension gets its share of the bits and is mostly slightly off the power of two.
  for (size_t d = 0; d < drawn.size(); ++d) {
    const int share = drawn[d].kind == 3 ? 2 : std::max(1, bits / static_cast<int>(drawn.size()));
    const int64_t off = static_cast<int64_t>(drawn[d].value % 8) - 3;
    shape.dimensions[d] = std::max<int64_t>(1, (int64_t{1} << share) + (drawn[d].kind == 0 ? 0 : off));
  }
  HalveUntil(shape, [](const LayoutSizes&) { return true; });
  return shape;
}

Shape DrawLayoutNear(Choices& choices, const LayoutScope& scope, const SizeTarget& target) {
  std::vector<DrawnDimension> drawn;
  Shape shape = DrawWithoutSizes(choices, scope, drawn);
  constexpr std::array kTypes = {ElementType::kS8,   ElementType::kF32, ElementType::kS8,
                                 ElementType::kBF16, ElementType::kS64, ElementType::kS4};
  if (scope.attributes) shape.element_type = kTypes[choices.Choose(kTypes.size())];
  const size_t large = choices.Choose(drawn.size());
  // The others have a share of the bits, or the sizes of small arrays.
  const int share = static_cast<int>(std::bit_width(static_cast<uint64_t>(target.size)) / drawn.size());
  int64_t tile_of_large = 1;
  for (size_t k = 0; k < drawn.size(); ++k) {
    const auto d = static_cast<size_t>(shape.layout->minor_to_major[k]);
    const int64_t tile = FirstTileSize(shape.layout->tiles, k);
    const int64_t off = static_cast<int64_t>(drawn[d].value % 8) - 3;
    if (d == large) tile_of_large = tile;
    shape.dimensions[d] = d == large ? tile
                          : drawn[d].kind == 0
                              ? std::max<int64_t>(1, (int64_t{1} << share) + off)
                              : std::max<int64_t>(1, DimensionSize({drawn[d].kind * 4, drawn[d].value, 0}, tile));
  }
  HalveUntil(shape, [](const LayoutSizes&) { return true; });
  const Expected<LayoutSizes> of_one_tile = SizesOf(shape);
  if (of_one_tile) shape.dimensions[large] = DimensionNear(choices, target, *of_one_tile, tile_of_large);
  HalveUntil(shape, [&](const LayoutSizes& sizes) { return IsWithinArrayLimits(sizes, scope); });
  return shape;
}

}  // namespace layoutcheck
