// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compact layouts: the checks that the translations from shape:stride layouts share.
#ifndef LAYOUTCHECK_CORE_BRIDGES_COMPACT_MODES_H_
#define LAYOUTCHECK_CORE_BRIDGES_COMPACT_MODES_H_

#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns the layout with each top-level mode coalesced. Two layouts of the same rank are the same map if and only if
// these are equal. Error: not valid.
Expected<ShapeStrideLayout> CoalesceEachMode(const ShapeStrideLayout& layout);

// Returns an error (unsupported) unless the integers of `layout`, sorted by stride, each begin where the previous one
// ends. `leaves` are those integers without the extents of 1, in any order, of strides above 0. Error besides:
// overflow.
Expected<void> RequireCompact(std::vector<StridedMode> leaves, const ShapeStrideLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_BRIDGES_COMPACT_MODES_H_
