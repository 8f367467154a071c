// Blocked formats: an order of the dimensions, then blocks of fixed size. What oneDNN's format tags and MLIR's
// tensor.pack say.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_BLOCKED_FORMAT_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_BLOCKED_FORMAT_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// What oneDNN calls a blocking, for arrays of any size. Memory is row major over the outer dimensions in their order,
// each of size ceil(size / product of its blocks), and then over the blocks. Where a dimension has several blocks, the
// major one holds its more significant digit.
struct BlockedFormat {
  std::vector<int64_t> outer_order;                // logical dimensions, major to minor
  std::vector<std::pair<int64_t, int64_t>> inner;  // logical dimension and block size, major to minor

  bool operator==(const BlockedFormat&) const = default;
};

// The blocking that puts every element where the layout does, for arrays of any size. The first tile gives each of the
// last dimensions a block; a later tile divides blocks, and what it divides off moves to the minor end. Error
// (kInvalidArgument): a layout that is no blocking: a later tile that divides an outer dimension or a block with
// remainder, or moves a digit behind a less significant one, a tile of more dimensions than there are, a combined
// dimension, or any attribute but tiles.
Expected<BlockedFormat> ToBlockedFormat(const Shape& shape);

// A blocking with the same offsets and the same allocation for a layout of these very sizes, with the fewest blocks:
// every compact layout whose modes' strides grow, and whose most significant integers can be told from the others by
// size of stride. The sizes of the dimensions are the origin shape's, or the modes'. Error (unsupported): there is
// none.
Expected<BlockedFormat> BlockedFormatOf(const ShapeStrideLayout& layout);

// The offset of an element, as oneDNN computes it from its blocks. Requires a coordinate inside of `dimensions`, and
// sizes for which padded_elements fits int64.
int64_t OffsetIn(const BlockedFormat& format, std::span<const int64_t> dimensions, std::span<const int64_t> coordinate);
// The elements allocated for an array of these sizes. Error: overflow.
Expected<int64_t> PaddedElements(const BlockedFormat& format, std::span<const int64_t> dimensions);

// oneDNN's format tag: "aBcd16b" is {3,2,1,0:T(16,1,1)}; a letter for each dimension in memory order, upper case where
// it has blocks, then the blocks. Not every such tag has an enumerator in oneDNN. Error (unsupported): a rank other
// than 1 to 12.
Expected<std::string> OneDnnTag(const BlockedFormat& format);

// The attributes of tensor.pack (linalg.pack in MLIR since 2025): inner tiles in the order in which they stand in
// memory after the outer dimensions, which are permuted.
struct PackAttributes {
  std::vector<int64_t> outer_dims_perm;
  std::vector<int64_t> inner_dims_pos;
  std::vector<int64_t> inner_tiles;
};
// Error (unsupported): a dimension with more than one block.
Expected<PackAttributes> ToPackAttributes(const BlockedFormat& format);
// "outer_dims_perm = [0, 1] inner_dims_pos = [1] inner_tiles = [16]", as it stands in the operation.
std::string ToString(const PackAttributes& attributes);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_BLOCKED_FORMAT_H_
