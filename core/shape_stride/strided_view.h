// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strided form of a view: the layout that TLA gives a tile, with the offset of the tile's first element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/view.h"

namespace layoutcheck {

// An element of a view that its strided form puts elsewhere.
struct WrongElement {
  std::vector<int64_t> coordinate;  // within the view
  int64_t offset = 0;               // offset that the element has in the whole layout
  int64_t strided_offset = 0;       // offset that the strided form gives it
};

// The strided form of a view. It has the strides and inner blocks of the whole, as many blocks as the tile needs, the
// offset of the view's first element, and the valid extents as its origin shape. It is wrong for a view that begins
// inside of a block of a mode and reaches into the next block, unless the strides go on evenly from block to block.
// `first_wrong` is then the first wrong element along the first mode that has one.
struct StridedView {
  ComposedLayout layout;
  std::optional<WrongElement> first_wrong;

  bool is_right() const { return !first_wrong.has_value(); }
};

// Returns the offset of an element of a view of `whole`, a coordinate within ValidExtents. Errors: those of Crd2Idx.
Expected<int64_t> OffsetInView(const ComposedLayout& whole, const View& view, std::span<const int64_t> coordinate);

// Returns the strided form and decides exactly if it is right, without visiting elements. The form of a view without
// elements has the offset of coordinate 0. Errors: a layout that is not valid, a view of another number of modes
// (invalid argument); basis strides (unsupported); overflow.
Expected<StridedView> StridedViewOf(const ComposedLayout& whole, const View& view);

// Returns "element (0,9) has offset 592, its strides give 96".
std::string ToString(const WrongElement& wrong);

}  // namespace layoutcheck
