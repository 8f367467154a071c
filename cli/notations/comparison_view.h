// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/core/tiling/same_positions.h"

namespace layoutcheck {

struct GridPair {
  CellGrid a;
  CellGrid b;
};

// Returns both arrays in their own order, with the elements marked that have another linear index in the other array.
// Elements correspond as in Compare, whose requirements for `transpose` hold here, too; nothing is marked if the
// numbers of elements differ. Folded pictures keep the element `moved`. Requires at least one element of each. The
// result refers to the layouts.
GridPair ComparisonGrids(const AnyLayout& a, const AnyLayout& b, const std::optional<std::vector<int64_t>>& transpose,
                         const std::optional<MovedElement>& moved);

}  // namespace layoutcheck
