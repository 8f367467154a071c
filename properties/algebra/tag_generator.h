// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws layouts by tag for questions about what a tag makes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/shape_stride/tag_order.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

struct DrawnTag {
  std::string tag = "RowMajor";         // with the sizes of its blocks if they are not its own: "zN<8,4>"
  std::vector<int64_t> sizes = {1, 1};  // rows and columns, or one per dimension of a tensor
};

// Draws the tag with these rows and columns in two cases of three, and otherwise a tag of matrices in blocks of any
// size, or one of tensors. One tensor in four has a size within 1 of a power of two up to 2^33.
DrawnTag DrawTag(Choices& choices, TlaTag tag, int64_t rows, int64_t columns);

}  // namespace layoutcheck
