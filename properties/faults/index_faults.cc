// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the linear index, apart from those in its formula.
#include <algorithm>
#include <bit>
#include <utility>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Dimensions = std::vector<int64_t>;

// Returns a fault in the dimension order of layouts of rank >= 2.
DistortLayout InOrder(void (*change)(Dimensions& minor_to_major)) {
  return [change](Shape& shape) {
    if (shape.rank() >= 2) change(shape.layout->minor_to_major);
  };
}

DistortLayout InTiles(void (*change)(Dimensions& tile)) {
  return [change](Shape& shape) {
    for (Tile& tile : shape.layout->tiles) change(tile.dimensions);
  };
}

// Returns a fault that makes questions about the offsets of such layouts fail.
std::function<void(FaultHooks&)> Refused(const char* what, bool (*applies)(const Shape&)) {
  return [what, applies](FaultHooks& hooks) {
    std::get<RefuseLayout>(hooks) = [what, applies](const Shape& shape) {
      return applies(shape) ? std::optional(Failed{Failed::Kind::kError, what}) : std::nullopt;
    };
  };
}

bool HasSize(const Shape& shape, int64_t size) {
  return std::ranges::find(shape.dimensions, size) != shape.dimensions.end();
}

void Invert(Dimensions& order) {
  Dimensions inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k) inverse[static_cast<size_t>(order[k])] = static_cast<int64_t>(k);
  order = inverse;
}

template <class Narrow>
int64_t CutOffset(const Shape&, int64_t offset) {
  return static_cast<int64_t>(static_cast<Narrow>(offset));
}

template <class Float>
int64_t ThroughFloat(const Shape&, int64_t offset) {
  return offset < (int64_t{1} << 62) ? static_cast<int64_t>(static_cast<Float>(offset)) : offset;
}

std::vector<Fault> TileFaults() {
  return {
      {"drop-last-tile", "JAX ee832c1e66: the last tile is not taken into account",
       [](Shape& s) {
         if (!s.layout->tiles.empty()) s.layout->tiles.pop_back();
       }},
      {"first-tile-only", "XLA LinearIndex: sub-tiles are ignored", [](Shape& s) { KeepTiles(s, 1); }},
      {"tiles-ignored", "google/tpu-sync#363: row strides ignore tiles, rows interleave", DropTiles},
      {"rank-one-tile-ignored", "XLA LinearIndex at rank 1: the tile itself is ignored",
       Where([](const Shape& s) { return s.rank() == 1; }, DropTiles)},
      {"third-tile-ignored", "JAX 61aa7e89aa: only the tiles that were thought of are used",
       [](Shape& s) { KeepTiles(s, 2); }},
      {"tile-order-reversed", "IREE #18640: sizes delinearized in the opposite order",
       [](Shape& s) { std::ranges::reverse(s.layout->tiles); }},
      {"tile-entries-reversed", "CUTLASS #879: the other major-ness inside a tile", InTiles([](Dimensions& t) {
         if (std::ranges::find(t, Tile::kCombineDimension) == t.end()) std::ranges::reverse(t);
       })},
      {"tile-clamped", "XLA 1f375f52d4: a tile larger than its dimension is cut to the dimension",
       [](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         for (size_t k = 0; k < t.size() && k < s.dimensions.size(); ++k) {
           int64_t& size = t[t.size() - 1 - k];
           const int64_t dimension = s.dimensions[static_cast<size_t>(s.layout->Minor(static_cast<int64_t>(k)))];
           if (size != Tile::kCombineDimension) size = std::max<int64_t>(1, std::min(size, dimension));
         }
       }},
      {"tile-power-of-two", "TileLang #2394: tile widths other than powers of two", InTiles([](Dimensions& t) {
         for (int64_t& size : t) {
           if (size > 0) size = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size)));
         }
       })},
      {"tile-ones-removed", "a size of 1 is dropped as if it carried nothing, as in PyTorch #78611",
       InTiles([](Dimensions& t) {
         if (t.size() > 1 && t.back() == 1) t.pop_back();
       })},
      {"equal-tiles-merged", "oneDNN 090d3eb919: what is there twice is kept once",
       [](Shape& s) {
         auto& tiles = s.layout->tiles;
         const auto rest = std::ranges::unique(tiles);
         tiles.erase(rest.begin(), rest.end());
       }},
      {"longer-tile-cut-in-front", "XLA before 1f375f52d4: a tile with more entries than dimensions",
       [](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         while (t.size() > std::max<size_t>(s.dimensions.size(), 1)) t.erase(t.begin());
       }},
      {"longer-tile-cut-behind", "JAX f3bb52bb5c: size - 1 underflows where the tile is longer than the array",
       [](Shape& s) {
         if (s.layout->tiles.empty()) return;
         Dimensions& t = s.layout->tiles[0].dimensions;
         while (t.size() > std::max<size_t>(s.dimensions.size(), 1)) t.pop_back();
         if (t.back() == Tile::kCombineDimension) t.back() = 2;
       }},
      {"later-tile-cut-to-first", "JAX ee832c1e66: Tiling.remove_dimension where tiles have different ranks",
       [](Shape& s) {
         for (size_t k = 1; k < s.layout->tiles.size(); ++k) {
           Dimensions& t = s.layout->tiles[k].dimensions;
           while (t.size() > s.layout->tiles[0].dimensions.size()) t.erase(t.begin());
         }
       }},
      // The next ones show only in layouts of many tiles or dimensions.
      {"fourth-tile-ignored", "a fixed array of three tiles", [](Shape& s) { KeepTiles(s, 3); }},
      {"order-of-rank-eight-ignored", "an inlined vector of seven dimensions spills, and its copy is row major",
       Where([](const Shape& s) { return s.rank() > 7; }, MakeRowMajor)},
      {"tiles-of-rank-five-ignored", "another path for high ranks, which forgets the tiles",
       Where([](const Shape& s) { return s.rank() >= 5; }, DropTiles)},
      {"combine-ignored", "XLA: * taken as 1, the value -1 taken as no combination", CombineNothing},
      {"second-combine-ignored", "JAX ee832c1e66: only the first * of a tile is applied", InTiles([](Dimensions& t) {
         const auto first = std::ranges::find(t, Tile::kCombineDimension);
         if (first != t.end()) std::replace(first + 1, t.end(), Tile::kCombineDimension, int64_t{1});
       })},
  };
}

std::vector<Fault> OrderFaults() {
  return {
      {"order-inverted", "XLA 3376395d39: the permutation in place of its inverse", InOrder(Invert)},
      {"order-not-reversed", "minor_to_major read as major_to_minor",
       InOrder([](Dimensions& order) { std::ranges::reverse(order); })},
      {"order-ignored", "XLA 4b472be5f3: the layout is ignored, row major is assumed", MakeRowMajor},
      {"order-column-major", "CUTLASS #879: column major is assumed",
       InOrder([](Dimensions& order) { std::ranges::sort(order); })},
      {"order-rotated", "XLA #49119: variables rotated by one",
       InOrder([](Dimensions& order) { std::ranges::rotate(order, order.begin() + 1); })},
      {"order-applied-twice", "LLVM #93055: permutations composed the wrong way", InOrder([](Dimensions& order) {
         const Dimensions once = order;
         for (int64_t& d : order) d = once[static_cast<size_t>(d)];
       })},
      {"order-of-rank-two-only", "XLA #26766: orders of 3-D layouts are dropped",
       Where([](const Shape& s) { return s.rank() > 2; }, MakeRowMajor)},
      {"order-leading-two-swapped", "IREE #24325: the packed operand is read as if not transposed",
       InOrder([](Dimensions& order) { std::swap(order.end()[-1], order.end()[-2]); })},
      {"order-found-by-size", "JAX 94748a1552: a dimension is looked up by a value that another one also has",
       [](Shape& s) {
         Dimensions& order = s.layout->minor_to_major;
         // Dimensions of equal size come in ascending order, as a search from the front finds them.
         for (size_t a = 0; a < order.size(); ++a) {
           for (size_t b = a + 1; b < order.size(); ++b) {
             const auto da = static_cast<size_t>(order[a]);
             const auto db = static_cast<size_t>(order[b]);
             if (s.dimensions[da] == s.dimensions[db] && da > db) std::swap(order[a], order[b]);
           }
         }
       }},
      {"order-ties-broken", "XLA 1b6fd3df51: strides that are equal because a dimension has size 1",
       Where([](const Shape& s) { return HasSize(s, 1); }, MakeRowMajor)},
  };
}

std::vector<Fault> OffsetFaults() {
  return {
      {"int8-offset", "oneDNN ccf3439bd1: an offset in a narrow type, 8 bits", CutOffset<int8_t>},
      {"int16-offset", "TVM #18694: an index in 16 bits", CutOffset<int16_t>},
      {"int32-offset", "PyTorch #182193: an index in 32 bits although each buffer fits", CutOffset<int32_t>},
      {"uint32-offset", "CATLASS 06914f8e: products in uint32 before they are widened", CutOffset<uint32_t>},
      {"int32-dimensions", "CUTLASS #3448: 32-bit slots for 64-bit sizes",
       [](Shape& s) {
         for (int64_t& d : s.dimensions) d = std::max<int32_t>(static_cast<int32_t>(d), 0);
       }},
      {"float-offset", "an offset that went through a float loses bits past 2^24", ThroughFloat<float>},
      {"double-offset", "an offset that went through a double loses bits past 2^53", ThroughFloat<double>},
      {"byte-offset", "CUTLASS #3049: bytes where elements are meant",
       [](const Shape& s, int64_t o) { return o * ByteWidth(s.element_type); }},
      {"sub-byte-offset-in-bytes", "IREE #14642: the offset of packed elements is one of bytes",
       [](const Shape& s, int64_t o) {
         const int64_t bits = s.layout->element_size_in_bits;
         return bits > 0 && bits < 8 ? o * bits / 8 : o;
       }},
      {"metadata-added", "JAX 224eb88194: the base offset is added twice",
       [](const Shape& s, int64_t o) { return o + s.layout->dynamic_shape_metadata_prefix_bytes; }},
      {"tail-padding-in-front", "XLA L(n): the padding of the end is put at the start",
       [](const Shape& s, int64_t o) {
         const int64_t alignment = s.layout->tail_padding_alignment_in_elements;
         return alignment > 1 ? o + alignment : o;
       }},
      {"memory-space-untiled", "XLA DeviceShapeToHostShape: tiles dropped with the memory space",
       Where([](const Shape& s) { return s.layout->memory_space != 0; }, DropTiles)},
      {"bounded-dimension-as-one", "XLA #40750: a dynamic dimension counts as 1",
       [](Shape& s) {
         for (size_t d = 0; d < s.dimensions.size(); ++d) {
           if (s.dynamic_dimensions[d]) s.dimensions[d] = 1;
         }
       }},
      {"split-moves-elements", "XLA cbb23d1d64: a split configuration changes the index",
       [](Shape& s) {
         if (s.layout->split_configs.empty()) return;
         const auto d = static_cast<size_t>(s.layout->Major(s.layout->split_configs[0].dimension));
         s.dimensions[d] = std::max<int64_t>(s.layout->split_configs[0].split_indices[0], 1);
         s.layout->split_configs.clear();
       }},
      {"element-width-moves-elements", "XLA #17719: E(n) kept on a type that it does not fit",
       [](const Shape& s, int64_t o) { return s.layout->element_size_in_bits == 32 ? o * 4 : o; }},
      {"swizzled", "TileLang #455: a swizzle where the layout has none",
       [](const Shape&, int64_t o) { return o ^ ((o >> 3) & 1); }},
      {"address-bit-dropped", "TileLang #2632: two elements share an address",
       [](const Shape&, int64_t o) { return o & ~int64_t{4}; }},
      {"last-address-wraps", "an element at the end of the allocation wraps to its start",
       [](const Shape& s, int64_t o) {
         const auto sizes = SizesOf(s);
         return sizes && sizes->padded_elements > 1 && o == sizes->padded_elements - 1 ? 0 : o;
       }},
      {"empty-array-refused", "XLA #45969: a dimension of size 0 breaks",
       Refused("division by zero", [](const Shape& s) { return HasSize(s, 0); })},
      {"scalar-refused", "JAX 1bb1fe0658: the layout of a scalar",
       Refused("no dimensions", [](const Shape& s) { return s.rank() == 0; })},
      {"tiled-scalar-refused", "JAX f3bb52bb5c: ComputeTileStrides underflows at rank 0",
       Refused("index -1 of an array of size 0",
               [](const Shape& s) { return s.rank() == 0 && !s.layout->tiles.empty(); })},
      {"rank-six-refused", "a fixed array of five dimensions",
       Refused("too many dimensions", [](const Shape& s) { return s.rank() >= 6; })},
      {"size-one-dimension-last", "PyTorch #78611: a dimension of size 1 moves in the order",
       [](Shape& s) {
         if (s.rank() < 2 || s.layout->tiles.empty()) return;
         Dimensions& order = s.layout->minor_to_major;
         std::ranges::stable_partition(order, [&](int64_t d) { return s.dimensions[static_cast<size_t>(d)] != 1; });
       }},
  };
}

}  // namespace

std::vector<Fault> IndexFaults() { return JoinFaults({TileFaults(), OrderFaults(), OffsetFaults(), FormulaFaults()}); }

}  // namespace layoutcheck
