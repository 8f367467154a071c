// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a shape:stride layout at one offset.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_FIND_COORDINATE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_FIND_COORDINATE_H_

#include <cstdint>
#include <optional>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns a nested coordinate whose offset is `offset`, with 0 in modes of stride 0; it is the only one if the layout
// is injective. Returns nothing if neither an element nor padding has the offset. Errors: basis strides, or more than
// 2^20 steps of the search among overlapping modes (unsupported); overflow.
Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_FIND_COORDINATE_H_
