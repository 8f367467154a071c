// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/value_mutation.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace layoutcheck {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr size_t kMostDimensions = 12;
constexpr size_t kMostTiles = 6;
constexpr size_t kMostElements = 12;

// Sizes at which arithmetic and parsers often go wrong.
constexpr int64_t kSmallSizes[] = {0,  1,   2,   3,   4,   5,   7,    8,    9,    15,   16,
                                   17, 127, 128, 129, 255, 256, 1000, 1009, 1024, 65536};

// Returns a power of two or a neighbor of one, most often where a narrower integer type ends.
int64_t RandomLargeSize(Random& random) {
  constexpr int64_t kEnds[] = {7, 8, 15, 16, 31, 31, 32, 32};
  if (random.OneIn(16)) return kMax - random.Between(0, 1);
  const int64_t exponent = random.OneIn(3) ? random.Between(3, 62) : random.Pick(kEnds);
  return (int64_t{1} << exponent) + random.Between(-1, 1);
}

int64_t RandomSize(Random& random) { return random.OneIn(24) ? RandomLargeSize(random) : random.Pick(kSmallSizes); }

int64_t RandomTileSize(Random& random) {
  if (random.OneIn(5)) return Tile::kCombineDimension;
  if (random.OneIn(40)) return random.OneIn(2) ? 0 : RandomLargeSize(random);
  return std::max<int64_t>(random.Pick(kSmallSizes), 1);
}

int64_t RandomAttribute(Random& random) {
  constexpr int64_t kOdd[] = {-1,  -128,  -129,  127,   128,   255,
                              256, 32767, 32768, 65535, 65536, std::numeric_limits<int64_t>::min()};
  if (random.OneIn(12)) return random.OneIn(2) ? random.Pick(kOdd) : RandomLargeSize(random);
  return random.Pick(kSmallSizes);
}

template <class T>
void Shuffle(std::vector<T>& list, Random& random) {
  for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.Index(i)]);
}

template <class T>
void EraseAt(std::vector<T>& list, size_t position) {
  list.erase(list.begin() + static_cast<ptrdiff_t>(position));
}

template <class T>
void InsertAt(std::vector<T>& list, size_t position, T item) {
  list.insert(list.begin() + static_cast<ptrdiff_t>(position), std::move(item));
}

void ChangeOrder(std::vector<int64_t>& order, Random& random) {
  if (order.empty()) return;
  switch (random.Below(4)) {
    case 0: std::ranges::reverse(order); return;
    case 1: return std::swap(random.Pick(order), random.Pick(order));
    case 2:
      if (random.OneIn(6)) {  // a duplicate or a nonexistent dimension
        random.Pick(order) = random.Between(-1, static_cast<int64_t>(order.size()));
        return;
      }
      [[fallthrough]];
    default: return Shuffle(order, random);
  }
}

void ChangeTile(Tile& tile, Random& random) {
  std::vector<int64_t>& sizes = tile.dimensions;
  switch (random.Below(4)) {
    case 0:
      if (sizes.size() < kMostDimensions) {
        const size_t position = random.Index(sizes.size() + 1);
        InsertAt(sizes, position, RandomTileSize(random));
      }
      return;
    case 1:
      // An empty tile is invalid.
      if (sizes.size() > 1 || (!sizes.empty() && random.OneIn(8))) EraseAt(sizes, random.Index(sizes.size()));
      return;
    default:
      if (!sizes.empty()) random.Pick(sizes) = RandomTileSize(random);
  }
}

void ChangeTiles(std::vector<Tile>& tiles, Random& random) {
  switch (random.Below(5)) {
    case 0:
    case 1:
      if (tiles.size() < kMostTiles) {
        Tile tile;
        for (uint64_t n = random.Below(3) + 1; n > 0; --n) tile.dimensions.push_back(RandomTileSize(random));
        InsertAt(tiles, random.Index(tiles.size() + 1), std::move(tile));
      }
      return;
    case 2:
      if (!tiles.empty()) EraseAt(tiles, random.Index(tiles.size()));
      return;
    default:
      if (!tiles.empty()) ChangeTile(random.Pick(tiles), random);
  }
}

void AppendSplitIndex(SplitConfig& split, int64_t distance) {
  const int64_t last = split.split_indices.empty() ? 0 : split.split_indices.back();
  split.split_indices.push_back(last < kMax - distance ? last + distance : last);
}

void ChangeSplits(std::vector<SplitConfig>& splits, int64_t rank, Random& random) {
  if (!splits.empty() && random.OneIn(2)) {
    if (random.OneIn(2)) return EraseAt(splits, random.Index(splits.size()));
    SplitConfig& split = random.Pick(splits);
    AppendSplitIndex(split, random.Between(0, 3));
    return;
  }
  if (splits.size() >= kMostTiles) return;
  SplitConfig split{rank == 0 ? 0 : random.Between(0, rank - 1), {}};
  for (uint64_t n = random.Below(3); n > 0; --n) {
    split.split_indices.push_back((split.split_indices.empty() ? 0 : split.split_indices.back()) +
                                  random.Between(1, 3));
  }
  splits.push_back(std::move(split));
}

void ChangeAttribute(Layout& layout, int64_t rank, Random& random) {
  constexpr ElementType kIndexTypes[] = {ElementType::kU8, ElementType::kU32, ElementType::kU1};
  const bool reset = random.OneIn(4);
  switch (random.Below(12)) {
    case 0:
    case 1: layout.tail_padding_alignment_in_elements = reset ? 1 : RandomAttribute(random); return;
    case 2:
    case 3:
    case 4: layout.element_size_in_bits = reset ? 0 : RandomAttribute(random); return;
    case 5:
    case 6:
    case 7: layout.memory_space = reset ? 0 : RandomAttribute(random); return;
    case 8: layout.dynamic_shape_metadata_prefix_bytes = reset ? 0 : RandomAttribute(random); return;
    case 9:
      // Never valid, so rarely set.
      if (random.OneIn(6)) {
        (random.OneIn(2) ? layout.index_primitive_type : layout.pointer_primitive_type) = random.Pick(kIndexTypes);
      } else {
        layout.index_primitive_type.reset();
        layout.pointer_primitive_type.reset();
      }
      return;
    default: return ChangeSplits(layout.split_configs, rank, random);
  }
}

void InsertDimension(std::vector<int64_t>& order, int64_t dimension, Random& random) {
  // The largest int64 is not a dimension number and stays unchanged.
  for (int64_t& d : order) d += d >= dimension && d < kMax ? 1 : 0;
  InsertAt(order, random.Index(order.size() + 1), dimension);
}

void DropDimension(std::vector<int64_t>& order, int64_t dimension) {
  if (const auto found = std::ranges::find(order, dimension); found != order.end()) {
    order.erase(found);
  } else if (!order.empty()) {
    order.pop_back();
  }
  for (int64_t& d : order) d -= d > dimension ? 1 : 0;
}

void ChangeRank(Shape& shape, Random& random) {
  shape.dynamic_dimensions.resize(shape.dimensions.size());
  const bool drop = !shape.dimensions.empty() && (random.OneIn(3) || shape.dimensions.size() >= kMostDimensions);
  const size_t d = random.Index(shape.dimensions.size() + (drop ? 0 : 1));
  const auto position = static_cast<ptrdiff_t>(d);
  if (drop) {
    EraseAt(shape.dimensions, d);
    shape.dynamic_dimensions.erase(shape.dynamic_dimensions.begin() + position);
    if (shape.layout) DropDimension(shape.layout->minor_to_major, static_cast<int64_t>(d));
  } else {
    InsertAt(shape.dimensions, d, RandomSize(random));
    shape.dynamic_dimensions.insert(shape.dynamic_dimensions.begin() + position, false);
    if (shape.layout) InsertDimension(shape.layout->minor_to_major, static_cast<int64_t>(d), random);
  }
}

void ChangeSize(Shape& shape, Random& random) {
  if (shape.dimensions.empty()) return;
  const size_t d = random.Index(shape.dimensions.size());
  int64_t& size = shape.dimensions[d];
  if (random.OneIn(4)) {  // a tile size or a neighbor of it
    const bool tiled = shape.layout && !shape.layout->tiles.empty() && !shape.layout->tiles[0].dimensions.empty();
    const int64_t tile = tiled ? random.Pick(shape.layout->tiles[0].dimensions) : 8;
    size = tile > 0 && tile < kMax ? tile + random.Between(-1, 1) : 1;
  } else {
    size = RandomSize(random);
  }
}

void ChangeDynamic(Shape& shape, Random& random) {
  if (shape.dimensions.empty()) return;
  shape.dynamic_dimensions.resize(shape.dimensions.size());
  const size_t d = random.Index(shape.dimensions.size());
  const bool dynamic = !shape.dynamic_dimensions[d];
  shape.dynamic_dimensions[d] = dynamic;
  if (dynamic && random.OneIn(3)) shape.dimensions[d] = Shape::kUnboundedSize;
  if (!dynamic && shape.dimensions[d] == Shape::kUnboundedSize) shape.dimensions[d] = RandomSize(random);
}

void ChangeType(Shape& shape, Random& random) {
  const auto types = ArrayElementTypes();
  shape.element_type = types[random.Index(types.size())];
}

void MutateArray(Shape& shape, Random& random) {
  if (!shape.layout) {
    if (random.OneIn(2)) shape.layout = MakeDescendingLayout(shape.rank());
  } else if (random.OneIn(40)) {
    shape.layout.reset();
  }
  switch (random.Below(16)) {
    case 0:
    case 1:
    case 2:
    case 3: return ChangeRank(shape, random);
    case 4:
    case 5: return ChangeSize(shape, random);
    case 6: return ChangeDynamic(shape, random);
    case 7: return ChangeType(shape, random);
    default: break;
  }
  if (!shape.layout) return;
  switch (random.Below(6)) {
    case 0: return ChangeOrder(shape.layout->minor_to_major, random);
    case 1:
    case 2: return ChangeAttribute(*shape.layout, shape.rank(), random);
    default: return ChangeTiles(shape.layout->tiles, random);
  }
}

Shape RandomLeaf(Random& random) {
  switch (random.Below(8)) {
    case 0: return Shape::Token();
    case 1: return Shape::Opaque();
    case 2: return Shape::Tuple({});
    default: return Shape::Array(ElementType::kF32, {8}, MakeDescendingLayout(1));
  }
}

void Wrap(Shape& shape, Random& random) {
  Shape inner = std::move(shape);
  shape = inner.IsArray() && random.OneIn(3) ? Shape::Buffer(std::move(inner)) : Shape::Tuple({std::move(inner)});
}

void MutateTuple(Shape& shape, Random& random) {
  std::vector<Shape>& elements = shape.elements;
  switch (random.Below(8)) {
    case 0:
      if (elements.size() < kMostElements) {
        const size_t position = random.Index(elements.size() + 1);
        InsertAt(elements, position, RandomLeaf(random));
      }
      return;
    case 1:
      if (!elements.empty()) EraseAt(elements, random.Index(elements.size()));
      return;
    case 2:
      if (!elements.empty() && elements.size() < kMostElements) elements.push_back(Shape(random.Pick(elements)));
      return;
    case 3:
      if (!elements.empty()) {
        Shape element = std::move(random.Pick(elements));
        shape = std::move(element);
      }
      return;
    default:
      if (elements.empty()) {
        elements.push_back(RandomLeaf(random));
      } else {
        MutateShape(random.Pick(elements), random);
      }
  }
}

}  // namespace

void MutateShape(Shape& shape, Random& random) {
  // Loops instead of recursing, because shapes may be nested as deeply as the grammar allows.
  Shape* target = &shape;
  while ((target->IsTuple() || target->IsBuffer()) && !target->elements.empty() && !random.OneIn(3)) {
    target = &random.Pick(target->elements);
  }
  if (random.OneIn(24)) return Wrap(*target, random);
  if (target->IsArray()) return MutateArray(*target, random);
  if (target->IsTuple()) return MutateTuple(*target, random);
  if (target->IsBuffer() && !target->elements.empty() && random.OneIn(2)) {
    Shape inner = std::move(target->elements[0]);
    *target = std::move(inner);
    return;
  }
  if (random.OneIn(2)) *target = RandomLeaf(random);
}

void MutateLayout(Layout& layout, Random& random) {
  switch (random.Below(8)) {
    case 0:
    case 1:
      if (layout.minor_to_major.empty() || (random.OneIn(2) && layout.minor_to_major.size() < kMostDimensions)) {
        InsertDimension(layout.minor_to_major, random.Between(0, layout.rank()), random);
      } else {
        DropDimension(layout.minor_to_major, random.Between(0, layout.rank() - 1));
      }
      return;
    case 2: return ChangeOrder(layout.minor_to_major, random);
    case 3:
    case 4: return ChangeAttribute(layout, layout.rank(), random);
    default: return ChangeTiles(layout.tiles, random);
  }
}

Shape RandomShape(Random& random, uint64_t max_changes) {
  Shape shape = Shape::Array(ElementType::kF32, {}, Layout());
  for (uint64_t n = random.Below(max_changes + 1); n > 0; --n) MutateShape(shape, random);
  return shape;
}

Layout RandomLayout(Random& random, uint64_t max_changes) {
  Layout layout;
  for (uint64_t n = random.Below(max_changes + 1); n > 0; --n) MutateLayout(layout, random);
  return layout;
}

void CrossShapes(Shape& shape, const Shape& donor, Random& random) {
  if (shape.IsArray() && donor.IsArray() && shape.layout && donor.layout && !random.OneIn(4)) {
    if (shape.rank() == donor.rank() && random.OneIn(2)) {
      shape.layout = donor.layout;
    } else if (random.OneIn(2)) {
      shape.layout->tiles = donor.layout->tiles;
    } else {
      shape.layout->memory_space = donor.layout->memory_space;
      shape.layout->element_size_in_bits = donor.layout->element_size_in_bits;
      shape.layout->tail_padding_alignment_in_elements = donor.layout->tail_padding_alignment_in_elements;
      shape.element_type = donor.element_type;
    }
    return;
  }
  const Shape& part =
      donor.elements.empty() || random.OneIn(2) ? donor : donor.elements[random.Index(donor.elements.size())];
  if (shape.IsTuple() && shape.elements.size() < kMostElements) {
    InsertAt(shape.elements, random.Index(shape.elements.size() + 1), Shape(part));
  } else {
    Shape first = std::move(shape);
    shape = Shape::Tuple({std::move(first), part});
  }
}

}  // namespace layoutcheck
