// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws that compare a layout with a counterpart that must have the same offsets. Both offsets are the subject's own.
#include <algorithm>
#include <numeric>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

// Another layout that must agree with a case.
struct Counterpart {
  LayoutCase layout_case;
  std::vector<size_t> element;  // the counterpart of each element of the case, by its row-major number
};

// Returns a counterpart whose elements are in the same order, or nothing if `shape` has no such layout.
std::optional<Counterpart> SameOrder(const LayoutCase& layout_case, const Shape& shape) {
  auto other = LayoutCase::Create(shape);
  if (!other || other->offsets.size() != layout_case.offsets.size()) return std::nullopt;
  std::vector<size_t> element(layout_case.offsets.size());
  std::iota(element.begin(), element.end(), size_t{0});
  return Counterpart{std::move(*other), std::move(element)};
}

// Returns the distance of neighbors along each dimension in the physical order, without tiles.
std::vector<int64_t> UntiledStrides(const TiledLayout& layout) {
  std::vector<int64_t> strides(layout.dimensions.size());
  int64_t product = 1;
  for (const int64_t d : layout.minor_to_major) {
    strides[static_cast<size_t>(d)] = product;
    product *= layout.dimensions[static_cast<size_t>(d)];
  }
  return strides;
}

// Returns a counterpart whose elements are in the physical row-major order of the case.
std::optional<Counterpart> PhysicalOrder(const LayoutCase& layout_case, const Shape& shape) {
  auto result = SameOrder(layout_case, shape);
  if (!result) return result;
  const std::vector<int64_t> stride = UntiledStrides(layout_case.layout);
  size_t e = 0;
  ForEachIndex(layout_case.layout.dimensions, [&](std::span<const int64_t> index) {
    result->element[e++] =
        static_cast<size_t>(std::inner_product(index.begin(), index.end(), stride.begin(), int64_t{0}));
  });
  return result;
}

Shape RowMajor(const LayoutCase& layout_case, std::vector<int64_t> dimensions, std::vector<Tile> tiles) {
  Layout layout = MakeDescendingLayout(static_cast<int64_t>(dimensions.size()));
  layout.tiles = std::move(tiles);
  return Shape::Array(layout_case.shape.element_type, std::move(dimensions), std::move(layout));
}

std::vector<int64_t> PhysicalDimensions(const LayoutCase& layout_case) {
  std::vector<int64_t> dimensions;
  for (int64_t p = 0; p < layout_case.layout.rank(); ++p) {
    dimensions.push_back(layout_case.layout.dimensions[static_cast<size_t>(layout_case.layout.Major(p))]);
  }
  return dimensions;
}

std::optional<Counterpart> AddUnitTile(const LayoutCase& layout_case) {
  Shape shape = layout_case.shape;
  const size_t entries = layout_case.text.size() % 3 + 1;  // one to three, always the same for one layout
  shape.layout->tiles.push_back({std::vector<int64_t>(entries, 1)});
  return SameOrder(layout_case, shape);
}

std::optional<Counterpart> LengthenLastTile(const LayoutCase& layout_case) {
  if (layout_case.layout.tiles.empty()) return std::nullopt;
  TiledLayout before = layout_case.layout;
  before.tiles.pop_back();
  const auto index = MakeTiledIndex(before);
  const size_t entries = layout_case.layout.tiles.back().size();
  if (!index || entries >= index->expanded_sizes().size()) return std::nullopt;
  Shape shape = layout_case.shape;
  std::vector<int64_t>& tile = shape.layout->tiles.back().dimensions;
  tile.insert(tile.begin(), index->expanded_sizes().size() - entries, 1);
  return SameOrder(layout_case, shape);
}

std::optional<Counterpart> DropAttributes(const LayoutCase& layout_case) {
  const Shape shape = Shape::Array(ElementType::kF32, layout_case.shape.dimensions,
                                   Layout(layout_case.shape.layout->minor_to_major, layout_case.shape.layout->tiles));
  if (shape == layout_case.shape) return std::nullopt;
  return SameOrder(layout_case, shape);
}

std::optional<Counterpart> SortDimensions(const LayoutCase& layout_case) {
  if (layout_case.layout.rank() < 2) return std::nullopt;
  // With the dimensions in physical order, minor_to_major is descending.
  Shape shape = layout_case.shape;
  shape.dimensions = PhysicalDimensions(layout_case);
  for (size_t p = 0; p < shape.dimensions.size(); ++p) {
    const auto from = static_cast<size_t>(layout_case.layout.Major(static_cast<int64_t>(p)));
    shape.dynamic_dimensions[p] = layout_case.shape.dynamic_dimensions[from];
  }
  shape.layout->minor_to_major = MakeDescendingLayout(shape.rank()).minor_to_major;
  return PhysicalOrder(layout_case, shape);
}

std::optional<Counterpart> AddUnitDimension(const LayoutCase& layout_case) {
  Shape shape = layout_case.shape;
  const int64_t rank = shape.rank();
  shape.dimensions.push_back(1);
  shape.dynamic_dimensions.push_back(false);
  shape.layout->minor_to_major.push_back(rank);
  shape.layout->split_configs.clear();
  return SameOrder(layout_case, shape);
}

std::optional<Counterpart> CombineDimensions(const LayoutCase& layout_case) {
  std::vector<int64_t> dimensions = PhysicalDimensions(layout_case);
  std::vector<Tile> tiles = layout_case.shape.layout->tiles;
  if (tiles.empty() || tiles[0].dimensions.size() > dimensions.size()) return std::nullopt;
  std::vector<int64_t>& tile = tiles[0].dimensions;
  const size_t prefix = dimensions.size() - tile.size();
  const size_t rank = dimensions.size();
  for (size_t k = tile.size(); k-- > 0;) {
    if (tile[k] != Tile::kCombineDimension) continue;
    dimensions[prefix + k + 1] *= dimensions[prefix + k];
    dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(prefix + k));
    tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (dimensions.size() == rank) return std::nullopt;
  return PhysicalOrder(layout_case, RowMajor(layout_case, std::move(dimensions), std::move(tiles)));
}

std::optional<Counterpart> TileFirstTiling(const LayoutCase& layout_case) {
  const std::vector<Tile>& tiles = layout_case.shape.layout->tiles;
  if (tiles.size() < 2) return std::nullopt;
  TiledLayout first = layout_case.layout;
  first.tiles.resize(1);
  const auto index = MakeTiledIndex(first);
  if (!index || index->padded_elements() > OffsetTable::kMaxEntries) return std::nullopt;
  auto other = LayoutCase::Create(RowMajor(layout_case, index->expanded_sizes(), {tiles.begin() + 1, tiles.end()}));
  if (!other) return std::nullopt;
  Counterpart result{std::move(*other), {}};
  for (size_t e = 0; e < layout_case.offsets.size(); ++e) {
    // The first tile makes an array in which an element's row-major number is its index under that tile.
    result.element.push_back(static_cast<size_t>((*index)(layout_case.IndexOf(e))));
  }
  return result;
}

LawResult CheckUntiledStrides(Subject& subject, const LayoutCase& layout_case) {
  if (!layout_case.layout.tiles.empty()) return LawResult::OutsideDomain();
  const auto answer = OffsetsOf(subject, layout_case);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& offsets = std::get<std::vector<int64_t>>(answer);
  const std::vector<int64_t> strides = UntiledStrides(layout_case.layout);
  return CompareOffsets(layout_case, offsets, [&](size_t e) {
    const std::vector<int64_t> index = layout_case.IndexOf(e);
    return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
  });
}

// Compares the subject's offsets of a layout with those of its counterpart. Transform returns nothing for layouts that
// the law is not about.
template <std::optional<Counterpart> (*Transform)(const LayoutCase&)>
LawResult CheckCounterpart(Subject& subject, const LayoutCase& layout_case) {
  if (layout_case.offsets.empty()) return LawResult::OutsideDomain();
  const std::optional<Counterpart> counterpart = Transform(layout_case);
  if (!counterpart) return LawResult::OutsideDomain();
  const auto& [other, element] = *counterpart;
  const auto offsets = OffsetsOf(subject, layout_case);
  if (auto unanswered = Unanswered(offsets)) return *std::move(unanswered);
  const auto other_offsets = OffsetsOf(subject, other);
  if (auto unanswered = Unanswered(other_offsets)) return *std::move(unanswered);
  const auto& here = std::get<std::vector<int64_t>>(offsets);
  const auto& there = std::get<std::vector<int64_t>>(other_offsets);
  LawResult result = CompareOffsets(layout_case, here, [&](size_t e) { return there[element[e]]; });
  return result.verdict == LawResult::Verdict::kAgree ? result : std::move(result).On(other.text);
}

}  // namespace

std::span<const Law> TransformLaws() {
  static constexpr Law kLaws[] = {
      {"untiled-strides",
       "Without tiles the offset is the sum of index times stride, a stride being the product of the more minor "
       "dimensions.",
       "layouts without tiles", CheckUntiledStrides},
      {"repeated-tiling",
       "Repeated tiling is one tile after another: the further tiles tile the array that the first tile makes.",
       "layouts of two and more tiles", CheckCounterpart<TileFirstTiling>},
      {"combined-dimensions",
       "A first tile with * is that tile without * on the array reshaped to the combined dimensions.",
       "layouts whose first tile has * and is not longer than the array", CheckCounterpart<CombineDimensions>},
      {"short-tile", "A last tile that is shorter than what it tiles is the same tile with leading ones.",
       "layouts whose last tile is shorter than what it tiles", CheckCounterpart<LengthenLastTile>},
      {"unit-tile", "A further tile of ones moves nothing.", "layouts of arrays that have elements",
       CheckCounterpart<AddUnitTile>},
      {"unit-dimension", "A new major-most dimension of size 1 moves nothing.", "layouts of arrays that have elements",
       CheckCounterpart<AddUnitDimension>},
      {"permuted-dimensions",
       "Renumbering the logical dimensions, and minor_to_major with them, leaves every element where it is.",
       "rank 2 and more", CheckCounterpart<SortDimensions>},
      {"attributes-move-nothing",
       "Element type, element size, memory space, tail padding, splits, metadata and dynamic bounds move no element.",
       "layouts that have any of them", CheckCounterpart<DropAttributes>},
  };
  return kLaws;
}

}  // namespace layoutcheck
