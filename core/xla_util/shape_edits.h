// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of shapes, with the meaning of XLA's ShapeUtil. An edit returns a new value.
//
// Edits keep the element type and the dynamic flags (XLA drops the flags if it adds a dimension, which makes `?`
// invalid), and the layout fields as each function says. A split config follows its dimension to its new physical
// position. Errors (kInvalidArgument): no array; a dimension outside [0, rank); no permutation where one is expected; a
// minor_to_major that is no permutation of the dimensions. XLA aborts on these or does not notice them.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_

#include <cstdint>
#include <functional>
#include <span>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/xla_util/layout_edits.h"

namespace layoutcheck {

// Return the shape with result.dimensions[i] == shape.dimensions[permutation[i]] and every element where it was:
// minor_to_major becomes permutation^-1 of itself, and all other layout fields stay. The two functions have one
// meaning, as in XLA, whose ReorderLogicalDimensions used the permutation instead of its inverse before June 2026.
Expected<Shape> PermuteDimensions(std::span<const int64_t> permutation, const Shape& shape);
Expected<Shape> ReorderLogicalDimensions(const Shape& shape, std::span<const int64_t> permutation);

// Returns the shape with the same permuted dimensions and an unchanged layout, which moves the elements.
Expected<Shape> PermuteDimensionsIgnoringLayout(std::span<const int64_t> permutation, const Shape& shape);

// Returns the array with the dimensions in physical order and a row-major layout, so that every element stays where it
// is. Tiles, E, L and S are copied; SC and M are dropped, as in XLA. Another error: no layout.
Expected<Shape> MakeShapeWithDescendingLayoutAndSamePhysicalLayout(const Shape& shape);

// Return the array without these dimensions, which may come in any order, but each only once. The other dimensions keep
// their order in the shape and in memory; tiles and other layout fields stay. Without dimensions of size 1, every
// element of an untiled array stays where it is.
Expected<Shape> DeleteDimension(int64_t dimension, const Shape& shape);
Expected<Shape> DeleteDimensions(std::span<const int64_t> dimensions, const Shape& shape);
// Returns the array with only the dimensions for which `keep` is true.
Expected<Shape> FilterDimensions(const std::function<bool(int64_t)>& keep, const Shape& shape);
// Returns the array without its dimensions of size 1.
Expected<Shape> DropDegenerateDimensions(const Shape& shape);
// Returns true if a dimension has size 1.
Expected<bool> HasDegenerateDimensions(const Shape& shape);

// Return the array with a new last dimension of size `bound` that is the major-most (or minor-most) one in memory. All
// other layout fields stay. XLA takes the bound as a 32-bit int. Another error: a negative bound.
Expected<Shape> AppendMajorDimension(int64_t bound, const Shape& shape);
Expected<Shape> AppendMinorDimension(int64_t bound, const Shape& shape);
// Returns the array with a new dimension 0 that is the major-most one in memory. Only the layout's minor_to_major is
// kept, as in XLA.
Expected<Shape> PrependMajorDimension(int64_t bound, const Shape& shape);
// Return the array with new dimensions before dimension `at`. In memory they are next to that dimension and more major,
// the first one most major; for at == rank they are minor-most. Only the layout's minor_to_major is kept, as in XLA.
Expected<Shape> InsertDimensionAtIndex(const Shape& shape, int64_t at, int64_t bound);
Expected<Shape> InsertDimensionsAtIndex(const Shape& shape, int64_t at, std::span<const int64_t> bounds);

// Returns the shape with `dimension` of every array in it as the major-most one in memory. Only the layouts'
// minor_to_major is kept, as in XLA. Tokens and opaque values stay. Another error: an array without a layout.
Expected<Shape> MoveDimToMajor(const Shape& shape, int64_t dimension);

// Returns the shape with the element type of every array replaced. For a new sub-byte type, an E(n) that is the width
// of the old type becomes the width of the new one (XLA keeps it, so that u4 with E(4) becomes u2 with E(4)) and
// another E(n) stays; for other types, E(n) is dropped. Another error: a type that arrays cannot have.
Expected<Shape> ChangeElementType(const Shape& shape, ElementType type);

// Returns the shape with no tiles, no physical shape and the default S, E, L and M in every layout.
Shape DeviceShapeToHostShape(Shape shape);
// Returns the shape with E(n) in every layout set to the width of the type if it is a sub-byte type and these are
// packed, and to the default otherwise.
Shape UpdateElementSizeInBits(Shape shape, bool pack_subbyte_types);

// Returns true if the logical dimension rank-1 is the fastest varying one in memory, and false for a scalar. Another
// error: no layout.
Expected<bool> LastDimIsMinorMost(const Shape& shape);
// Returns true if every dimension more major in memory than this one has size 1. Another error: no layout.
Expected<bool> IsEffectivelyMostMajorDimension(const Shape& shape, int64_t dimension);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_
