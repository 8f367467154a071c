// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/divide_product.h"
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

Expected<ShapeStrideLayout> DivideByLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& tile) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout coalesced, Coalesce(a));
  LAYOUTCHECK_TRY(const bool exact, HasExactComplement(tile));
  LAYOUTCHECK_TRY(const ShapeStrideLayout rest, Complement(tile, coalesced.shape));
  if (!exact) {
    return ArgumentError("tiles ", ToString(tile), " leave holes: elements of ", ToString(a), " would be lost");
  }
  return Composition(a, ConcatenateModes({tile, rest}));
}

// largest product whose values are counted
constexpr int64_t kMaxCountedProduct = int64_t{1} << 16;

Expected<int64_t> DistinctValues(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(std::vector<int64_t> table, StridedOffsetTable(layout, kMaxCountedProduct));
  std::ranges::sort(table);
  return std::ranges::unique(table).begin() - table.begin();
}

// Returns true if (a, repeated) has as many values as a times as many as the tiler. Error: too many to count.
Expected<bool> CopiesAreDisjoint(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler,
                                 const ShapeStrideLayout& repeated) {
  LAYOUTCHECK_TRY(const int64_t all, DistinctValues(ConcatenateModes({a, repeated})));
  return all == *DistinctValues(a) * *DistinctValues(tiler);
}

Expected<ShapeStrideLayout> MultiplyByLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler) {
  LAYOUTCHECK_TRY(const int64_t size, Size(a));
  LAYOUTCHECK_TRY(const int64_t cosize, Cosize(tiler));
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(tiler));
  LAYOUTCHECK_TRY(const int64_t cotarget, ValueOrOverflow(CheckedInt64(size) * cosize, "size times cosize"));
  LAYOUTCHECK_TRY(const ShapeStrideLayout rest, Complement(a, cotarget));
  if (range.smallest < 0 && range.largest > 0) {
    return ArgumentError("tiler ", ToString(tiler), " has values on both sides of 0");
  }
  LAYOUTCHECK_TRY(const ShapeStrideLayout repeated, Composition(rest, tiler));
  // Beyond its last mode the complement continues without overlap if that mode lies beyond all of A. If it ends in a
  // gap of A, copies may overlap, so the values are counted.
  const int64_t end = *Cosize(*Filter(a));
  if (*Size(rest) < cosize && FlatModes(rest)->back().stride < end) {
    LAYOUTCHECK_TRY(const bool disjoint, CopiesAreDisjoint(a, tiler, repeated));
    if (!disjoint) {
      return ArgumentError("copies of ", ToString(a), " over ", ToString(tiler), " would overlap: its complement ",
                           ToString(rest), " has fewer than ", cosize, " values");
    }
  }
  const ShapeStrideLayout result = ConcatenateModes({{a.shape, a.stride}, repeated});
  const bool is_static = IsStatic(a) && IsStatic(tiler);
  return is_static ? WithStatic(result, true) : result;
}

using LayoutOperation = Expected<ShapeStrideLayout> (*)(const ShapeStrideLayout&, const ShapeStrideLayout&);

Expected<ShapeStrideLayout> ApplyByMode(const ShapeStrideLayout& a, const Tiler& tiler, LayoutOperation operation) {
  switch (tiler.kind) {
    case Tiler::Kind::kLayout:
    case Tiler::Kind::kExtent: return operation(a, tiler.layout);
    case Tiler::Kind::kKeep: return ShapeStrideLayout{a.shape, a.stride};
    case Tiler::Kind::kModes: break;
  }
  std::vector<ShapeStrideLayout> modes = Modes(a);
  if (tiler.modes.size() > modes.size()) {
    return ArgumentError("tiler ", ToString(tiler), " has more modes than ", ToString(a));
  }
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    LAYOUTCHECK_TRY(modes[i], ApplyByMode(modes[i], tiler.modes[i], operation));
  }
  return ConcatenateModes(modes);
}

struct TileAndRest {
  ShapeStrideLayout tile;
  ShapeStrideLayout rest;
};

// Separates the (tile, rest) pairs of a divided or multiplied layout.
Expected<TileAndRest> Unzip(const ShapeStrideLayout& layout, const Tiler& tiler) {
  const std::vector<ShapeStrideLayout> modes = Modes(layout);
  if (tiler.kind == Tiler::Kind::kKeep) return ArgumentError("`_` keeps its mode, which then has no tile to gather");
  if (tiler.kind != Tiler::Kind::kModes) return TileAndRest{modes[0], modes[1]};
  std::vector<ShapeStrideLayout> tiles;
  std::vector<ShapeStrideLayout> rests;
  for (size_t i = 0; i < modes.size(); ++i) {
    if (i >= tiler.modes.size()) {
      rests.push_back(modes[i]);
      continue;
    }
    LAYOUTCHECK_TRY(TileAndRest part, Unzip(modes[i], tiler.modes[i]));
    tiles.push_back(std::move(part.tile));
    rests.push_back(std::move(part.rest));
  }
  return TileAndRest{ConcatenateModes(tiles), ConcatenateModes(rests)};
}

Expected<ShapeStrideLayout> GatherTiles(Expected<ShapeStrideLayout> logical, const Tiler& tiler, Gather gather) {
  if (!logical || gather == Gather::kLogical) return logical;
  LAYOUTCHECK_TRY(const TileAndRest parts, Unzip(*logical, tiler));
  if (gather == Gather::kZipped) return ConcatenateModes({parts.tile, parts.rest});
  std::vector<ShapeStrideLayout> modes = gather == Gather::kFlat ? Modes(parts.tile) : std::vector{parts.tile};
  const std::vector<ShapeStrideLayout> rest = Modes(parts.rest);
  modes.insert(modes.end(), rest.begin(), rest.end());
  return ConcatenateModes(modes);
}

ShapeStrideLayout PadRank(const ShapeStrideLayout& layout, int64_t rank) {
  if (Rank(layout) == rank && (rank != 1 || layout.shape.is_leaf())) return {layout.shape, layout.stride};
  std::vector<ShapeStrideLayout> modes = Modes(layout);
  modes.resize(static_cast<size_t>(rank), WithStatic({1, 0}, IsStatic(layout)));
  return ConcatenateModes(modes);
}

// Pads both layouts to the same rank and returns the two modes of their product.
Expected<std::pair<ShapeStrideLayout, ShapeStrideLayout>> ProductOfEqualRank(const ShapeStrideLayout& a,
                                                                             const ShapeStrideLayout& tiler) {
  const int64_t rank = std::max(Rank(a), Rank(tiler));
  LAYOUTCHECK_TRY(const ShapeStrideLayout product, MultiplyByLayout(PadRank(a, rank), PadRank(tiler, rank)));
  const std::vector<ShapeStrideLayout> modes = Modes(product);
  return std::pair{modes[0], modes[1]};
}

Expected<std::vector<IntTuple>> ProductEach(const IntTuple& shape) {
  std::vector<IntTuple> sizes;
  for (const IntTuple& mode : Modes(shape)) {
    LAYOUTCHECK_TRY(const int64_t size, Product(mode));
    sizes.emplace_back(size);
  }
  return sizes;
}

}  // namespace

Expected<ShapeStrideLayout> Divide(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather) {
  return GatherTiles(ApplyByMode(a, tiler, DivideByLayout), tiler, gather);
}

Expected<ShapeStrideLayout> Multiply(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather) {
  return GatherTiles(ApplyByMode(a, tiler, MultiplyByLayout), tiler, gather);
}

Expected<ShapeStrideLayout> BlockedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler) {
  LAYOUTCHECK_TRY(const auto parts, ProductOfEqualRank(a, tiler));
  return Zip(parts.first, parts.second);
}

Expected<ShapeStrideLayout> RakedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler) {
  LAYOUTCHECK_TRY(const auto parts, ProductOfEqualRank(a, tiler));
  return Zip(parts.second, parts.first);
}

Expected<ShapeStrideLayout> TileToShape(const ShapeStrideLayout& a, const IntTuple& shape,
                                        const std::optional<IntTuple>& order) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(a));
  if (Rank(a) > Rank(shape)) {
    return ArgumentError("the layout ", ToString(a), " has more modes than the shape ", ToString(shape));
  }
  const ShapeStrideLayout block = PadRank(a, Rank(shape));
  LAYOUTCHECK_TRY(const std::vector<IntTuple> block_sizes, ProductEach(block.shape));
  LAYOUTCHECK_TRY(const std::vector<IntTuple> sizes, ProductEach(shape));
  std::vector<IntTuple> counts;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t part = block_sizes[i].value();
    const int64_t whole = sizes[i].value();
    if (part < 1 || whole < 1 || whole % part != 0) {
      return ArgumentError("mode ", i, ": ", part, " elements do not divide ", whole, " of the shape");
    }
    counts.emplace_back(whole / part);
  }
  const IntTuple repeats = shape.is_leaf() ? counts[0] : IntTuple::Tuple(std::move(counts));
  Expected<ShapeStrideLayout> tiler;
  if (order) {
    tiler = MakeOrderedLayout(repeats, *order);
  } else {
    LAYOUTCHECK_TRY(const IntTuple strides, CompactColMajor(repeats));
    tiler = ShapeStrideLayout{repeats, strides};
  }
  if (!tiler) return tiler;
  if (!shape.is_leaf()) return BlockedProduct(block, *tiler);
  // An integer is a shape of one mode but not a tuple: CuTe pairs the layout with a tuple of one count, ((A,(k))).
  const Expected<ShapeStrideLayout> product = MultiplyByLayout(block, ConcatenateModes({*tiler}));
  return product ? ConcatenateModes({*product}) : product;
}

}  // namespace layoutcheck
