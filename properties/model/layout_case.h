// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts prepared for laws: data that every law needs is computed once per layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// A layout with the reference's offsets of all elements.
struct LayoutCase {
  // Errors: those of SizesOf, and a table that is too large (unsupported).
  static Expected<LayoutCase> Create(const Shape& shape);

  Shape shape;
  std::string text;  // canonical text of the shape
  TiledLayout layout;
  LayoutSizes sizes;
  std::vector<int64_t> offsets;  // offsets of all elements, the last logical dimension fastest

  // Returns the logical index of element number `element`.
  std::vector<int64_t> IndexOf(size_t element) const;
};

// A layout too large for a table. Laws check some of its elements, which finds integers that are too narrow.
struct HugeCase {
  // Chooses elements where digits change: the first and the last one, the last one per dimension, those on both sides
  // of the first boundary of a tile and of powers of two, and four that depend on the shape, each element once. Errors:
  // those of SizesOf; an array without elements (invalid argument).
  static Expected<HugeCase> Create(const Shape& shape);

  Shape shape;
  std::string text;  // canonical text of the shape
  TiledIndex index;
  LayoutSizes sizes;
  std::vector<std::vector<int64_t>> elements;  // logical index of each chosen element
};

}  // namespace layoutcheck
