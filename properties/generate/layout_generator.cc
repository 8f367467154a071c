// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_generator.h"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>
#include "layoutcheck/core/tiling/sizes.h"

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

constexpr int64_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 31, 61, 127};

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
int64_t FirstTileSize(const std::vector<Tile>& tiles, size_t from_minor_end) {
  if (tiles.empty() || from_minor_end >= tiles[0].dimensions.size()) return 1;
  const int64_t size = tiles[0].dimensions[tiles[0].dimensions.size() - 1 - from_minor_end];
  return size == Tile::kCombineDimension ? 1 : size;
}

int64_t PaddedElements(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  return sizes ? sizes->padded_elements : std::numeric_limits<int64_t>::max();
}

// Halves the largest tile entry, or else the tail padding, until the allocation is within the scope.
void FitAllocation(Shape& shape, const LayoutScope& scope) {
  while (PaddedElements(shape) > scope.max_padded_elements) {
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

std::vector<Tile> DrawTiles(Choices& choices, const LayoutScope& scope, size_t rank) {
  std::vector<Tile> tiles;
  while (static_cast<int64_t>(tiles.size()) < scope.max_tiles && OneMore(choices, kStopTiles, tiles.size())) {
    Tile& tile = tiles.emplace_back();
    while (tile.dimensions.size() < rank + 2 && OneMore(choices, kStopTileEntries, tile.dimensions.size())) {
      const uint64_t kind = choices.Choose(8);
      const uint64_t value = choices.Choose(16);
      tile.dimensions.push_back(kind == 7 && scope.combine ? Tile::kCombineDimension : TileSize(kind % 6, value));
    }
    if (tile.dimensions.back() == Tile::kCombineDimension) tile.dimensions.back() = 2;
  }
  return tiles;
}

// Returns minor_to_major by the sort keys. Equal keys give the simplest order, row-major.
std::vector<int64_t> OrderOf(const std::vector<DrawnDimension>& drawn) {
  std::vector<int64_t> order(drawn.size());
  std::iota(order.rbegin(), order.rend(), 0);
  std::ranges::stable_sort(order, {}, [&](int64_t d) { return drawn[static_cast<size_t>(d)].sort_key; });
  return order;
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
  return fmt::format("rank <= {}, tiles <= {}, elements <= {}, padded elements <= {}{}{}", max_rank, max_tiles,
                     max_elements, max_padded_elements, combine ? ", with *" : "",
                     attributes ? ", with attributes" : "");
}

Shape DrawLayout(Choices& choices, const LayoutScope& scope) {
  std::vector<DrawnDimension> drawn;
  while (static_cast<int64_t>(drawn.size()) < scope.max_rank && OneMore(choices, kStopDimensions, drawn.size())) {
    const uint64_t kind = choices.Choose(12);
    const uint64_t value = choices.Choose(32);
    drawn.push_back({kind, value, choices.Choose(16)});
  }
  const size_t rank = drawn.size();

  std::vector<Tile> tiles = DrawTiles(choices, scope, rank);

  std::vector<int64_t> order = OrderOf(drawn);
  std::vector<int64_t> dimensions(rank);
  int64_t elements = 1;
  for (size_t k = 0; k < rank; ++k) {
    const auto d = static_cast<size_t>(order[k]);
    const int64_t size = DimensionSize(drawn[d], FirstTileSize(tiles, k));
    const int64_t most = std::max<int64_t>(scope.max_elements / elements, 1);
    dimensions[d] = size <= most ? size : 1 + size % most;
    elements *= std::max<int64_t>(dimensions[d], 1);
  }

  Shape shape = Shape::Array(ElementType::kF32, std::move(dimensions), Layout(std::move(order), std::move(tiles)));
  if (scope.attributes) DrawAttributes(choices, shape);
  FitAllocation(shape, scope);
  return shape;
}

Shape DrawHugeLayout(Choices& choices, const LayoutScope& scope) {
  constexpr std::array kBits = {31, 32, 62, 31, 62, 33, 16, 15, 40, 48};
  const int bits = kBits[choices.Choose(kBits.size())];
  std::vector<DrawnDimension> drawn;
  do {
    const uint64_t kind = choices.Choose(4);
    const uint64_t value = choices.Choose(64);
    drawn.push_back({kind, value, choices.Choose(16)});
  } while (static_cast<int64_t>(drawn.size()) < std::min<int64_t>(scope.max_rank, 4) && choices.Choose(3) > 0);
  std::vector<Tile> tiles = DrawTiles(choices, scope, drawn.size());

  // Each dimension gets its share of the bits and is mostly slightly off the power of two.
  std::vector<int64_t> dimensions;
  for (const DrawnDimension& dimension : drawn) {
    const int share = dimension.kind == 3 ? 2 : std::max(1, bits / static_cast<int>(drawn.size()));
    const int64_t off = static_cast<int64_t>(dimension.value % 8) - 3;
    dimensions.push_back(std::max<int64_t>(1, (int64_t{1} << share) + (dimension.kind == 0 ? 0 : off)));
  }
  Shape shape = Shape::Array(ElementType::kS8, std::move(dimensions), Layout(OrderOf(drawn), std::move(tiles)));
  while (!SizesOf(shape)) {
    int64_t& largest = *std::ranges::max_element(shape.dimensions);
    largest = largest / 2 + 1;
    if (largest > 2) continue;
    shape.layout->tiles.clear();
  }
  return shape;
}

void LayoutStatistics::Count(const Shape& shape) {
  const Layout& layout = *shape.layout;
  const auto rank = static_cast<size_t>(shape.rank());
  const auto note = [&](std::string name, bool yes) { classes_[std::move(name)] += yes ? 1 : 0; };
  ++total_;
  for (size_t r = 0; r <= 8; ++r) note(fmt::format("rank {}", r), rank == r);
  for (size_t n = 0; n <= 4; ++n) note(fmt::format("tiles {}", n), layout.tiles.size() == n);
  bool row_major = true;
  bool involution = true;
  for (size_t k = 0; k < rank; ++k) {
    const auto p = static_cast<size_t>(layout.Major(static_cast<int64_t>(k)));
    row_major = row_major && p == k;
    involution = involution && static_cast<size_t>(layout.Major(static_cast<int64_t>(p))) == k;
  }
  note("order row major", rank > 1 && row_major);
  note("order involution", rank > 1 && !row_major && involution);
  note("order not an involution", !involution);
  note("dimension 0", std::ranges::find(shape.dimensions, 0) != shape.dimensions.end());
  note("dimension 1", std::ranges::find(shape.dimensions, 1) != shape.dimensions.end());
  note("dynamic dimension", shape.HasDynamicDimension());
  bool longer = false;
  bool shorter = false;
  bool combines = false;
  for (const Tile& tile : layout.tiles) {
    longer = longer || tile.dimensions.size() > rank;
    shorter = shorter || tile.dimensions.size() < rank;
    combines = combines || std::ranges::find(tile.dimensions, Tile::kCombineDimension) != tile.dimensions.end();
  }
  note("tile longer than the array", longer);
  note("tile shorter than the array", shorter);
  note("tile with *", combines);
  Shape first = shape;
  first.layout->tail_padding_alignment_in_elements = 1;
  const int64_t all_tiles_padded = PaddedElements(first);
  if (layout.tiles.size() > 1) first.layout->tiles.resize(1);
  const int64_t first_padded = PaddedElements(first);
  const auto elements = ElementsIn(shape);
  note("padding of the first tile", elements && first_padded > *elements);
  note("padding of a later tile", all_tiles_padded > first_padded);
  note("tail padding L", layout.tail_padding_alignment_in_elements != 1);
  note("element size E", layout.element_size_in_bits != 0);
  note("memory space S", layout.memory_space != 0);
  note("split config SC", !layout.split_configs.empty());
  note("metadata prefix M", layout.dynamic_shape_metadata_prefix_bytes != 0);
}

std::string LayoutStatistics::ToString() const {
  std::string text;
  for (const auto& [name, count] : classes_) {
    text += fmt::format("{}{} {:.1f}%", text.empty() ? "" : ", ", name,
                        total_ == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(total_));
  }
  return text;
}

}  // namespace layoutcheck
