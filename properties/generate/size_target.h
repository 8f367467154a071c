// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that arrays are drawn to have about: just below and just above each power of two from 2^8 to 2^40, in elements
// and in bytes, and the most that a subject answers. A fault of n bits shows beyond 2^n alone, and a path that code
// takes for arrays of a certain size shows nowhere else.
#pragma once

#include <cstdint>
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {

struct SizeTarget {
  int64_t size = 0;       // in padded elements, or in bytes
  bool in_bytes = false;  // which of the two `size` counts
  bool is_most = false;   // true if larger arrays are beyond the scope: the drawn one is just below
};

// Returns the target of draw number `draw`, counted from 0. Targets ascend from 2^8 to 2^40, each in elements and in
// bytes, and begin again. If the scope limits arrays, they ascend to its limit, and every fourth one is the limit.
SizeTarget TargetOfDraw(uint64_t draw, const LayoutScope& scope);

// Returns a size of a dimension with which the array has about the target's size: a whole number of tiles, or a size
// one beside. `of_one_tile` has the array's sizes where the dimension is `tile`. At least 1.
int64_t DimensionNear(Choices& choices, const SizeTarget& target, const LayoutSizes& of_one_tile, int64_t tile);

// Returns true if the scope allows to ask for single elements of an array of these sizes.
bool IsWithinArrayLimits(const LayoutSizes& sizes, const LayoutScope& scope);

}  // namespace layoutcheck
