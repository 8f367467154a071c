// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/tiling/digit_sum.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {
namespace {

// A part of a coordinate x: floor(x / weight), modulo `extent` unless it is the top digit of its dimension.
struct Digit {
  size_t dimension = 0;
  int64_t weight = 1;
  int64_t extent = 1;
  bool top = true;
};

// A dimension of the array after some tiles. Its index is the mixed-radix number of the digits, major first.
struct Entry {
  int64_t size = 1;
  std::vector<Digit> digits;
};

// Cuts `tile` off the minor end of an entry: its index becomes (index / tile, index mod tile). Errors: a cut that is
// not at a digit of the coordinate (unsupported); overflow.
Expected<std::pair<Entry, Entry>> Cut(const Entry& entry, int64_t tile) {
  Entry outer{CeilDiv(entry.size, tile), entry.digits};
  Entry inner{tile, {}};
  int64_t rest = tile;
  while (rest > 1 && !outer.digits.empty()) {
    Digit& digit = outer.digits.back();
    const bool padded = outer.digits.size() == 1 && digit.top;  // its extent is only a bound, so it may be cut anywhere
    if (rest % digit.extent == 0) {
      if (padded) digit.extent = rest;
      rest = padded ? 1 : rest / digit.extent;
      inner.digits.insert(inner.digits.begin(), digit);
      outer.digits.pop_back();
    } else if (digit.extent % rest == 0 || padded) {
      inner.digits.insert(inner.digits.begin(), {digit.dimension, digit.weight, rest, false});
      const CheckedInt64 weight = CheckedInt64(digit.weight) * rest;
      if (weight.overflow) return OverflowError("a tile does not fit int64");
      digit.weight = weight.value;
      digit.extent = CeilDiv(digit.extent, rest);
      rest = 1;
    } else {
      return UnsupportedError("a tile of ", tile, " cuts dimension ", digit.dimension, " where it is in parts of ",
                              digit.extent, ": neither divides the other");
    }
  }
  return std::pair{std::move(outer), std::move(inner)};
}

Expected<void> ApplyTile(const std::vector<TileDimension<int64_t>>& tile, std::vector<Entry>& entries) {
  while (entries.size() < tile.size()) entries.insert(entries.begin(), Entry{});
  const size_t first = entries.size() - tile.size();
  std::vector<Entry> outer(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(first));
  std::vector<Entry> inner;
  Entry combined;  // the entries that the preceding `*` combined
  bool combining = false;
  for (size_t i = 0; i < tile.size(); ++i) {
    Entry entry = entries[first + i];
    if (combining) {
      CheckedInt64 held = 1;
      for (const Digit& digit : entry.digits) held = held * digit.extent;
      if (held.value != entry.size) {
        return UnsupportedError("`*` combines a part that is padded from ", held.value, " to ", entry.size);
      }
      const CheckedInt64 size = CheckedInt64(combined.size) * entry.size;
      if (size.overflow) return OverflowError("a combined dimension does not fit int64");
      entry.size = size.value;
      entry.digits.insert(entry.digits.begin(), combined.digits.begin(), combined.digits.end());
    }
    combining = tile[i].combine;
    if (combining) {
      combined = std::move(entry);
      continue;
    }
    LAYOUTCHECK_TRY(auto parts, Cut(entry, tile[i].size));
    outer.push_back(std::move(parts.first));
    inner.push_back(std::move(parts.second));
  }
  entries = std::move(outer);
  entries.insert(entries.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  return {};
}

// Finds the modes from the effect of each tile on the digits of the coordinates.
Expected<ShapeStrideLayout> ModesByTiles(const TiledLayout& tiled) {
  std::vector<Entry> entries;
  for (int64_t p = 0; p < tiled.rank(); ++p) {
    const auto d = static_cast<size_t>(tiled.Major(p));
    entries.push_back({tiled.dimensions[d], {{d, 1, tiled.dimensions[d], true}}});
  }
  for (const auto& tile : tiled.tiles) {
    if (auto applied = ApplyTile(tile, entries); !applied) return std::unexpected(applied.error());
  }
  // Strides are assigned from the minor end.
  struct PlacedDigit {
    Digit digit;
    int64_t stride;
  };
  std::vector<std::vector<PlacedDigit>> dimensions(tiled.dimensions.size());
  CheckedInt64 entry_stride = 1;
  for (size_t i = entries.size(); i-- > 0;) {
    CheckedInt64 stride = entry_stride;
    for (size_t k = entries[i].digits.size(); k-- > 0;) {
      const Digit& digit = entries[i].digits[k];
      if (stride.overflow) return OverflowError("a stride of the layout does not fit int64");
      dimensions[digit.dimension].push_back({digit, stride.value});
      stride = stride * digit.extent;
    }
    entry_stride = entry_stride * entries[i].size;
  }
  std::vector<ShapeStrideLayout> modes;
  for (std::vector<PlacedDigit>& digits : dimensions) {
    std::ranges::sort(digits, std::ranges::less{}, [](const PlacedDigit& placed) { return placed.digit.weight; });
    std::vector<StridedMode> leaves;
    for (const PlacedDigit& placed : digits) {
      if (placed.digit.extent > 1) leaves.push_back({placed.digit.extent, placed.stride});
    }
    LAYOUTCHECK_TRY(ShapeStrideLayout mode, Coalesce(LayoutOfModes(leaves)));
    modes.push_back(std::move(mode));
  }
  return ConcatenateModes(modes);
}

// Finds the modes from the places where the growth of the positions changes, for tiles whose cuts do not divide each
// other. Returns nothing if the positions are no sum of one layout per dimension. Requires sizes >= 1.
Expected<std::optional<ShapeStrideLayout>> ModesByPositions(const TiledLayout& tiled) {
  const size_t rank = tiled.dimensions.size();
  // Elements are numbered in the memory order of the untiled array, where dimensions that `*` combines are neighbors.
  std::vector<int64_t> weights(rank, 1);
  int64_t elements = 1;
  for (const int64_t d : tiled.minor_to_major) {
    weights[static_cast<size_t>(d)] = elements;
    elements *= tiled.dimensions[static_cast<size_t>(d)];  // fits, because there is an element count
  }
  LAYOUTCHECK_TRY(const std::optional<DigitSum> positions, PositionsAsDigitSum(tiled, weights));
  if (!positions) return std::nullopt;
  std::vector<ShapeStrideLayout> modes(rank);
  DigitSum rebuilt{positions->size, {}};
  for (const int64_t minor : tiled.minor_to_major) {
    const auto d = static_cast<size_t>(minor);
    const int64_t size = tiled.dimensions[d];
    // A leaf of this dimension ends at each weight where the growth of the positions changes.
    std::vector<StridedMode> leaves;
    int64_t length = 1;  // elements of the dimension in one step of the last leaf
    for (const WeightedDigit& digit : positions->digits) {
      if (size == 1 || digit.weight >= weights[d] * size) break;
      if (digit.weight < weights[d] && !leaves.empty()) continue;
      const int64_t start = std::max<int64_t>(1, digit.weight / weights[d]);
      const int64_t stride = (*positions)(start * weights[d]);
      if (leaves.empty()) {
        if (start == 1) leaves.push_back({size, stride});
        continue;
      }
      if (stride == leaves.back().stride * (start / length)) continue;
      if (start % length != 0) return std::nullopt;
      leaves.back().extent = start / length;
      leaves.push_back({CeilDiv(size, start), stride});
      length = start;
    }
    if (size > 1 && leaves.empty()) leaves.push_back({size, (*positions)(weights[d])});
    int64_t weight = weights[d];
    for (const StridedMode& leaf : leaves) {
      rebuilt.digits.push_back({weight, leaf.stride});
      weight *= leaf.extent;
    }
    modes[d] = LayoutOfModes(leaves);
  }
  LAYOUTCHECK_TRY(const bool same, SameFunction(rebuilt, *positions));
  return same ? std::optional(ConcatenateModes(modes)) : std::nullopt;
}

}  // namespace

Expected<ShapeStrideLayout> ShapeStrideOfHlo(const Shape& shape) {
  LAYOUTCHECK_TRY(const LayoutSizes sizes, SizesOf(shape));
  const TiledLayout tiled = *TiledLayoutOf(shape);
  if (sizes.elements == 0) return UnsupportedError(ToString(shape), " has no element");
  Expected<ShapeStrideLayout> result = ModesByTiles(tiled);
  if (!result) {
    if (result.error().kind != ErrorKind::kUnsupported) return result;
    LAYOUTCHECK_TRY(std::optional<ShapeStrideLayout> by_positions, ModesByPositions(tiled));
    if (!by_positions) return result;
    result = *std::move(by_positions);
  }
  result->origin_shape = IntTuple::Tuple({tiled.dimensions.begin(), tiled.dimensions.end()});
  LAYOUTCHECK_TRY(const int64_t cosize, Cosize(*result));
  if (cosize != sizes.padded_elements) {
    return UnsupportedError(ToString(shape), " takes ", sizes.padded_elements, " elements, ", ToString(*result),
                            " with the same offsets ", cosize);
  }
  return result;
}

}  // namespace layoutcheck
