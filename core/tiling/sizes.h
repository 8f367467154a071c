// How large an array is: four different numbers that real code confuses. Source: XLA's ShapeUtil, with the padding of
// every tile and the tail padding of untiled layouts counted as documented.
#ifndef LAYOUTCHECK_CORE_TILING_SIZES_H_
#define LAYOUTCHECK_CORE_TILING_SIZES_H_

#include <cstdint>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// The element count: the product of the dimensions, the bound counting for a dynamic one; 1 for a scalar, 0 where a
// dimension is 0. Errors: not an array or a buffer; an unbounded dimension; overflow.
Expected<int64_t> ElementsIn(const Shape& shape);

// The bits that one element takes in memory: E(n) where set, otherwise 8 times the type's byte width. Requires an array
// shape.
int64_t ElementSizeInBits(const Shape& shape);

// The bytes of `count` elements stored one after another: ceil(count * bits / 8), packed without gaps.
Expected<int64_t> PackedBytes(int64_t count, int64_t bits);

// The sizes of an array with a layout.
struct LayoutSizes {
  int64_t elements = 0;
  // Elements allocated: the product of the sizes after all tiles, rounded up to the tail padding alignment L(n).
  int64_t padded_elements = 0;
  // Bytes allocated: padded_elements packed elements, without run-time size metadata, M(n).
  int64_t bytes = 0;
};

// Errors: as TiledLayoutOf; overflow of any of the numbers.
Expected<LayoutSizes> SizesOf(const Shape& shape);
// The same where the index of that shape is there already.
Expected<LayoutSizes> SizesOf(const Shape& shape, const TiledIndex& index);

// The part of the allocation that holds no element, in [0, 1]: 1 - elements / padded_elements; 0 for an empty
// allocation.
double Waste(const LayoutSizes& sizes);

// 1 + the largest linear index of an element, 0 where there is none (mdspan's required_span_size): not the allocation.
// Exact for any size where no `*` combines what is not a full range; where one does, the combined dimensions are
// enumerated, and more than `most_enumerated` of their indices are an error of kind kUnsupported. Other errors: as
// SizesOf.
Expected<int64_t> ExtentOf(const Shape& shape, int64_t most_enumerated = int64_t{1} << 24);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_SIZES_H_
