// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of layouts, with the meaning of XLA's LayoutUtil and Layout. An edit returns a new value.
//
// Errors of all functions to which they matter, which XLA does not check: kInvalidLayout if minor_to_major is no
// permutation, kInvalidArgument if a dimension lies outside [0, rank).
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Return the layout with `dimension` at the major (or minor) end. The others keep their order; split configs follow
// their dimension (in XLA they keep their number and then cut another one); other fields stay.
Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension);
Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension);

// Returns the layout of the array without that logical dimension. Larger dimension numbers decrease by one, the split
// config of the dimension is removed, and those of more minor dimensions are renumbered. Other fields stay.
Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension);

// Returns the shape with every layout in it without tiles.
Shape ClearTiles(Shape shape);

}  // namespace layoutcheck
