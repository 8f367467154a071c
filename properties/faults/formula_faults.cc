// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the closed formula: a second implementation of it with a place for each common mistake.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

// The mistakes of a formula. By default there is none; a fault changes one member.
struct Mistakes {
  int64_t (*count)(int64_t size, int64_t tile) = [](int64_t size, int64_t tile) { return CeilDiv(size, tile); };
  int64_t (*quotient)(int64_t i, int64_t tile) = [](int64_t i, int64_t tile) { return i / tile; };
  int64_t (*remainder)(int64_t i, int64_t tile) = [](int64_t i, int64_t tile) { return i % tile; };
  // Combines the index of a dimension of size `a` with that of the next more minor one of size `b`.
  int64_t (*combine)(int64_t i, int64_t j, int64_t a, int64_t b) = [](int64_t i, int64_t j, int64_t, int64_t b) {
    return i * b + j;
  };
  // Converts every stride and sum to a narrower type.
  int64_t (*narrow)(int64_t value) = [](int64_t value) { return value; };
  bool tile_on_prefix = false;            // tiles take the major-most dimensions
  bool later_tiles_on_counts = false;     // a later tile takes the tile counts in place of the tile
  bool remainders_swapped = false;        // the last two remainders of a tile change places
  bool inner_before_outer = false;        // remainders go to the major end
  bool quotients_reversed = false;        // quotients of a tile are in the opposite order
  bool missing_dimensions_minor = false;  // a longer tile adds dimensions of size 1 at the minor end
  bool combined_size_forgotten = false;   // a combined dimension keeps the size of its major part
  bool strides_of_unpadded = false;       // strides come from sizes that were not rounded up
  bool partial_tile_compact = false;      // the last tile of a dimension is stored with its own size
  bool last_stride_two = false;           // an odd minor-most size is rounded up to even
};

struct Digit {
  int64_t size;
  int64_t index;
};

int64_t FormulaWith(const Mistakes& mistakes, const TiledLayout& layout, std::span<const int64_t> index) {
  // Keeps the buffers between calls, because a table takes many.
  thread_local std::vector<Digit> digits;
  thread_local std::vector<Digit> outer;
  thread_local std::vector<Digit> inner;
  digits.clear();
  for (int64_t p = 0; p < layout.rank(); ++p) {
    const auto d = static_cast<size_t>(layout.Major(p));
    digits.push_back({layout.dimensions[d], index[d]});
  }
  size_t previous_tile = 0;
  for (size_t number = 0; number < layout.tiles.size(); ++number) {
    auto tile = layout.tiles[number];
    while (tile.size() > digits.size()) {
      digits.insert(mistakes.missing_dimensions_minor ? digits.end() : digits.begin(), Digit{1, 0});
    }
    size_t first = mistakes.tile_on_prefix ? 0 : digits.size() - tile.size();
    if (mistakes.later_tiles_on_counts && number > 0 && first >= previous_tile) first -= previous_tile;
    for (size_t q = 0; q < tile.size();) {
      if (!tile[q].combine || first + q + 1 >= digits.size()) {
        ++q;
        continue;
      }
      Digit& major = digits[first + q];
      const Digit& minor = digits[first + q + 1];
      major.index = mistakes.combine(major.index, minor.index, major.size, minor.size);
      if (!mistakes.combined_size_forgotten) major.size *= minor.size;
      digits.erase(digits.begin() + static_cast<std::ptrdiff_t>(first + q) + 1);
      tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(q));
    }
    outer.clear();
    inner.clear();
    for (size_t q = 0; q < tile.size() && first + q < digits.size(); ++q) {
      const Digit digit = digits[first + q];
      const int64_t size = tile[q].combine ? 1 : tile[q].size;
      const int64_t count =
          mistakes.strides_of_unpadded ? std::max<int64_t>(digit.size / size, 1) : mistakes.count(digit.size, size);
      outer.push_back({count, mistakes.quotient(digit.index, size)});
      const int64_t rest = digit.size % size;
      const bool partial = mistakes.partial_tile_compact && rest != 0 && digit.index / size == digit.size / size;
      inner.push_back({partial ? rest : size, mistakes.remainder(digit.index, size)});
    }
    if (mistakes.remainders_swapped && inner.size() >= 2) std::swap(inner.end()[-1].index, inner.end()[-2].index);
    if (mistakes.quotients_reversed) std::ranges::reverse(outer);
    std::copy(outer.begin(), outer.end(), digits.begin() + static_cast<std::ptrdiff_t>(first));
    digits.insert(mistakes.inner_before_outer ? digits.begin() : digits.end(), inner.begin(), inner.end());
    previous_tile = inner.size();
  }
  int64_t stride = 1;
  int64_t sum = 0;
  for (size_t k = digits.size(); k-- > 0;) {
    // Wraps like machine integers to avoid undefined behavior.
    const auto product = static_cast<int64_t>(static_cast<uint64_t>(digits[k].index) * static_cast<uint64_t>(stride));
    sum = mistakes.narrow(static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(product)));
    int64_t size = digits[k].size;
    if (mistakes.last_stride_two && k + 1 == digits.size()) size += size % 2;
    stride = mistakes.narrow(static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(size)));
  }
  return sum;
}

int64_t Cut(int64_t value) { return static_cast<int32_t>(value); }

struct FormulaFault {
  std::string_view name;
  std::string_view stands_for;
  Mistakes mistakes;
};

constexpr FormulaFault kFaults[] = {
    {"tile-on-prefix", "LLVM #152960: tile sizes applied to the first dimensions in place of the last",
     Mistakes{.tile_on_prefix = true}},
    {"later-tile-on-counts", "JAX ee832c1e66: a later tile divides the tile counts, not the tile",
     Mistakes{.later_tiles_on_counts = true}},
    {"longer-tile-pads-behind", "IREE #21808: the missing dimensions are put at the wrong end",
     Mistakes{.missing_dimensions_minor = true}},
    {"floor-tile-count", "TileLang #2433: truncating division counts the tiles",
     Mistakes{.count = [](int64_t size, int64_t tile) { return std::max<int64_t>(size / tile, 1); }}},
    {"one-tile-too-many", "d / t + 1 for the tile count: wrong where the tile divides",
     Mistakes{.count = [](int64_t size, int64_t tile) { return size / tile + 1; }}},
    {"ceil-plus-one", "tt-metal #19513: padding counted twice",
     Mistakes{.count = [](int64_t size, int64_t tile) { return CeilDiv(size, tile) + 1; }}},
    {"rounded-tile-count", "a division that rounds to the nearest counts the tiles",
     Mistakes{.count = [](int64_t size, int64_t tile) { return std::max<int64_t>((size + tile / 2) / tile, 1); }}},
    {"ceil-quotient", "an index is rounded up like a size, as in TileLang #2433's counts",
     Mistakes{.quotient = [](int64_t i, int64_t tile) { return CeilDiv(i, tile); }}},
    {"shift-for-division", "a tile size that is no power of two is divided by a shift",
     Mistakes{
         .quotient = [](int64_t i, int64_t tile) { return i >> (std::bit_width(static_cast<uint64_t>(tile)) - 1); }}},
    {"mask-for-remainder", "IREE #24241: a mask takes the remainder although the period is no power of two",
     Mistakes{.remainder = [](int64_t i, int64_t tile) { return i & (tile - 1); }}},
    {"remainder-dropped-if-equal", "TVM #18025: a remainder simplified under a range that does not hold",
     Mistakes{.remainder = [](int64_t i, int64_t tile) { return i < tile ? i : i - tile; }}},
    {"remainders-swapped", "CUTLASS #3048: rows and columns of a tile exchanged", Mistakes{.remainders_swapped = true}},
    {"inner-before-outer", "Triton #6652: the factors of a product of layouts in the wrong order",
     Mistakes{.inner_before_outer = true}},
    {"tile-counts-reversed", "IREE #18724: tiles numbered in the opposite order", Mistakes{.quotients_reversed = true}},
    {"strides-of-unpadded-sizes", "oneDNN 0156c7acae: strides from the logical, not the padded sizes",
     Mistakes{.strides_of_unpadded = true}},
    {"partial-tiles-compact", "XLA 9365382364: partial tiles are handled as if they were small whole ones",
     Mistakes{.partial_tile_compact = true}},
    {"odd-row-padded", "IREE #16219: rows of odd size are rounded up", Mistakes{.last_stride_two = true}},
    {"combine-reversed", "IREE #18640: the order of a linearized index reversed",
     Mistakes{.combine = [](int64_t i, int64_t j, int64_t a, int64_t) { return j * a + i; }}},
    {"combine-wrong-factor", "CUTLASS #3140: multiplied with the stride of the other dimension",
     Mistakes{.combine = [](int64_t i, int64_t j, int64_t a, int64_t) { return i * a + j; }}},
    {"combined-size-forgotten", "CUTLASS #2955: the size of a merged mode is that of its first part",
     Mistakes{.combined_size_forgotten = true}},
    {"int32-strides", "XLA 374ac3371b: sizes accumulated in 32 bits", Mistakes{.narrow = Cut}},
    {"int32-quotient", "TVM #18694: floordiv lowered in 32 bits",
     Mistakes{.quotient = [](int64_t i, int64_t tile) { return Cut(i) / tile; }}},
};

}  // namespace

std::vector<Fault> FormulaFaults() {
  std::vector<Fault> faults;
  for (const auto& [name, stands_for, mistakes] : kFaults) {
    faults.push_back({name, stands_for, [&mistakes](const TiledLayout& layout, std::span<const int64_t> index) {
                        return FormulaWith(mistakes, layout, index);
                      }});
  }
  return faults;
}

}  // namespace layoutcheck
