// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocked formats (oneDNN, MLIR's tensor.pack): an order of the dimensions followed by blocks of fixed size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// A blocking as in oneDNN, for arrays of any size. Memory is row major over the outer dimensions in their order, of
// size ceil(size / product of the dimension's blocks) each, and then over the blocks. Of several blocks of a dimension,
// the more major one holds the more significant digit.
struct BlockedFormat {
  std::vector<int64_t> outer_order;                // logical dimensions, major to minor
  std::vector<std::pair<int64_t, int64_t>> inner;  // logical dimension and block size, major to minor

  bool operator==(const BlockedFormat&) const = default;
};

// Returns the blocking that puts every element where the layout does, for arrays of any size. The first tile gives each
// of the last dimensions a block; a later tile divides blocks and moves the inner parts to the minor end. Error
// (invalid argument): the layout is no blocking, because a later tile divides an outer dimension, divides a block with
// remainder, or moves a digit behind a less significant one; a tile has more dimensions than there are; or it has
// combined dimensions or any attribute besides tiles.
Expected<BlockedFormat> BlockedFormatOfHlo(const Shape& shape);

// Returns the blocking with the fewest blocks that has the same offsets and allocation for a layout of these very
// sizes, LogicalSizes(layout). It exists for every compact layout whose strides grow within each mode and whose most
// significant integers have the largest strides. Error (unsupported): there is none.
Expected<BlockedFormat> BlockedFormatOfShapeStride(const ShapeStrideLayout& layout);

// Returns the offset of an element as oneDNN computes it. Requires a coordinate inside `dimensions`, and sizes for
// which PaddedElements fits int64.
int64_t OffsetIn(const BlockedFormat& format, std::span<const int64_t> dimensions, std::span<const int64_t> coordinate);
// Returns the elements allocated for an array of these sizes. Error: overflow.
Expected<int64_t> PaddedElements(const BlockedFormat& format, std::span<const int64_t> dimensions);

// Returns oneDNN's format tag: a letter per dimension in memory order, upper case if it has blocks, then the blocks:
// {3,2,1,0:T(16,1,1)} is "aBcd16b". oneDNN has enumerators for some tags only. Error (unsupported): rank not 1 to 12.
Expected<std::string> OneDnnTag(const BlockedFormat& format);

// The attributes of tensor.pack (linalg.pack in MLIR since 2025). Inner tiles follow the permuted outer dimensions, in
// memory order.
struct PackAttributes {
  std::vector<int64_t> outer_dims_perm;
  std::vector<int64_t> inner_dims_pos;
  std::vector<int64_t> inner_tiles;
};
// Returns the attributes of a blocking. Error (unsupported): a dimension with more than one block.
Expected<PackAttributes> ToPackAttributes(const BlockedFormat& format);
// Returns the attributes as MLIR prints them: "outer_dims_perm = [0, 1] inner_dims_pos = [1] inner_tiles = [16]".
std::string ToString(const PackAttributes& attributes);

}  // namespace layoutcheck
