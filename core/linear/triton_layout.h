// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts that attributes of Triton stand for, given the shape of the array: `#ttg.blocked<{sizePerThread = [1, 4],
// threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}> [128,64]`.
#pragma once

#include <string_view>
#include <variant>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/linear/triton_attribute.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// A layout from the inputs of an attribute to the indices dim0, dim1, ... of the array. A padded one leaves offsets
// without an element and is given as strides instead, from dim0, dim1, ... to the offset.
using TritonLayout = std::variant<LinearLayout, ShapeStrideLayout>;

// Returns the layout of an attribute and a shape, as toLinearLayout of Triton 3.9 has it:
//
//     attribute             inputs                       entries
//     blocked               register, lane, warp, block  sizePerThread, threadsPerWarp, warpsPerCTA, order
//     nvidia_mma            the same                     versionMajor, versionMinor, warpsPerCTA, instrShape
//     amd_mfma              the same                     version, warpsPerCTA, instrShape, isTransposed,
//                                                        tilesPerWarp, elementBitWidth
//     amd_wmma              the same                     version, isTranspose, ctaLayout, instrShape, rank
//     dot_op                the same                     opIdx, parent, kWidth
//     slice                 the same                     dim, parent
//     linear                the same                     images of the inputs; the shape may be left out
//     generic_linear        the same                     the same
//     swizzled_shared       offset, block                vec, perPhase, maxPhase, order
//     amd_rotating_shared   offset, block                the same
//     nvmma_shared          offset, block                swizzlingByteWidth, transposed, elementBitWidth,
//                                                        fp4Padded, rank
//     shared_linear         offset, block                images of the inputs; the shape may be left out; alignment
//     partitioned_shared    offset, block, partition     numPartitions, numGroups, partitionDim, partitionLayout
//     padded_shared         none: strides                padding, and order and shape, or images of offset and block
//     tensor_memory_        row, col, block              blockM, blockN, colStride, twoCTAs, fp4Padded
//       encoding
//     tensor_memory_        row, col, block              blockRepOrder
//       scales_encoding
//
// An attribute whose inputs have a `block`, and whose entries are not images, may have the entry CGALayout: the images
// of `block` in units of a block's part. Earlier versions have CTAsPerCGA, CTASplitNum and CTAOrder instead. dot_op,
// slice and partitioned_shared have the blocks of the attribute within. A shape that is larger than what the attribute
// covers is repeated in the registers or the offset; if it is smaller, bits of the input have no effect. Errors: those
// of ParseTritonText; another attribute, also within one (unsupported); an entry that is missing, unknown or does not
// fit (invalid layout), with the column.
Expected<TritonLayout> ParseTritonLayout(std::string_view text);

}  // namespace layoutcheck
