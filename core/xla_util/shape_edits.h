// Edits of shapes and comparisons of them, with the meaning of XLA's ShapeUtil and Shape::Equal. Free functions: an
// edit returns a new value.
//
// Edits keep the rest of the shape: element type and dynamic flags always (XLA drops the flags where it adds a
// dimension, which makes `?` invalid), layout fields as each function says. A split config follows its dimension to its
// new physical position. Errors (invalid argument): not an array; a dimension outside [0, rank); not a permutation; a
// shape whose minor_to_major is not a permutation of its dimensions. XLA aborts, or does not look.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_

#include <cstdint>
#include <functional>
#include <span>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/xla_util/layout_edits.h"

namespace layoutcheck {

// result.dimensions[i] = shape.dimensions[permutation[i]], every element where it was: minor_to_major becomes
// permutation^-1 of itself and all other layout fields stay. XLA has two functions of one meaning here:
// PermuteDimensions (arguments the other way round) and ReorderLogicalDimensions, which before June 2026 used
// permutation itself instead of its inverse.
Expected<Shape> PermuteDimensions(std::span<const int64_t> permutation, const Shape& shape);
Expected<Shape> ReorderLogicalDimensions(const Shape& shape, std::span<const int64_t> permutation);

// The same dimensions with the layout as it was, which moves the elements.
Expected<Shape> PermuteDimensionsIgnoringLayout(std::span<const int64_t> permutation, const Shape& shape);

// The array that has the dimensions in physical order and a row-major layout, so that every element stays where it is.
// Tiles, E, L and S are copied; SC and M are dropped, as in XLA. Error: no layout.
Expected<Shape> MakeShapeWithDescendingLayoutAndSamePhysicalLayout(const Shape& shape);

// The array without these dimensions, whatever their order in the list (twice the same: an error). The others keep
// their order in the shape and in memory; tiles and other layout fields stay. Dropping dimensions of size 1 from an
// untiled array moves no element.
Expected<Shape> DeleteDimension(int64_t dimension, const Shape& shape);
Expected<Shape> DeleteDimensions(std::span<const int64_t> dimensions, const Shape& shape);
// Keeps the dimensions for which `keep` is true.
Expected<Shape> FilterDimensions(const std::function<bool(int64_t)>& keep, const Shape& shape);
// Drops the dimensions of size 1.
Expected<Shape> DropDegenerateDimensions(const Shape& shape);
// Whether a dimension has size 1.
Expected<bool> HasDegenerateDimensions(const Shape& shape);

// A new last dimension of size `bound` that is the major-most (minor-most) in memory. All layout fields stay. XLA takes
// the bound as a 32-bit int. Error: a negative bound.
Expected<Shape> AppendMajorDimension(int64_t bound, const Shape& shape);
Expected<Shape> AppendMinorDimension(int64_t bound, const Shape& shape);
// A new dimension 0, the major-most in memory. Of the layout only minor_to_major is kept, as in XLA.
Expected<Shape> PrependMajorDimension(int64_t bound, const Shape& shape);
// New dimensions before dimension `at`, in memory next to and more major than that dimension; minor-most for at = rank.
// The first of several is the most major one. Of the layout only minor_to_major is kept, as in XLA.
Expected<Shape> InsertDimensionAtIndex(const Shape& shape, int64_t at, int64_t bound);
Expected<Shape> InsertDimensionsAtIndex(const Shape& shape, int64_t at, std::span<const int64_t> bounds);

// Every array in the shape with `dimension` made the major-most in memory; of the layout only minor_to_major is kept,
// as in XLA. Tokens and opaque values stay. Error also: an array without a layout.
Expected<Shape> MoveDimToMajor(const Shape& shape, int64_t dimension);

// The shape with every array's element type replaced; E(n) is kept for sub-byte types and dropped for others. XLA keeps
// the E(n) of another width, u4 with E(4) to u2; here it becomes the new type's width where it was the old one's.
// Error: a type that arrays cannot have.
Expected<Shape> ChangeElementType(const Shape& shape, ElementType type);

// The shape with, in every layout, no tiles, default memory space, E, L and M, and no physical shape.
Shape DeviceShapeToHostShape(Shape shape);
// The shape with E(n) in every layout: the type's width for packed sub-byte types, nothing for others.
Shape UpdateElementSizeInBits(Shape shape, bool pack_subbyte_types);

// Whether the logical dimension rank-1 is the fastest varying one in memory; false for a scalar. Error: no layout.
Expected<bool> LastDimIsMinorMost(const Shape& shape);
// Whether every dimension more major in memory than this one has size 1. Error: no layout.
Expected<bool> IsEffectivelyMostMajorDimension(const Shape& shape, int64_t dimension);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_SHAPE_EDITS_H_
