// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of CATLASS TLA for the matrix unit, by tag, and their tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/shape_stride/tag_order.h"

namespace layoutcheck {

// Returns C0 = 256 / element_bits, the elements per 32-byte row of a fractal; a fractal is 16 x C0 elements. Error:
// bits other than 4, 8, 16, 32 and 64.
Expected<int64_t> FractalColumns(int64_t element_bits);

// Returns the modes of an array of a tag over any integer, one per dimension, with the leaf inside a block first.
// `sizes` has one size per dimension and `blocks` one per dimension that is cut. `packs_two`: the element has 4 bits,
// so RowMajor and ColumnMajor round their pitch up to 2.
template <class Int>
BasicStridedLayout<Int> TagModes(TlaTag tag, std::span<const Int> blocks, bool packs_two, std::span<const Int> sizes) {
  const TagOrder& order = OrderOf(tag);
  BasicStridedLayout<Int> layout;
  layout.modes.resize(order.rank());
  const bool pads_pitch = packs_two && HasPitch(tag);
  Int stride(1);
  for (size_t k = order.order.size(); k-- > 0;) {
    const char digit = order.order[k];
    const size_t d = order.DimensionOf(digit);
    const std::optional<size_t> cut = order.CutOf(d);
    const Int count = cut ? CeilDiv(sizes[d], blocks[*cut]) : sizes[d];
    const Int extent = TagOrder::IsInBlock(digit) ? blocks[*cut] : count;
    layout.modes[d].push_back({extent, stride});
    if (k > 0) stride = stride * (pads_pitch ? CeilDiv(extent, Int(2)) * Int(2) : extent);
  }
  return layout;
}

// Returns the sizes of the blocks of a tag: those in `given`, or if there are none the tag's own. Errors (invalid
// argument): another number of blocks than the tag has, or one below 1; none for a tag that has no blocks of its own;
// an element width without C0 for a tag that needs it.
Expected<std::vector<int64_t>> BlocksOf(TlaTag tag, int64_t element_bits, std::span<const int64_t> given);

// Returns the layout of an array of a tag, with `sizes` as the origin shape, in blocks of the sizes BlocksOf. Errors:
// those of BlocksOf; another number of sizes than the tag has dimensions, sizes below 0 (invalid argument); overflow.
Expected<ShapeStrideLayout> MakeTagLayout(TlaTag tag, int64_t element_bits, std::span<const int64_t> sizes,
                                          std::span<const int64_t> blocks);

// Returns MakeTagLayout of a matrix in the tag's own blocks: tla::MakeLayout<Element, Tag>(rows, columns). VectorLayout
// uses only `columns` and is "(columns):(1)".
Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns);

// Returns the layout of the parent's tile that starts at `coordinate` (tla::GetTileLayout): the parent's strides and
// inner blocks, as many blocks as the tile needs, and the origin shape min(tile, max(origin - coordinate, 0)). TLA
// computes the latter in uint32, this function in int64. Law: at the parent's own coordinates the tile has the parent's
// offsets; relative to its start it has them if the start begins an inner block in each mode. Errors: a tile shape or
// coordinate that is not one integer >= 0 per mode (invalid argument); a mode nested deeper than (inner,outer)
// (unsupported).
Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate);

// Returns the smallest number of rows up to 2^40 for which a stride or an offset of an element of a rows x columns
// layout leaves T (int32_t or uint32_t) in TLA's arithmetic, or nothing. Errors: those of BlocksOf; a tag of another
// rank, columns below 1 (invalid argument).
template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns,
                                                   std::span<const int64_t> blocks = {});

}  // namespace layoutcheck
