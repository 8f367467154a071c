#include "layoutcheck/core/shape_stride/bridges.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/shape_stride/coalesce.h"
#include "layoutcheck/core/tiling/digit_sum.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {
namespace {

std::unexpected<Error> NotExpressible(std::string why) { return MakeError(ErrorKind::kUnsupported, std::move(why)); }

// Part of a coordinate: floor(x / weight), modulo `extent` unless it is the top digit of its dimension.
struct Digit {
  size_t dimension = 0;
  int64_t weight = 1;
  int64_t extent = 1;
  bool top = true;
};

// One dimension of the array after some tiles: its size, and the digits whose mixed-radix number its index is, major
// first.
struct Entry {
  int64_t size = 1;
  std::vector<Digit> digits;
};

// Cuts `tile` off the minor end of an entry: its index becomes (index / tile, index mod tile).
Expected<std::pair<Entry, Entry>> Cut(const Entry& entry, int64_t tile) {
  Entry outer{CeilDiv(entry.size, tile), entry.digits};
  Entry inner{tile, {}};
  int64_t rest = tile;
  while (rest > 1 && !outer.digits.empty()) {
    Digit& digit = outer.digits.back();
    const bool padded = outer.digits.size() == 1 && digit.top;  // its extent is a bound, any cut of it is one of x
    if (rest % digit.extent == 0) {
      if (padded) digit.extent = rest;
      rest = padded ? 1 : rest / digit.extent;
      inner.digits.insert(inner.digits.begin(), digit);
      outer.digits.pop_back();
    } else if (digit.extent % rest == 0 || padded) {
      inner.digits.insert(inner.digits.begin(), {digit.dimension, digit.weight, rest, false});
      const CheckedInt64 weight = CheckedInt64(digit.weight) * rest;
      if (weight.overflow) return MakeError(ErrorKind::kOverflow, "a tile does not fit int64");
      digit.weight = weight.value;
      digit.extent = CeilDiv(digit.extent, rest);
      rest = 1;
    } else {
      return NotExpressible(StrCat("a tile of ", tile, " cuts dimension ", digit.dimension, " where it is in parts of ",
                                   digit.extent, ": neither divides the other"));
    }
  }
  return std::pair{std::move(outer), std::move(inner)};
}

Expected<void> ApplyTile(const std::vector<TileDimension<int64_t>>& tile, std::vector<Entry>& entries) {
  while (entries.size() < tile.size()) entries.insert(entries.begin(), Entry{});
  const size_t first = entries.size() - tile.size();
  std::vector<Entry> outer(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(first));
  std::vector<Entry> inner;
  Entry combined;  // what the `*` before this position collected
  bool combining = false;
  for (size_t i = 0; i < tile.size(); ++i) {
    Entry entry = entries[first + i];
    if (combining) {
      CheckedInt64 held = 1;
      for (const Digit& digit : entry.digits) held = held * digit.extent;
      if (held.value != entry.size) {
        return NotExpressible(StrCat("`*` combines a part that is padded from ", held.value, " to ", entry.size));
      }
      const CheckedInt64 size = CheckedInt64(combined.size) * entry.size;
      if (size.overflow) return MakeError(ErrorKind::kOverflow, "a combined dimension does not fit int64");
      entry.size = size.value;
      entry.digits.insert(entry.digits.begin(), combined.digits.begin(), combined.digits.end());
    }
    combining = tile[i].combine;
    if (combining) {
      combined = std::move(entry);
      continue;
    }
    Expected<std::pair<Entry, Entry>> parts = Cut(entry, tile[i].size);
    if (!parts) return std::unexpected(parts.error());
    outer.push_back(std::move(parts->first));
    inner.push_back(std::move(parts->second));
  }
  entries = std::move(outer);
  entries.insert(entries.end(), std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
  return {};
}

IntTuple TupleOf(const std::vector<int64_t>& numbers) {
  return IntTuple::Tuple(std::vector<IntTuple>(numbers.begin(), numbers.end()));
}

// The layout with each mode coalesced: two layouts are the same map exactly if these are equal.
Expected<ShapeStrideLayout> Canonical(const ShapeStrideLayout& layout) {
  return CoalesceByMode(layout, IntTuple::Tuple(std::vector<IntTuple>(static_cast<size_t>(Rank(layout)), IntTuple(0))));
}

// What an XLA layout is searched for.
struct Target {
  std::vector<int64_t> dimensions;
  ElementType type;
  ShapeStrideLayout canonical;
  std::vector<std::vector<StridedMode>> modes;  // without extents of 1
};

bool Matches(const Target& target, const Shape& candidate) {
  const Expected<ShapeStrideLayout> layout = ShapeStrideOfHlo(candidate);
  return layout && layout->shape == target.canonical.shape && layout->stride == target.canonical.stride;
}

// The products of the first integers of a mode: where a tile may cut. The first is 1.
std::vector<int64_t> Cuts(const std::vector<StridedMode>& mode) {
  std::vector<int64_t> cuts = {1};
  for (const StridedMode& leaf : mode) cuts.push_back(cuts.back() * leaf.extent);
  return cuts;
}

// Calls `visit` with every choice of one number from each list until it returns true.
template <class Visit>
bool AnyChoice(const std::vector<std::vector<int64_t>>& lists, std::vector<int64_t>& choice, const Visit& visit) {
  if (choice.size() == lists.size()) return visit(choice);
  for (const int64_t number : lists[choice.size()]) {
    choice.push_back(number);
    if (AnyChoice(lists, choice, visit)) return true;
    choice.pop_back();
  }
  return false;
}

Tile WithoutLeadingOnes(const std::vector<int64_t>& sizes) {
  const auto first = std::ranges::find_if(sizes, [](int64_t size) { return size != 1; });
  return Tile{{first, sizes.end()}};
}

// A search over dimension orders and one or two tiles, the fewest tiles first.
std::optional<Shape> FindLayout(const Target& target) {
  constexpr int64_t kMaxCandidates = 20'000;  // with each number of tiles
  const size_t rank = target.dimensions.size();
  // Physical orders: the one by the largest stride of each dimension first, then the others.
  std::vector<size_t> by_stride(rank);
  std::iota(by_stride.begin(), by_stride.end(), size_t{0});
  const auto largest = [&target](size_t d) {
    int64_t stride = 0;
    for (const StridedMode& leaf : target.modes[d]) stride = std::max(stride, leaf.stride);
    return stride;
  };
  std::ranges::stable_sort(by_stride, std::ranges::greater{}, largest);
  std::vector<size_t> order(rank);
  int64_t candidates = 0;
  std::optional<Shape> found;
  const auto attempt = [&](std::vector<Tile> tiles) {
    std::vector<int64_t> minor_to_major;
    for (size_t i = rank; i-- > 0;) minor_to_major.push_back(static_cast<int64_t>(by_stride[order[i]]));
    Shape shape = Shape::Array(target.type, target.dimensions, Layout(std::move(minor_to_major), std::move(tiles)));
    if (++candidates > kMaxCandidates) return true;  // ends the search
    if (!Matches(target, shape)) return false;
    found = std::move(shape);
    return true;
  };
  for (const int tile_count : {0, 1, 2}) {
    candidates = 0;
    bool done = false;
    std::iota(order.begin(), order.end(), size_t{0});
    do {
      if (tile_count == 0) {
        done = attempt({});
        continue;
      }
      std::vector<std::vector<int64_t>> cuts;
      for (size_t i = 0; i < rank; ++i) cuts.push_back(Cuts(target.modes[by_stride[order[i]]]));
      std::vector<int64_t> first;
      done = AnyChoice(cuts, first, [&](const std::vector<int64_t>& sizes) {
        const Tile tile = WithoutLeadingOnes(sizes);
        if (tile.dimensions.empty()) return false;
        if (tile_count == 1) return attempt({tile});
        std::vector<std::vector<int64_t>> inner;
        for (size_t i = 0; i < rank; ++i) {
          inner.emplace_back();
          for (const int64_t cut : cuts[i]) {
            if (cut <= sizes[i] && sizes[i] % cut == 0) inner.back().push_back(cut);
          }
        }
        std::vector<int64_t> second;
        return AnyChoice(inner, second, [&](const std::vector<int64_t>& parts) {
          const Tile part = WithoutLeadingOnes(parts);
          return !part.dimensions.empty() && attempt({tile, part});
        });
      });
    } while (!done && std::ranges::next_permutation(order).found);
    if (found) break;
  }
  return found;
}

Layout MatrixLayout(bool row_major, std::vector<Tile> tiles) {
  return Layout(row_major ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{0, 1}, std::move(tiles));
}

// The modes by following what each tile does to the coordinates' digits.
Expected<ShapeStrideLayout> ModesByTiles(const TiledLayout& tiled) {
  std::vector<Entry> entries;
  for (int64_t p = 0; p < tiled.rank(); ++p) {
    const auto d = static_cast<size_t>(tiled.Major(p));
    entries.push_back({tiled.dimensions[d], {{d, 1, tiled.dimensions[d], true}}});
  }
  for (const auto& tile : tiled.tiles) {
    const Expected<void> applied = ApplyTile(tile, entries);
    if (!applied) return std::unexpected(applied.error());
  }
  // Strides, from the minor end.
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
      if (stride.overflow) return MakeError(ErrorKind::kOverflow, "a stride of the layout does not fit int64");
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
    Expected<ShapeStrideLayout> mode = Coalesce(LayoutOfModes(leaves));
    if (!mode) return mode;
    modes.push_back(*std::move(mode));
  }
  return ConcatenateModes(modes);
}

// The modes by where the positions stop growing evenly, for tiles whose cuts do not divide each other. Nothing if the
// positions are no sum of one layout for each dimension. Requires sizes >= 1.
Expected<std::optional<ShapeStrideLayout>> ModesByPositions(const TiledLayout& tiled) {
  const size_t rank = tiled.dimensions.size();
  // Elements are numbered in the order of memory without tiles, where what a `*` combines is together.
  std::vector<int64_t> weights(rank, 1);
  int64_t elements = 1;
  for (const int64_t d : tiled.minor_to_major) {
    weights[static_cast<size_t>(d)] = elements;
    elements *= tiled.dimensions[static_cast<size_t>(d)];  // fits: there is an element count
  }
  const Expected<std::optional<DigitSum>> positions = PositionsAsDigitSum(tiled, weights);
  if (!positions) return std::unexpected(positions.error());
  if (!*positions) return std::nullopt;
  std::vector<ShapeStrideLayout> modes(rank);
  DigitSum rebuilt{(*positions)->size, {}};
  for (const int64_t minor : tiled.minor_to_major) {
    const auto d = static_cast<size_t>(minor);
    const int64_t size = tiled.dimensions[d];
    // The run lengths of this dimension: weights at which the growth changes.
    std::vector<StridedMode> leaves;
    int64_t length = 1;  // of the last leaf's step
    for (const WeightedDigit& digit : (*positions)->digits) {
      if (size == 1 || digit.weight >= weights[d] * size) break;
      if (digit.weight < weights[d] && !leaves.empty()) continue;
      const int64_t start = std::max<int64_t>(1, digit.weight / weights[d]);
      const int64_t stride = (**positions)(start * weights[d]);
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
    if (size > 1 && leaves.empty()) leaves.push_back({size, (**positions)(weights[d])});
    int64_t weight = weights[d];
    for (const StridedMode& leaf : leaves) {
      rebuilt.digits.push_back({weight, leaf.stride});
      weight *= leaf.extent;
    }
    modes[d] = LayoutOfModes(leaves);
  }
  const Expected<bool> same = SameFunction(rebuilt, **positions);
  if (!same) return std::unexpected(same.error());
  return *same ? std::optional(ConcatenateModes(modes)) : std::nullopt;
}

}  // namespace

Expected<ShapeStrideLayout> ShapeStrideOfHlo(const Shape& shape) {
  const Expected<TiledLayout> tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes) return std::unexpected(sizes.error());
  if (sizes->elements == 0) return NotExpressible(StrCat(ToString(shape), " has no element"));
  Expected<ShapeStrideLayout> result = ModesByTiles(*tiled);
  if (!result) {
    if (result.error().kind != ErrorKind::kUnsupported) return result;
    Expected<std::optional<ShapeStrideLayout>> by_positions = ModesByPositions(*tiled);
    if (!by_positions) return std::unexpected(by_positions.error());
    if (!*by_positions) return result;
    result = **std::move(by_positions);
  }
  result->origin_shape = TupleOf(tiled->dimensions);
  const Expected<int64_t> cosize = Cosize(*result);
  if (!cosize) return std::unexpected(cosize.error());
  if (*cosize != sizes->padded_elements) {
    return NotExpressible(StrCat(ToString(shape), " takes ", sizes->padded_elements, " elements, ", ToString(*result),
                                 " with the same offsets ", *cosize));
  }
  return result;
}

Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type) {
  const Expected<StridedLayout> strided = StridedLayoutOf(layout);
  if (!strided) return std::unexpected(strided.error());
  if (!IsArrayElementType(type)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(ElementTypeName(type), " is not the type of an array"));
  }
  Expected<ShapeStrideLayout> canonical = Canonical(layout);
  if (!canonical) return std::unexpected(canonical.error());
  Target target{{}, type, *std::move(canonical), {}};
  std::vector<StridedMode> sorted;
  for (int64_t i = 0; i < Rank(layout); ++i) {
    const Expected<int64_t> size =
        layout.origin_shape ? Expected<int64_t>(Get(*layout.origin_shape, i)->value()) : Product(*Get(layout.shape, i));
    if (!size) return std::unexpected(size.error());
    if (*size == 0) return NotExpressible(StrCat(ToString(layout), " has no element"));
    target.dimensions.push_back(*size);
    const Expected<std::vector<StridedMode>> leaves = FlatModes(*Mode(target.canonical, i));
    if (!leaves) return std::unexpected(leaves.error());
    std::vector<StridedMode>& mode = target.modes.emplace_back();
    for (const StridedMode& leaf : *leaves) {
      if (leaf.extent == 1) continue;
      if (leaf.stride <= 0) {
        return NotExpressible(
            StrCat("the stride ", leaf.stride, " of ", ToString(layout), ": XLA's strides are above 0"));
      }
      mode.push_back(leaf);
      sorted.push_back(leaf);
    }
    const Expected<int64_t> held = Product(*Get(layout.shape, i));
    if (!held) return std::unexpected(held.error());
    if (*held < *size) {
      return NotExpressible(StrCat("mode ", i, " of ", ToString(layout), " holds ", *held, " of ", *size, " elements"));
    }
  }
  std::ranges::stable_sort(sorted, std::ranges::less{}, &StridedMode::stride);
  CheckedInt64 end = 1;
  for (const StridedMode& leaf : sorted) {
    if (leaf.stride != end.value) {
      return NotExpressible(StrCat("the integer ", leaf.extent, ":", leaf.stride, " of ", ToString(layout),
                                   " leaves a ", leaf.stride > end.value ? "gap" : "overlap",
                                   ": those of smaller stride end at ", end.value));
    }
    end = end * leaf.extent;
    if (end.overflow)
      return MakeError(ErrorKind::kOverflow, StrCat("the size of ", ToString(layout), " does not fit int64"));
  }
  const std::optional<Shape> found = FindLayout(target);
  if (!found) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat("no XLA layout of at most two tiles was found for ", ToString(layout)));
  }
  return *found;
}

Expected<Shape> HloOfFractal(const FractalLayout& fractal) {
  const Expected<int64_t> bits = FractalElementBits(fractal.element_type);
  if (!bits) return std::unexpected(bits.error());
  const Expected<ShapeStrideLayout> exists = MakeTlaLayout(fractal.tag, *bits, fractal.rows, fractal.columns);
  if (!exists) return std::unexpected(exists.error());
  const int64_t c0 = *FractalColumns(*bits);
  const bool packs_two = *bits == 4;
  Layout layout;
  std::vector<int64_t> dimensions = {fractal.rows, fractal.columns};
  switch (fractal.tag) {
    case TlaTag::kVectorLayout:
      dimensions = {fractal.columns};
      layout = Layout({0});
      break;
    case TlaTag::kRowMajor:
    case TlaTag::kColumnMajor:
      layout =
          MatrixLayout(fractal.tag == TlaTag::kRowMajor, packs_two ? std::vector{Tile{{1, 2}}} : std::vector<Tile>());
      break;
    case TlaTag::kZZ: layout = MatrixLayout(true, {Tile{{16, c0}}}); break;
    case TlaTag::kNN: layout = MatrixLayout(false, {Tile{{16, c0}}}); break;
    // The second tile makes the 16 the outer of the two inside the fractal; it divides, so it pads nothing.
    case TlaTag::kZN: layout = MatrixLayout(false, {Tile{{c0, 16}}, Tile{{c0, 1}}}); break;
    case TlaTag::kNZ: layout = MatrixLayout(true, {Tile{{c0, 16}}, Tile{{c0, 1}}}); break;
    case TlaTag::kL0C: layout = MatrixLayout(false, {Tile{{16, 16}}, Tile{{16, 1}}}); break;
    case TlaTag::kWeight4BitnZ: layout = MatrixLayout(true, {Tile{{32, 16}}, Tile{{32, 1}}}); break;
  }
  if (packs_two) layout.element_size_in_bits = 4;
  return Shape::Array(fractal.element_type, std::move(dimensions), std::move(layout));
}

Expected<Layout> HloLayoutOfMxScale(TlaTag tag, bool is_b) {
  switch (tag) {
    case TlaTag::kRowMajor: return MatrixLayout(true, {is_b ? Tile{{2, 1}} : Tile{{1, 2}}});
    case TlaTag::kColumnMajor: return MatrixLayout(false, {is_b ? Tile{{1, 2}} : Tile{{2, 1}}});
    case TlaTag::kZZ: return MatrixLayout(true, {Tile{{16, 2}}});
    case TlaTag::kNN: return MatrixLayout(false, {Tile{{16, 2}}});
    default: return MakeError(ErrorKind::kInvalidArgument, StrCat(TlaTagName(tag), " has no layout of scales"));
  }
}

}  // namespace layoutcheck
