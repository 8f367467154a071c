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

// A layout from register, lane, warp and block, or from offset and block, to the indices dim0, dim1, ... of the array.
// A padded one leaves offsets without an element and is given as strides instead, from dim0, dim1, ... to the offset.
using TritonLayout = std::variant<LinearLayout, ShapeStrideLayout>;

// Returns the layout of an attribute and a shape, as Triton's toLinearLayout has it:
//
//     blocked          sizePerThread, threadsPerWarp, warpsPerCTA, order
//     swizzled_shared  vec, perPhase, maxPhase, order
//     linear           register, lane, warp, block: images; the shape may be left out
//     shared_linear    offset, block: images; the shape may be left out, and `alignment` is ignored
//     padded_shared    padding, and order and shape, or offset and block
//
// The first two may have CTAsPerCGA, CTASplitNum and CTAOrder, or CGALayout, the images of `block` in units of a
// block's part. A shape that is larger than what the attribute covers is repeated in the registers or the offset; if it
// is smaller, bits of the input have no effect. Errors: those of ParseTritonAttribute; another attribute (unsupported);
// an entry that is missing, unknown or does not fit (invalid layout), with the column.
Expected<TritonLayout> ParseTritonLayout(std::string_view text);

}  // namespace layoutcheck
