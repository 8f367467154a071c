// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimensions of a tiled layout that must be treated together, because a `*` combines them.
#ifndef LAYOUTCHECK_CORE_TILING_COMBINED_DIMENSIONS_H_
#define LAYOUTCHECK_CORE_TILING_COMBINED_DIMENSIONS_H_

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {

// Returns the number of the group of each logical dimension. Two dimensions are in one group if a `*` of one of the
// indices combines them or digits of them, so that each linear index is a sum of one function per group. Groups are
// numbered from 0 in the order of their first dimensions. Requires at least one index, all of the same rank.
std::vector<size_t> GroupCombinedDimensions(std::initializer_list<const TiledIndex*> indices);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_COMBINED_DIMENSIONS_H_
