// Shape:stride layouts of CuTe and CATLASS TLA: a nested shape, a stride for each of its integers, and (TLA) the extent
// that is logically valid.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_SHAPE_STRIDE_LAYOUT_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_SHAPE_STRIDE_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// A map from coordinates to offsets: the sum of coordinate * stride over the integers of the shape. Any field values
// can be held; ValidateLayout says which are a layout.
struct ShapeStrideLayout {
  IntTuple shape = 1;
  IntTuple stride = 0;
  // TLA's origin shape: for each top-level mode the number of its coordinates that hold elements; the others are
  // padding. Absent: all of them.
  std::optional<IntTuple> origin_shape = std::nullopt;

  // Equality of all three; annotations are not looked at.
  bool operator==(const ShapeStrideLayout&) const = default;
};

// What makes a layout: shape and stride have the same structure, extents are >= 0 and ordinary integers, basis
// positions are 0 to 255, and the origin shape is flat, not negative and has an integer for each top-level mode. The
// error names what is wrong.
Expected<void> ValidateLayout(const ShapeStrideLayout& layout);

// The number of top-level modes, and mode `index` as a layout of its own (with its part of the origin shape).
int64_t Rank(const ShapeStrideLayout& layout);
Expected<ShapeStrideLayout> Mode(const ShapeStrideLayout& layout, int64_t index);
// All top-level modes, without their origin shapes. Requires a valid layout.
std::vector<ShapeStrideLayout> Modes(const ShapeStrideLayout& layout);
// The layout with these modes at its top level, (A,B,...); no origin shape.
ShapeStrideLayout ConcatenateModes(const std::vector<ShapeStrideLayout>& modes);

// The number of coordinates: the product of the shape. Error: overflow.
Expected<int64_t> Size(const ShapeStrideLayout& layout);
// For each axis of the codomain 1 + sum of (extent - 1) * |stride|: an integer for ordinary strides, a nested one for
// basis strides. It is the span of the offsets; where no stride is negative, 1 + the largest one. 0 where the layout
// has no coordinate (CuTe's formula is not used there). Errors: overflow, or basis paths that contradict each other.
Expected<IntTuple> Coshape(const ShapeStrideLayout& layout);
// The product of Coshape.
Expected<int64_t> Cosize(const ShapeStrideLayout& layout);
// The largest offset plus 1 less the smallest one below 0: what must be allocated, and where its origin is. Error:
// overflow, basis strides, no coordinate.
struct OffsetRange {
  int64_t smallest = 0;
  int64_t largest = 0;
};
Expected<OffsetRange> RangeOfOffsets(const ShapeStrideLayout& layout);

// The offset of a coordinate (CuTe's crd2idx, TLA's crd2offset). The coordinate is an integer (taken apart
// colexicographically), a nested one, or anything between: at each position of the shape it may stop. Nothing is
// bounded: the last integer of a mode takes what is left, and negative numbers divide toward zero as in C++. An
// integer, or for basis strides the coordinate that they name. Errors: a tuple where the shape has an integer or
// another number of modes, an extent of 0 in a division, overflow.
Expected<IntTuple> Evaluate(const IntTuple& coordinate, const ShapeStrideLayout& layout);
// The same for ordinary strides; the error for basis strides names them.
Expected<int64_t> Crd2Idx(const IntTuple& coordinate, const ShapeStrideLayout& layout);
// The offset that C++ computes with every number converted to T first (int32_t or uint32_t), and whether that wrapped.
// Defined for coordinates that are not negative. Errors as for Crd2Idx, overflow excepted.
template <class T>
Expected<WrappingInt<T>> Crd2IdxWrapping(const IntTuple& coordinate, const ShapeStrideLayout& layout);

// The integral coordinate of a nested one (colexicographic Horner scheme), for coordinates as for Crd2Idx.
Expected<int64_t> Crd2Integral(const IntTuple& coordinate, const IntTuple& shape);
// The coordinate with the structure of the shape at an integral one; its last integer is not reduced. Error: an extent
// of 0 that would divide.
Expected<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape);
// An error that names the mode unless the coordinate is one of the shape: 0 <= c < size at every position where it
// stops.
Expected<void> CheckCoordinate(const IntTuple& coordinate, const IntTuple& shape);

// A nested coordinate whose offset is `offset` (the only one where the layout is injective; stride-0 modes at 0), or
// nothing: neither an element nor padding lies there. Errors: unsupported for basis strides, and where the search among
// many overlapping modes exceeds 2^20 steps; overflow.
Expected<std::optional<IntTuple>> FindCoordinate(const ShapeStrideLayout& layout, int64_t offset);
// Whether the origin shape, if any, holds the coordinate. Errors as for Crd2Integral.
Expected<bool> IsInOrigin(const ShapeStrideLayout& layout, const IntTuple& coordinate);

// The flattened layout that strided_index.h evaluates, each top-level mode its own list. Errors: not valid, basis
// strides, or an extent of 0 (which cannot divide).
Expected<StridedLayout> StridedLayoutOf(const ShapeStrideLayout& layout);
// The offsets of all integral coordinates in order. Error: as above (an extent of 0 gives an empty table), overflow, or
// more than `max_elements`.
Expected<std::vector<int64_t>> StridedOffsetTable(const ShapeStrideLayout& layout, int64_t max_elements);

// The canonical text "((4,2),3):((1,4),8)". The origin shape is not part of it.
std::string ToString(const ShapeStrideLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_SHAPE_STRIDE_LAYOUT_H_
