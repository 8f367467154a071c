// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the linear index.
#include <algorithm>
#include <bit>
#include <numeric>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/faults/faulty_formula.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
using Dimensions = std::vector<int64_t>;

Plant InFormula(void (*change)(FormulaMistakes&)) {
  FormulaMistakes mistakes;
  change(mistakes);
  return [mistakes](FaultHooks& hooks) {
    hooks.formula = [mistakes](const TiledLayout& layout, std::span<const int64_t> index) {
      return FormulaWith(mistakes, layout, index);
    };
  };
}

Plant InLayout(void (*change)(Shape&)) {
  return [change](FaultHooks& hooks) { hooks.distort = change; };
}

// Returns a fault in the dimension order of layouts of rank >= 2.
Plant InOrder(void (*change)(Dimensions& minor_to_major)) {
  return [change](FaultHooks& hooks) {
    hooks.distort = [change](Shape& shape) {
      if (shape.rank() >= 2) change(shape.layout->minor_to_major);
    };
  };
}

Plant InTiles(void (*change)(const Shape&, Dimensions& tile)) {
  return [change](FaultHooks& hooks) {
    hooks.distort = [change](Shape& shape) {
      for (Tile& tile : shape.layout->tiles) change(shape, tile.dimensions);
    };
  };
}

Plant InOffset(int64_t (*change)(const Shape&, int64_t)) {
  return [change](FaultHooks& hooks) { hooks.offset = change; };
}

std::optional<Failed> Error(const char* what) { return Failed{Failed::Kind::kError, what}; }

void Invert(Dimensions& order) {
  Dimensions inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k) inverse[static_cast<size_t>(order[k])] = static_cast<int64_t>(k);
  order = inverse;
}

template <class Narrow>
int64_t Cut(int64_t value) {
  return static_cast<int64_t>(static_cast<Narrow>(value));
}

std::vector<Fault> TileFaults() {
  return {
      {"drop-last-tile", "index", "JAX ee832c1e66: the last tile is not taken into account", InLayout([](Shape& s) {
         if (!s.layout->tiles.empty()) s.layout->tiles.pop_back();
       })},
      {"first-tile-only", "index", "XLA LinearIndex: sub-tiles are ignored", InLayout([](Shape& s) {
         if (s.layout->tiles.size() > 1) s.layout->tiles.resize(1);
       })},
      {"tiles-ignored", "index", "google/tpu-sync#363: row strides ignore tiles, rows interleave",
       InLayout([](Shape& s) { s.layout->tiles.clear(); })},
      {"rank-one-tile-ignored", "index", "XLA LinearIndex at rank 1: the tile itself is ignored",
       InLayout([](Shape& s) {
         if (s.rank() == 1) s.layout->tiles.clear();
       })},
      {"third-tile-ignored", "index", "JAX 61aa7e89aa: only the tiles that were thought of are used",
       InLayout([](Shape& s) {
         if (s.layout->tiles.size() > 2) s.layout->tiles.resize(2);
       })},
      {"tile-order-reversed", "index", "IREE #18640: sizes delinearized in the opposite order",
       InLayout([](Shape& s) { std::ranges::reverse(s.layout->tiles); })},
      {"tile-entries-reversed", "index", "CUTLASS #879: the other major-ness inside a tile",
       InTiles([](const Shape&, Dimensions& t) {
         if (std::ranges::find(t, Tile::kCombineDimension) == t.end()) std::ranges::reverse(t);
       })},
      {"tile-on-prefix", "index", "LLVM #152960: tile sizes applied to the first dimensions in place of the last",
       InFormula([](FormulaMistakes& m) { m.tile_on_prefix = true; })},
      {"later-tile-on-counts", "index", "JAX ee832c1e66: a later tile divides the tile counts, not the tile",
       InFormula([](FormulaMistakes& m) { m.later_tiles_on_counts = true; })},
  };
}

std::vector<Fault> TileSizeFaults() {
  return {
      {"tile-clamped", "index", "XLA 1f375f52d4: a tile larger than its dimension is cut to the dimension",
       InLayout([](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         for (size_t k = 0; k < t.size() && k < s.dimensions.size(); ++k) {
           int64_t& size = t[t.size() - 1 - k];
           const int64_t dimension = s.dimensions[static_cast<size_t>(s.layout->Minor(static_cast<int64_t>(k)))];
           if (size != Tile::kCombineDimension) size = std::max<int64_t>(1, std::min(size, dimension));
         }
       })},
      {"tile-power-of-two", "index", "TileLang #2394: tile widths other than powers of two",
       InTiles([](const Shape&, Dimensions& t) {
         for (int64_t& size : t) {
           if (size > 0) size = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size)));
         }
       })},
      {"tile-ones-removed", "index", "a size of 1 is dropped as if it carried nothing, as in PyTorch #78611",
       InTiles([](const Shape&, Dimensions& t) {
         if (t.size() > 1 && t.back() == 1) t.pop_back();
       })},
      {"equal-tiles-merged", "index", "oneDNN 090d3eb919: what is there twice is kept once", InLayout([](Shape& s) {
         auto& tiles = s.layout->tiles;
         const auto rest = std::ranges::unique(tiles);
         tiles.erase(rest.begin(), rest.end());
       })},
      {"longer-tile-cut-in-front", "index", "XLA before 1f375f52d4: a tile with more entries than dimensions",
       InLayout([](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         while (t.size() > std::max<size_t>(s.dimensions.size(), 1)) t.erase(t.begin());
       })},
      {"longer-tile-cut-behind", "index", "JAX f3bb52bb5c: size - 1 underflows where the tile is longer than the array",
       InLayout([](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         while (t.size() > std::max<size_t>(s.dimensions.size(), 1)) t.pop_back();
         if (t.back() == Tile::kCombineDimension) t.back() = 2;
       })},
      {"longer-tile-pads-behind", "index", "IREE #21808: the missing dimensions are put at the wrong end",
       InFormula([](FormulaMistakes& m) { m.missing_dimensions_minor = true; })},
      {"later-tile-cut-to-first", "index", "JAX ee832c1e66: Tiling.remove_dimension where tiles have different ranks",
       InLayout([](Shape& s) {
         for (size_t k = 1; k < s.layout->tiles.size(); ++k) {
           Dimensions& t = s.layout->tiles[k].dimensions;
           while (t.size() > s.layout->tiles[0].dimensions.size()) t.erase(t.begin());
         }
       })},
  };
}

// Returns faults that show only in layouts of many tiles or dimensions.
std::vector<Fault> LimitFaults() {
  return {
      {"fourth-tile-ignored", "index", "a fixed array of three tiles", InLayout([](Shape& s) {
         if (s.layout->tiles.size() > 3) s.layout->tiles.resize(3);
       })},
      {"order-of-rank-eight-ignored", "index",
       "an inlined vector of seven dimensions spills, and its copy is row major", InLayout([](Shape& s) {
         if (s.rank() > 7) std::iota(s.layout->minor_to_major.rbegin(), s.layout->minor_to_major.rend(), 0);
       })},
      {"tiles-of-rank-five-ignored", "index", "another path for high ranks, which forgets the tiles",
       InLayout([](Shape& s) {
         if (s.rank() >= 5) s.layout->tiles.clear();
       })},
  };
}

std::vector<Fault> CountFaults() {
  return {
      {"floor-tile-count", "index", "TileLang #2433: truncating division counts the tiles",
       InFormula([](FormulaMistakes& m) {
         m.count = [](int64_t size, int64_t tile) { return std::max<int64_t>(size / tile, 1); };
       })},
      {"one-tile-too-many", "index", "d / t + 1 for the tile count: wrong where the tile divides",
       InFormula([](FormulaMistakes& m) { m.count = [](int64_t size, int64_t tile) { return size / tile + 1; }; })},
      {"ceil-plus-one", "index", "tt-metal #19513: padding counted twice", InFormula([](FormulaMistakes& m) {
         m.count = [](int64_t size, int64_t tile) { return CeilDiv(size, tile) + 1; };
       })},
      {"rounded-tile-count", "index", "a division that rounds to the nearest counts the tiles",
       InFormula([](FormulaMistakes& m) {
         m.count = [](int64_t size, int64_t tile) { return std::max<int64_t>((size + tile / 2) / tile, 1); };
       })},
      {"ceil-quotient", "index", "an index is rounded up like a size, as in TileLang #2433's counts",
       InFormula([](FormulaMistakes& m) { m.quotient = [](int64_t i, int64_t tile) { return CeilDiv(i, tile); }; })},
      {"shift-for-division", "index", "a tile size that is no power of two is divided by a shift",
       InFormula([](FormulaMistakes& m) {
         m.quotient = [](int64_t i, int64_t tile) { return i >> (std::bit_width(static_cast<uint64_t>(tile)) - 1); };
       })},
      {"mask-for-remainder", "index", "IREE #24241: a mask takes the remainder although the period is no power of two",
       InFormula([](FormulaMistakes& m) { m.remainder = [](int64_t i, int64_t tile) { return i & (tile - 1); }; })},
      {"remainder-dropped-if-equal", "index", "TVM #18025: a remainder simplified under a range that does not hold",
       InFormula(
           [](FormulaMistakes& m) { m.remainder = [](int64_t i, int64_t tile) { return i < tile ? i : i - tile; }; })},
      {"remainders-swapped", "index", "CUTLASS #3048: rows and columns of a tile exchanged",
       InFormula([](FormulaMistakes& m) { m.remainders_swapped = true; })},
      {"inner-before-outer", "index", "Triton #6652: the factors of a product of layouts in the wrong order",
       InFormula([](FormulaMistakes& m) { m.inner_before_outer = true; })},
      {"tile-counts-reversed", "index", "IREE #18724: tiles numbered in the opposite order",
       InFormula([](FormulaMistakes& m) { m.quotients_reversed = true; })},
      {"strides-of-unpadded-sizes", "index", "oneDNN 0156c7acae: strides from the logical, not the padded sizes",
       InFormula([](FormulaMistakes& m) { m.strides_of_unpadded = true; })},
      {"partial-tiles-compact", "index", "XLA 9365382364: partial tiles are handled as if they were small whole ones",
       InFormula([](FormulaMistakes& m) { m.partial_tile_compact = true; })},
      {"odd-row-padded", "index", "IREE #16219: rows of odd size are rounded up",
       InFormula([](FormulaMistakes& m) { m.last_stride_two = true; })},
  };
}

std::vector<Fault> CombineFaults() {
  return {
      {"combine-ignored", "index", "XLA: * taken as 1, the value -1 taken as no combination",
       InTiles([](const Shape&, Dimensions& t) { std::ranges::replace(t, Tile::kCombineDimension, int64_t{1}); })},
      {"combine-reversed", "index", "IREE #18640: the order of a linearized index reversed",
       InFormula(
           [](FormulaMistakes& m) { m.combine = [](int64_t i, int64_t j, int64_t a, int64_t) { return j * a + i; }; })},
      {"combine-wrong-factor", "index", "CUTLASS #3140: multiplied with the stride of the other dimension",
       InFormula(
           [](FormulaMistakes& m) { m.combine = [](int64_t i, int64_t j, int64_t a, int64_t) { return i * a + j; }; })},
      {"combined-size-forgotten", "index", "CUTLASS #2955: the size of a merged mode is that of its first part",
       InFormula([](FormulaMistakes& m) { m.combined_size_forgotten = true; })},
      {"second-combine-ignored", "index", "JAX ee832c1e66: only the first * of a tile is applied",
       InTiles([](const Shape&, Dimensions& t) {
         const auto first = std::ranges::find(t, Tile::kCombineDimension);
         if (first != t.end()) std::replace(first + 1, t.end(), Tile::kCombineDimension, int64_t{1});
       })},
  };
}

std::vector<Fault> OrderFaults() {
  return {
      {"order-inverted", "index", "XLA 3376395d39: the permutation in place of its inverse", InOrder(Invert)},
      {"order-not-reversed", "index", "minor_to_major read as major_to_minor",
       InOrder([](Dimensions& order) { std::ranges::reverse(order); })},
      {"order-ignored", "index", "XLA 4b472be5f3: the layout is ignored, row major is assumed",
       InOrder([](Dimensions& order) { std::ranges::sort(order, std::ranges::greater()); })},
      {"order-column-major", "index", "CUTLASS #879: column major is assumed",
       InOrder([](Dimensions& order) { std::ranges::sort(order); })},
      {"order-rotated", "index", "XLA #49119: variables rotated by one",
       InOrder([](Dimensions& order) { std::ranges::rotate(order, order.begin() + 1); })},
      {"order-applied-twice", "index", "LLVM #93055: permutations composed the wrong way",
       InOrder([](Dimensions& order) {
         const Dimensions once = order;
         for (int64_t& d : order) d = once[static_cast<size_t>(d)];
       })},
      {"order-of-rank-two-only", "index", "XLA #26766: orders of 3-D layouts are dropped",
       InOrder([](Dimensions& order) {
         if (order.size() > 2) std::ranges::sort(order, std::ranges::greater());
       })},
      {"order-leading-two-swapped", "index", "IREE #24325: the packed operand is read as if not transposed",
       InOrder([](Dimensions& order) { std::swap(order.end()[-1], order.end()[-2]); })},
      {"order-found-by-size", "index", "JAX 94748a1552: a dimension is looked up by a value that another one also has",
       InLayout([](Shape& s) {
         Dimensions& order = s.layout->minor_to_major;
         // Dimensions of equal size come in ascending order, as a search from the front finds them.
         for (size_t a = 0; a < order.size(); ++a) {
           for (size_t b = a + 1; b < order.size(); ++b) {
             const auto da = static_cast<size_t>(order[a]);
             const auto db = static_cast<size_t>(order[b]);
             if (s.dimensions[da] == s.dimensions[db] && da > db) std::swap(order[a], order[b]);
           }
         }
       })},
      {"order-ties-broken", "index", "XLA 1b6fd3df51: strides that are equal because a dimension has size 1",
       InLayout([](Shape& s) {
         Dimensions& order = s.layout->minor_to_major;
         if (std::ranges::find(s.dimensions, int64_t{1}) != s.dimensions.end()) {
           std::ranges::sort(order, std::ranges::greater());
         }
       })},
  };
}

std::vector<Fault> IntegerFaults() {
  return {
      {"int8-offset", "index", "oneDNN ccf3439bd1: an offset in a narrow type, 8 bits",
       InOffset([](const Shape&, int64_t o) { return Cut<int8_t>(o); })},
      {"int16-offset", "index", "TVM #18694: an index in 16 bits",
       InOffset([](const Shape&, int64_t o) { return Cut<int16_t>(o); })},
      {"int32-offset", "index", "PyTorch #182193: an index in 32 bits although each buffer fits",
       InOffset([](const Shape&, int64_t o) { return Cut<int32_t>(o); })},
      {"uint32-offset", "index", "CATLASS 06914f8e: products in uint32 before they are widened",
       InOffset([](const Shape&, int64_t o) { return Cut<uint32_t>(o); })},
      {"int32-strides", "index", "XLA 374ac3371b: sizes accumulated in 32 bits",
       InFormula([](FormulaMistakes& m) { m.narrow = Cut<int32_t>; })},
      {"int32-dimensions", "index", "CUTLASS #3448: 32-bit slots for 64-bit sizes", InLayout([](Shape& s) {
         for (int64_t& d : s.dimensions) d = std::max<int64_t>(Cut<int32_t>(d), 0);
       })},
      {"int32-quotient", "index", "TVM #18694: floordiv lowered in 32 bits", InFormula([](FormulaMistakes& m) {
         m.quotient = [](int64_t i, int64_t tile) { return Cut<int32_t>(i) / tile; };
       })},
      {"double-offset", "index", "an offset that went through a double loses bits past 2^53",
       InOffset([](const Shape&, int64_t o) {
         return o < (int64_t{1} << 62) ? static_cast<int64_t>(static_cast<double>(o)) : o;
       })},
  };
}

std::vector<Fault> AttributeFaults() {
  return {
      {"byte-offset", "index", "CUTLASS #3049: bytes where elements are meant",
       InOffset([](const Shape& s, int64_t o) { return o * ByteWidth(s.element_type); })},
      {"sub-byte-offset-in-bytes", "index", "IREE #14642: the offset of packed elements is one of bytes",
       InOffset([](const Shape& s, int64_t o) {
         const int64_t bits = s.layout->element_size_in_bits;
         return bits > 0 && bits < 8 ? o * bits / 8 : o;
       })},
      {"metadata-added", "index", "JAX 224eb88194: the base offset is added twice",
       InOffset([](const Shape& s, int64_t o) { return o + s.layout->dynamic_shape_metadata_prefix_bytes; })},
      {"tail-padding-in-front", "index", "XLA L(n): the padding of the end is put at the start",
       InOffset([](const Shape& s, int64_t o) {
         const int64_t alignment = s.layout->tail_padding_alignment_in_elements;
         return alignment > 1 ? o + alignment : o;
       })},
      {"memory-space-untiled", "index", "XLA DeviceShapeToHostShape: tiles dropped with the memory space",
       InLayout([](Shape& s) {
         if (s.layout->memory_space != 0) s.layout->tiles.clear();
       })},
      {"bounded-dimension-as-one", "index", "XLA #40750: a dynamic dimension counts as 1", InLayout([](Shape& s) {
         for (size_t d = 0; d < s.dimensions.size(); ++d) {
           if (s.dynamic_dimensions[d]) s.dimensions[d] = 1;
         }
       })},
      {"split-moves-elements", "index", "XLA cbb23d1d64: a split configuration changes the index",
       InLayout([](Shape& s) {
         if (!s.layout->split_configs.empty()) {
           const auto d = static_cast<size_t>(s.layout->Major(s.layout->split_configs[0].dimension));
           s.dimensions[d] = std::max<int64_t>(s.layout->split_configs[0].split_indices[0], 1);
           s.layout->split_configs.clear();
         }
       })},
      {"element-width-moves-elements", "index", "XLA #17719: E(n) kept on a type that it does not fit",
       InOffset([](const Shape& s, int64_t o) { return s.layout->element_size_in_bits == 32 ? o * 4 : o; })},
  };
}

std::vector<Fault> DegenerateFaults() {
  return {
      {"swizzled", "index", "TileLang #455: a swizzle where the layout has none",
       InOffset([](const Shape&, int64_t o) { return o ^ ((o >> 3) & 1); })},
      {"address-bit-dropped", "index", "TileLang #2632: two elements share an address",
       InOffset([](const Shape&, int64_t o) { return o & ~int64_t{4}; })},
      {"last-address-wraps", "index", "an element at the end of the allocation wraps to its start",
       InOffset([](const Shape& s, int64_t o) {
         const auto sizes = SizesOf(s);
         return sizes && sizes->padded_elements > 1 && o == sizes->padded_elements - 1 ? 0 : o;
       })},
      {"empty-array-refused", "index", "XLA #45969: a dimension of size 0 breaks",
       [](FaultHooks& hooks) {
         hooks.refuse = [](const Shape& s) {
           return std::ranges::find(s.dimensions, 0) == s.dimensions.end() ? std::nullopt : Error("division by zero");
         };
       }},
      {"scalar-refused", "index", "JAX 1bb1fe0658: the layout of a scalar",
       [](FaultHooks& hooks) {
         hooks.refuse = [](const Shape& s) { return s.rank() == 0 ? Error("no dimensions") : std::nullopt; };
       }},
      {"tiled-scalar-refused", "index", "JAX f3bb52bb5c: ComputeTileStrides underflows at rank 0",
       [](FaultHooks& hooks) {
         hooks.refuse = [](const Shape& s) {
           return s.rank() == 0 && !s.layout->tiles.empty() ? Error("index -1 of an array of size 0") : std::nullopt;
         };
       }},
      {"rank-six-refused", "index", "a fixed array of five dimensions",
       [](FaultHooks& hooks) {
         hooks.refuse = [](const Shape& s) { return s.rank() >= 6 ? Error("too many dimensions") : std::nullopt; };
       }},
      {"size-one-dimension-last", "index", "PyTorch #78611: a dimension of size 1 moves in the order",
       InLayout([](Shape& s) {
         if (s.rank() < 2 || s.layout->tiles.empty()) return;
         Dimensions& order = s.layout->minor_to_major;
         std::ranges::stable_partition(order, [&](int64_t d) { return s.dimensions[static_cast<size_t>(d)] != 1; });
       })},
  };
}

std::vector<Fault> MakeFaults() {
  return JoinFaults({TileFaults(), TileSizeFaults(), LimitFaults(), CountFaults(), CombineFaults(), OrderFaults(),
                     IntegerFaults(), AttributeFaults(), DegenerateFaults()});
}

}  // namespace

std::span<const Fault> IndexFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
