// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of an array, four numbers that real code confuses: elements, padded elements, bytes, and extent. Source:
// XLA's ShapeUtil, with the padding of every tile and the tail padding of untiled layouts counted as documented.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Returns the number of elements; a dynamic dimension counts with its bound. Errors: neither an array nor a buffer
// (invalid argument); an unbounded dimension (unsupported); overflow.
Expected<int64_t> ElementsIn(const Shape& shape);

// Returns the size of one element in memory, in bits: E(n) if set, else 8 times the byte width. Requires an array.
int64_t ElementSizeInBits(const Shape& shape);

// Returns the bytes that `count` elements of `bits` bits take without gaps: ceil(count * bits / 8). Error: overflow.
Expected<int64_t> PackedBytes(int64_t count, int64_t bits);

struct LayoutSizes {
  int64_t elements = 0;
  // allocated elements: the product of the sizes after all tiles, rounded up to the tail padding alignment L(n)
  int64_t padded_elements = 0;
  // allocated bytes of the packed padded elements, without the run-time size metadata M(n)
  int64_t bytes = 0;
};

// Returns the sizes. Errors: those of TiledLayoutOf; overflow of any of the numbers.
Expected<LayoutSizes> SizesOf(const Shape& shape);
// Returns the same with an index that was made from the shape.
Expected<LayoutSizes> SizesOf(const Shape& shape, const TiledIndex& index);

// Returns the product of the sizes after the first `tiles` tiles, before any tail padding, or nothing if it or one of
// the sizes overflows. Requires an array with a valid layout and at least so many tiles.
std::optional<int64_t> TiledElements(const Shape& shape, size_t tiles);

// Returns the part of the allocation that holds no element, in [0, 1]; 0 for an empty allocation.
double Waste(const LayoutSizes& sizes);

// Returns 1 + the largest linear index of an element, or 0 if there is none: mdspan's required_span_size, not the
// allocation. Exact for any size. Where a `*` combines a part of a dimension, the combined dimensions are
// enumerated. Errors: those of SizesOf; more than `most_enumerated` indices (unsupported).
Expected<int64_t> ExtentOf(const Shape& shape, int64_t most_enumerated = int64_t{1} << 24);

}  // namespace layoutcheck
