// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {

Expected<Shape> HloOfText(std::string_view text) {
  if (IsFractalText(text)) {
    LAYOUTCHECK_TRY(const FractalLayout fractal, ParseFractalLayout(text));
    return HloOfFractal(fractal);
  }
  if (IsShapeStrideText(text)) {
    LAYOUTCHECK_TRY(const ComposedLayout composed, ParseComposedLayout(text));
    if (composed.swizzle || composed.offset != 0) return UnsupportedError("no XLA layout has a swizzle or an offset");
    return HloOfShapeStride(composed.layout, ElementType::kF32);
  }
  Expected<Shape> shape = ParseShape(text);
  if (shape && !shape->IsArray()) return ArgumentError("expected an array");
  return shape;
}

namespace {

// Returns the layout of a tag with blocks of these sizes. A tile has one entry per dimension from the most major one
// that is cut on, and at least two if there are as many dimensions.
Layout LayoutOf(const TagOrder& order, const std::vector<int64_t>& blocks) {
  std::vector<int64_t> major_to_minor;
  std::string in_block;  // the digits in a block, capitalized, most major first
  for (const char digit : order.order) {
    if (TagOrder::IsInBlock(digit)) {
      in_block += TagOrder::Capital(digit);
    } else {
      major_to_minor.push_back(static_cast<int64_t>(order.DimensionOf(digit)));
    }
  }
  Tile tile;
  std::string cut;  // the dimensions that are cut, most major first
  for (const int64_t d : major_to_minor) {
    const std::optional<size_t> k = order.CutOf(static_cast<size_t>(d));
    if (k) cut += order.dimensions[static_cast<size_t>(d)];
    if (k || !tile.dimensions.empty() || order.rank() == 2) tile.dimensions.push_back(k ? blocks[*k] : 1);
  }
  std::vector<Tile> tiles;
  if (!cut.empty()) tiles.push_back(tile);
  // A second tile makes the less major block the outer one; it pads nothing.
  if (cut != in_block) {
    for (size_t k = 1; k < tile.dimensions.size(); ++k) tile.dimensions[k] = 1;
    tiles.push_back(tile);
  }
  std::ranges::reverse(major_to_minor);
  return Layout(std::move(major_to_minor), std::move(tiles));
}

}  // namespace

Expected<Shape> HloOfFractal(const FractalLayout& fractal) {
  LAYOUTCHECK_RETURN_IF_ERROR(ShapeStrideOf(fractal));
  const int64_t bits = *FractalElementBits(fractal.element_type);
  const bool packs_two = bits == 4;
  Layout layout = LayoutOf(OrderOf(fractal.tag), *BlocksOf(fractal.tag, bits, fractal.blocks));
  if (packs_two && HasPitch(fractal.tag)) layout.tiles = {Tile{{1, 2}}};
  if (packs_two) layout.element_size_in_bits = 4;
  return Shape::Array(fractal.element_type, SizesOf(fractal), std::move(layout));
}

namespace {

struct Target {
  std::vector<int64_t> dimensions;
  ElementType type;
  ShapeStrideLayout coalesced;                  // each mode by itself
  std::vector<std::vector<StridedMode>> modes;  // without integers of extent 1
};

// Returns the products of the first integers of a mode, beginning with 1. A tile may cut only at these.
std::vector<int64_t> Cuts(const std::vector<StridedMode>& mode) {
  std::vector<int64_t> cuts = {1};
  for (const StridedMode& leaf : mode) cuts.push_back(cuts.back() * leaf.extent);
  return cuts;
}

// Calls `visit` with every choice of one number per list until it returns true. Returns true if it did.
template <class Visit>
bool AnyChoice(const std::vector<std::vector<int64_t>>& lists, const Visit& visit, std::vector<int64_t> choice = {}) {
  if (choice.size() == lists.size()) return visit(choice);
  for (const int64_t number : lists[choice.size()]) {
    choice.push_back(number);
    if (AnyChoice(lists, visit, choice)) return true;
    choice.pop_back();
  }
  return false;
}

Tile WithoutLeadingOnes(const std::vector<int64_t>& sizes) {
  const auto first = std::ranges::find_if(sizes, [](int64_t size) { return size != 1; });
  return Tile{{first, sizes.end()}};
}

// Searches dimension orders and up to two tiles, fewest tiles first.
class HloLayoutSearch {
 public:
  explicit HloLayoutSearch(const Target& target) : target_(target), by_stride_(target.dimensions.size()) {
    std::iota(by_stride_.begin(), by_stride_.end(), size_t{0});
    const auto largest_stride = [&target](size_t d) {
      int64_t stride = 0;
      for (const StridedMode& leaf : target.modes[d]) stride = std::max(stride, leaf.stride);
      return stride;
    };
    std::ranges::stable_sort(by_stride_, std::ranges::greater{}, largest_stride);
  }

  std::optional<Shape> Find() {
    for (const int tile_count : {0, 1, 2}) {
      candidates_ = 0;
      order_ = by_stride_;
      std::vector<size_t> permutation(order_.size());
      std::iota(permutation.begin(), permutation.end(), size_t{0});
      do {
        for (size_t i = 0; i < order_.size(); ++i) order_[i] = by_stride_[permutation[i]];
        if (tile_count == 0 ? Try({}) : TryTiles(tile_count)) break;
      } while (std::ranges::next_permutation(permutation).found);
      if (found_) break;
    }
    return found_;
  }

 private:
  static constexpr int64_t kMaxCandidates = 20'000;  // per number of tiles

  // Compares a candidate with the target. Returns true to end the search for this number of tiles: it is the target, or
  // there were too many candidates.
  bool Try(std::vector<Tile> tiles) {
    std::vector<int64_t> minor_to_major(order_.rbegin(), order_.rend());
    Shape shape = Shape::Array(target_.type, target_.dimensions, Layout(std::move(minor_to_major), std::move(tiles)));
    if (++candidates_ > kMaxCandidates) return true;
    const Expected<ShapeStrideLayout> layout = ShapeStrideOfHlo(shape);
    if (!layout || layout->shape != target_.coalesced.shape || layout->stride != target_.coalesced.stride) return false;
    found_ = std::move(shape);
    return true;
  }

  // Tries all tiles that cut where the modes do; a second tile cuts the first. Returns the same as Try.
  bool TryTiles(int tile_count) {
    std::vector<std::vector<int64_t>> cuts;
    for (const size_t d : order_) cuts.push_back(Cuts(target_.modes[d]));
    return AnyChoice(cuts, [&](const std::vector<int64_t>& sizes) {
      const Tile tile = WithoutLeadingOnes(sizes);
      if (tile.dimensions.empty()) return false;
      if (tile_count == 1) return Try({tile});
      std::vector<std::vector<int64_t>> inner_cuts(cuts.size());
      for (size_t i = 0; i < cuts.size(); ++i) {
        for (const int64_t cut : cuts[i]) {
          if (cut <= sizes[i] && sizes[i] % cut == 0) inner_cuts[i].push_back(cut);
        }
      }
      return AnyChoice(inner_cuts, [&](const std::vector<int64_t>& inner_sizes) {
        const Tile inner = WithoutLeadingOnes(inner_sizes);
        return !inner.dimensions.empty() && Try({tile, inner});
      });
    });
  }

  const Target& target_;
  std::vector<size_t> by_stride_;  // dimensions by decreasing largest stride: the first order to try
  std::vector<size_t> order_;      // the current dimension order, major to minor
  int64_t candidates_ = 0;
  std::optional<Shape> found_;
};

}  // namespace

Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type) {
  LAYOUTCHECK_RETURN_IF_ERROR(StridedLayoutOf(layout));
  if (!IsArrayElementType(type)) return ArgumentError(ElementTypeName(type), " is not the type of an array");
  LAYOUTCHECK_TRY(ShapeStrideLayout coalesced, CoalesceEachMode(layout));
  LAYOUTCHECK_TRY(const std::vector<int64_t> sizes, LogicalSizes(layout));
  if (std::ranges::find(sizes, 0) != sizes.end()) return UnsupportedError(ToString(layout), " has no element");
  Target target{sizes, type, std::move(coalesced), {}};
  std::vector<StridedMode> leaves_of_all_modes;
  for (int64_t i = 0; i < Rank(layout); ++i) {
    LAYOUTCHECK_TRY(const std::vector<StridedMode> leaves, FlatModes(*Mode(target.coalesced, i)));
    std::vector<StridedMode>& mode = target.modes.emplace_back();
    for (const StridedMode& leaf : leaves) {
      if (leaf.extent == 1) continue;
      if (leaf.stride <= 0) {
        return UnsupportedError("the stride ", leaf.stride, " of ", ToString(layout), ": XLA's strides are above 0");
      }
      mode.push_back(leaf);
      leaves_of_all_modes.push_back(leaf);
    }
    LAYOUTCHECK_TRY(const int64_t held, Product(*Get(layout.shape, i)));
    const int64_t size = sizes[static_cast<size_t>(i)];
    if (held < size) {
      return UnsupportedError("mode ", i, " of ", ToString(layout), " holds ", held, " of ", size, " elements");
    }
  }
  const Expected<void> compact = RequireCompact(std::move(leaves_of_all_modes), layout);
  if (!compact) return std::unexpected(compact.error());
  const std::optional<Shape> found = HloLayoutSearch(target).Find();
  if (!found) return UnavailableError("no XLA layout of at most two tiles was found for ", ToString(layout));
  return *found;
}

}  // namespace layoutcheck
