// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about layouts and edits of layouts, with the meaning of XLA's LayoutUtil and Layout. An edit returns a new
// value. "Physical" positions count from the major end: 0 is the slowest varying dimension.
//
// Errors of all functions to which they matter, which XLA does not check: kInvalidLayout if minor_to_major is no
// permutation, kInvalidArgument if a dimension lies outside [0, rank).
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the physical position of each logical dimension: Major(result[d]) == d.
Expected<std::vector<int64_t>> MakeLogicalToPhysical(const Layout& layout);

// Returns true if the layout is {rank-1, ..., 0}, row major.
bool IsMonotonicWithDim0Major(const Layout& layout);
// Returns true if the layout is {0, ..., rank-1}, column major.
bool IsMonotonicWithDim0Minor(const Layout& layout);

// Returns true if these logical dimensions, all different, are neighbors in memory in any order, or if there are none.
Expected<bool> AreDimensionsConsecutive(const Layout& layout, std::span<const int64_t> dimensions);

// Return the layout with `dimension` at the major (or minor) end. The others keep their order; split configs follow
// their dimension (in XLA they keep their number and then cut another one); other fields stay.
Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension);
Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension);

// Returns the layout of the array without that logical dimension. Larger dimension numbers decrease by one, the split
// config of the dimension is removed, and those of more minor dimensions are renumbered. Other fields stay.
Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension);

// Returns true if the tiles neither move an element nor add padding in an array of these physical sizes (major to
// minor). The answer is exact, also for zero-sized dimensions and for tiles with more dimensions than the array. (XLA
// misses some layouts and aborts on others.) Errors: a negative size; kInvalidLayout for an empty tile, an entry that
// is neither `*` nor >= 1, or `*` as the last entry; kOverflow; kUnsupported for tiles that take too long to compare.
Expected<bool> IsUntiledLayout(std::span<const Tile> tiles, std::span<const int64_t> physical_shape);

// Returns true if the shape, or an array in it, has a layout with E(n) for an n other than 0.
bool HasCustomElementSizeInBits(const Shape& shape);

// Returns the size of the largest part into which split configs cut a logical dimension (its size if none does).
// Errors: no array with a layout; no such dimension; an unbounded dimension; an illegal split config.
Expected<int64_t> MaxSplitSize(const Shape& shape, int64_t dimension);
// Returns the number of elements of the largest block into which all split configs cut the array: the product of
// MaxSplitSize over all dimensions. Errors: as of MaxSplitSize, and overflow.
Expected<int64_t> MaxElementsInPerSplit(const Shape& shape);

// Return the layout, or the shape with every layout in it, without tiles.
Layout ClearTiles(Layout layout);
Shape ClearTiles(Shape shape);
// Returns the shape without any layout.
Shape ClearLayout(Shape shape);

// Returns the row-major layout of an array. Error: the shape is no array.
Expected<Layout> GetDefaultLayoutForShape(const Shape& shape);
// Returns the shape with every array in it in row-major layout.
Shape SetToDefaultLayout(Shape shape);

// Returns true if every array in the shape has a layout.
bool HasLayout(const Shape& shape);
// Returns true if some array in the shape has a layout.
bool HasAnyLayout(const Shape& shape);

// Returns `to` with the layouts of `from`, array by array. Error: tuples differ in structure, or arrays in rank.
Expected<Shape> CopyLayoutBetweenShapes(const Shape& from, const Shape& to);
// Returns true if the shapes have the same tuple structure and ranks, and in each place equal layouts or none.
bool LayoutsInShapesEqual(const Shape& lhs, const Shape& rhs, const LayoutEqualOptions& options = {});

// Returns true if these are the byte strides of a row-major array of the type without gaps. Errors: not one stride per
// dimension, overflow, a type that arrays cannot have.
Expected<bool> ByteStridesIsMajorToMinor(std::span<const int64_t> byte_strides, std::span<const int64_t> dimensions,
                                         ElementType element_type);

}  // namespace layoutcheck
