// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of shapes and layouts, with the meaning of XLA's ShapeUtil, LayoutUtil and Layout. An edit returns a new value.
// It keeps the element type, the dynamic flags (XLA drops them if it adds a dimension, which makes `?` invalid), and
// the layout fields as each function says. A split config follows its dimension to its new physical position.
//
// Errors, on which XLA aborts or which it does not notice: no array, a dimension outside [0, rank), or no permutation
// where one is expected (kInvalidArgument); a minor_to_major that is no permutation (kInvalidLayout).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the shape with result.dimensions[i] == shape.dimensions[permutation[i]] and every element where it was: only
// minor_to_major changes, to permutation^-1 of itself.
Expected<Shape> PermuteDimensions(std::span<const int64_t> permutation, const Shape& shape);

// Returns the shape with its dimensions permuted likewise and its layout unchanged, which moves the elements.
Expected<Shape> PermuteDimensionsIgnoringLayout(std::span<const int64_t> permutation, const Shape& shape);

// Returns the array with its dimensions in physical order and a row-major layout, so that no element moves. Tiles, E, L
// and S are copied; SC and M are dropped, as in XLA. Another error: no layout.
Expected<Shape> MakeShapeWithDescendingLayoutAndSamePhysicalLayout(const Shape& shape);

// Return the array without these dimensions, given in any order without repetition. The others keep their order in the
// shape and in memory; other layout fields stay. Deleting size-1 dimensions of an untiled array moves no element.
Expected<Shape> DeleteDimension(int64_t dimension, const Shape& shape);
Expected<Shape> DeleteDimensions(std::span<const int64_t> dimensions, const Shape& shape);
// Returns the array without its dimensions of size 1.
Expected<Shape> DropDegenerateDimensions(const Shape& shape);
// Return the array with a new last dimension of size `bound` that is the major-most (or minor-most) one in memory.
// Other layout fields stay. XLA takes the bound as a 32-bit int. Another error: a negative bound.
Expected<Shape> AppendMajorDimension(int64_t bound, const Shape& shape);
Expected<Shape> AppendMinorDimension(int64_t bound, const Shape& shape);
// Returns the array with a new dimension 0, major-most in memory. Only the layout's minor_to_major is kept, as in XLA.
Expected<Shape> PrependMajorDimension(int64_t bound, const Shape& shape);
// Return the array with new dimensions before dimension `at`. In memory they are next to that dimension and more major,
// the first one most major; for at == rank they are minor-most. Only the layout's minor_to_major is kept, as in XLA.
Expected<Shape> InsertDimensionAtIndex(const Shape& shape, int64_t at, int64_t bound);
Expected<Shape> InsertDimensionsAtIndex(const Shape& shape, int64_t at, std::span<const int64_t> bounds);

// Return the layout with `dimension` at the major (or minor) end. The others keep their order; split configs follow
// their dimension (in XLA they keep their number and then cut another one); other fields stay.
Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension);
Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension);

// Returns the layout of the array without that logical dimension. Larger dimension numbers decrease by one, the split
// config of the dimension is removed, and those of more minor dimensions are renumbered. Other fields stay.
Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension);

// Returns the shape with every layout in it without tiles.
Shape ClearTiles(Shape shape);

// Returns the array after the edit of this name, as the operation `edit` of the subject protocol asks for it
// (docs/protocol.md). `move-dim-to-major` and `move-dim-to-minor` edit the layout and keep
// its other fields, as LayoutUtil does; the other edits are those above. Errors: no edit of this name, a
// wrong number of arguments, and those of the edit.
Expected<Shape> ApplyEdit(std::string_view name, const Shape& shape, std::span<const int64_t> arguments);

}  // namespace layoutcheck
