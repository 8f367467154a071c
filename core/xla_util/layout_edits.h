// Questions about layouts and edits of them, with the meaning of XLA's LayoutUtil and Layout. Free functions: an edit
// returns a new value. "Physical" positions count from the major end, 0 is the slowest varying dimension.
//
// A layout whose minor_to_major is not a permutation is an error (invalid layout) wherever its meaning matters, a
// dimension outside [0, rank) is one (invalid argument); XLA checks neither and aborts or reads out of bounds.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_LAYOUT_EDITS_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_LAYOUT_EDITS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// For each logical dimension its physical position: Major(result[d]) = d.
Expected<std::vector<int64_t>> MakeLogicalToPhysical(const Layout& layout);

// Whether the layout is {rank-1, ..., 0} (row major) or {0, ..., rank-1} (column major).
bool IsMonotonicWithDim0Major(const Layout& layout);
bool IsMonotonicWithDim0Minor(const Layout& layout);

// Whether the given logical dimensions, all different, stand next to each other in memory, in any order. True for none.
Expected<bool> AreDimensionsConsecutive(const Layout& layout, std::span<const int64_t> dimensions);

// The layout with `dimension` at the major (minor) end; the others keep their order and the other fields stay, except
// that split configs follow their dimension to its new position (XLA leaves their numbers, which then cut another one).
Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension);
Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension);

// The layout of the array without that logical dimension: larger dimension numbers go down by one, its split config
// goes away and those of more minor dimensions are renumbered. Tiles and the other fields stay.
Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension);

// Whether the tiles neither move an element nor add padding: for an array of these physical sizes (major to minor), the
// tiled position of every element is its row-major position, and the padded element count is the element count. Exact,
// also for zero-sized dimensions and for tiles with more dimensions than the array (XLA: misses some layouts, aborts on
// others). Errors: a negative size; an empty tile, an entry that is neither `*` nor >= 1, `*` as the last entry
// (invalid layout); overflow; tiles that take too long to compare (unsupported).
Expected<bool> IsUntiledLayout(std::span<const Tile> tiles, std::span<const int64_t> physical_shape);

// Whether the shape, or an array in it, has a layout with E(n), n not 0.
bool HasCustomElementSizeInBits(const Shape& shape);

// The size of the largest of the parts into which split configs cut a logical dimension; its size where none does.
// Errors: not an array with a layout, no such dimension, an unbounded one; a split config that is not legal.
Expected<int64_t> MaxSplitSize(const Shape& shape, int64_t dimension);
// The product of the largest parts of all dimensions: the elements of the largest of the blocks that all split configs
// together cut the array into. Errors: the same; overflow.
Expected<int64_t> MaxElementsInPerSplit(const Shape& shape);

// The layout (the shape with every layout in it) without its tiles.
Layout ClearTiles(Layout layout);
Shape ClearTiles(Shape shape);
// The shape without any layout.
Shape ClearLayout(Shape shape);

// The row-major layout of an array. Error: anything else has no single layout.
Expected<Layout> GetDefaultLayoutForShape(const Shape& shape);
// The shape with every array in it in row-major layout.
Shape SetToDefaultLayout(Shape shape);

// Whether every array in the shape has a layout; whether there is an array in it that has one.
bool HasLayout(const Shape& shape);
bool HasAnyLayout(const Shape& shape);

// `to` with the layouts of `from`, array by array. Error: tuples that differ in structure, or arrays in rank.
Expected<Shape> CopyLayoutBetweenShapes(const Shape& from, const Shape& to);
// Whether the shapes have the same tuple structure and ranks and equal layouts, or none, in the same places.
bool LayoutsInShapesEqual(const Shape& lhs, const Shape& rhs, const LayoutEqualOptions& options = {});

// Whether these byte strides are those of a row-major array of the type without gaps. Error: not one stride for each
// dimension, overflow, a type that arrays cannot have.
Expected<bool> ByteStridesIsMajorToMinor(std::span<const int64_t> byte_strides, std::span<const int64_t> dimensions,
                                         ElementType element_type);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_LAYOUT_EDITS_H_
