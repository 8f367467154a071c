// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts that are fitted to the offsets of an array's elements: the inverse of computing a linear index. Each function
// returns only layouts that have the given offset at every element.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"

namespace layoutcheck {

// The offset of every element of an array, in elements. Requires sizes >= 1, whose product is the number of offsets.
struct ElementOffsets {
  std::vector<int64_t> sizes;    // of the dimensions
  std::vector<int64_t> offsets;  // of the elements in row-major order

  // Returns the offset at a coordinate within the sizes.
  int64_t At(std::span<const int64_t> coordinate) const;
  // Returns true if index(coordinate) is the offset of every element. It may be nothing, which is no offset.
  bool IsIndex(const std::function<std::optional<int64_t>(std::span<const int64_t>)>& index) const;
};

// Returns strides with one mode per dimension, nested where the stride of a dimension changes, and with an offset if
// the first element has one.
std::optional<ComposedLayout> FitStrides(const ElementOffsets& table);

// Returns such strides under a swizzle: the one that exchanges the fewest bits. Offsets below 0 fit none.
std::optional<ComposedLayout> FitSwizzle(const ElementOffsets& table);

// Returns the layout in bits, with an input per dimension (i0, i1, ...) and the smallest output, or nothing if a size
// is no power of two or the bits of the offset are not exclusive-ors of bits of the coordinate.
std::optional<LinearLayout> FitBits(const ElementOffsets& table);

struct TileFits {
  std::vector<Layout> layouts;
  bool is_complete = true;  // false: there were too many layouts to try all of them
};

// Returns XLA layouts with these offsets, at most `most` and at most three tiles each: those whose first tile has one
// or two entries before others, of these the ones without `*` before those with it, then the ones with the fewest
// tiles, smaller ones first. They differ where the offsets leave open what the layout is: in the order of dimensions of
// size 1, and in tiles that a dimension does not fill. Not tried: later tiles with `*`, and arrays of more than eight
// dimensions.
// Each of four searches does at most `most_work`, whose unit is the choice of an entry or one offset: seconds in all.
TileFits FitTiles(const ElementOffsets& table, size_t most, int64_t most_work = 40'000'000);

}  // namespace layoutcheck
