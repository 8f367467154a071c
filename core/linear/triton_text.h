// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way back from a layout in bits to an attribute of Triton.
#pragma once

#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// Returns an attribute with the shape behind it that ParseTritonLayout reads as this layout, apart from inputs of size
// 1 that the layout lacks: the first of blocked, nvidia_mma, dot_op of nvidia_mma, linear and generic_linear for
// elements in registers, or of swizzled_shared, nvmma_shared and shared_linear for elements in shared memory. Error
// (unsupported): it is none, or its inputs are neither register, lane, warp and block nor offset and block, in this
// order.
Expected<std::string> TritonTextOf(const LinearLayout& layout);

}  // namespace layoutcheck
