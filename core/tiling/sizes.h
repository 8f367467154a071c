// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of an array, four numbers that real code confuses: elements, padded elements, bytes, and extent. Source:
// XLA's ShapeUtil, with the padding of every tile and the tail padding of untiled layouts counted as documented.
#ifndef LAYOUTCHECK_CORE_TILING_SIZES_H_
#define LAYOUTCHECK_CORE_TILING_SIZES_H_

#include <cstdint>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Returns the number of elements: the product of the dimensions, where a dynamic dimension counts with its bound.
// Returns 1 for a scalar and 0 if a dimension is 0. Errors: neither an array nor a buffer (invalid argument); an
// unbounded dimension (unsupported); overflow.
Expected<int64_t> ElementsIn(const Shape& shape);

// Returns the size of one element in memory, in bits: E(n) if it is set, otherwise 8 times the byte width. Requires an
// array.
int64_t ElementSizeInBits(const Shape& shape);

// Returns the bytes that `count` elements of `bits` bits take without gaps: ceil(count * bits / 8). Error: overflow.
Expected<int64_t> PackedBytes(int64_t count, int64_t bits);

// The sizes of an array with a layout.
struct LayoutSizes {
  int64_t elements = 0;
  // Elements allocated: the product of the sizes after all tiles, rounded up to the tail padding alignment L(n).
  int64_t padded_elements = 0;
  // Bytes allocated for the padded elements, packed, without the run-time size metadata M(n).
  int64_t bytes = 0;
};

// Returns the sizes of an array with a layout. Errors: those of TiledLayoutOf; overflow of any of the numbers.
Expected<LayoutSizes> SizesOf(const Shape& shape);
// Does the same with an index that was made from the shape.
Expected<LayoutSizes> SizesOf(const Shape& shape, const TiledIndex& index);

// Returns the part of the allocation that holds no element, in [0, 1]; 0 for an empty allocation.
double Waste(const LayoutSizes& sizes);

// Returns 1 + the largest linear index of an element, or 0 if there is no element (required_span_size of mdspan). This
// is not the allocation. The result is exact for any size unless a `*` combines a part of a dimension; then the
// combined dimensions are enumerated. Errors: those of SizesOf; more than `most_enumerated` indices (unsupported).
Expected<int64_t> ExtentOf(const Shape& shape, int64_t most_enumerated = int64_t{1} << 24);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_SIZES_H_
