// Simpler layouts with the same values: coalesce and filter, and the compact layouts of a shape.
//
// For all of the algebra: results have no origin shape; the annotation `_` is carried to a result where every number of
// the arguments has it, and otherwise dropped. Formulas and names are CuTe's (cute/layout.hpp).
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_COALESCE_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_COALESCE_H_

#include <optional>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Which numbers an operation may simplify by: CuTe merges and drops modes only where their numbers are static.
enum class Simplification {
  kFull,        // every number counts as static
  kStaticOnly,  // only those annotated `_`; the result has another form, not other values
};

// The layout without nesting, modes of extent 1 and mergeable neighbors; 1:0 if nothing is left.
// Law: the size is the same, and so is the value at each integral coordinate of the domain (past it, a last mode of
// extent 1 that was dropped makes a difference). Idempotent. Basis strides merge along one axis. Errors: not valid.
Expected<ShapeStrideLayout> Coalesce(const ShapeStrideLayout& layout,
                                     Simplification simplification = Simplification::kFull);
// The same below each integer of `profile`, so that the rank and the structure of the profile are kept; modes beyond
// the profile's rank stay as they are. Error: the profile has more modes than the layout.
Expected<ShapeStrideLayout> CoalesceByMode(const ShapeStrideLayout& layout, const IntTuple& profile,
                                           Simplification simplification = Simplification::kFull);
// The layout with every extent of stride 0 replaced by 1. Errors: not valid, no coordinate.
Expected<ShapeStrideLayout> FilterZeros(const ShapeStrideLayout& layout);
// Coalesce of FilterZeros. Law: the same set of values, of at most as many coordinates. Errors as there.
Expected<ShapeStrideLayout> Filter(const ShapeStrideLayout& layout);
Expected<ShapeStrideLayout> FilterByMode(const ShapeStrideLayout& layout, const IntTuple& profile);

// Strides that make a shape a bijection onto 0..size-1, the first (column major) or the last (row major) integer
// fastest. An extent of 1 has stride 0. Errors: an extent below 0, overflow.
Expected<IntTuple> CompactColMajor(const IntTuple& shape);
Expected<IntTuple> CompactRowMajor(const IntTuple& shape);
// The compact layout whose integers vary in the order of their numbers in `order`, the smallest fastest; a part of the
// shape under one number is column major. Errors: an order that is no prefix of the shape's structure, or that gives
// one number to two parts of more than one element (CuTe lets them overlap); overflow.
Expected<ShapeStrideLayout> MakeOrderedLayout(const IntTuple& shape, const IntTuple& order);

// Layouts A and B of equal rank as ((A0,B0),(A1,B1),...). Errors: not valid, the ranks differ.
Expected<ShapeStrideLayout> Zip(const ShapeStrideLayout& a, const ShapeStrideLayout& b);

// The leaves as one list. Errors: not valid, basis strides, no coordinate.
Expected<std::vector<StridedMode>> FlatModes(const ShapeStrideLayout& layout);
// The layout of these modes: () is 1:0, one mode is its integers, more a flat tuple.
ShapeStrideLayout LayoutOfModes(const std::vector<StridedMode>& modes, bool is_static = false);
// Whether every number is annotated.
bool IsStatic(const ShapeStrideLayout& layout);
// The layout with every leaf annotated, or none.
ShapeStrideLayout WithStatic(const ShapeStrideLayout& layout, bool is_static);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_COALESCE_H_
