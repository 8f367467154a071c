// Functional composition of layouts.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_COMPOSITION_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_COMPOSITION_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/coalesce.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/tiler.h"

namespace layoutcheck {

// R = A o B: compatible(B, R), and R(c) = A(B(c)) for every coordinate c of B, where A goes on past its domain through
// its last mode (Crd2Idx). A stride k@p of B reaches into mode p of A.
//
// The result is right for every input that is accepted; CuTe's algorithm, whose form of the result is kept, is not (it
// tests divisibility one mode at a time, and not at all for run-time numbers). Sound because: with the digits of each
// stride in the mixed radix of A, digits add without a carry (the sum over the modes of B of (extent - 1) * digit stays
// below A's extent), so that A is additive on all of B's values.
// Complete: a result exists if and only if it is returned, where B has at most 2^16 coordinates (beyond them, where A
// coalesces to two modes and B's strides have one sign; otherwise a carry whose effects cancel is rejected).
// kStaticOnly keeps CuTe's form for run-time numbers: modes of extent 1 stay.
// Rejections name the mode of B. Errors: an argument that is not valid or has no coordinate, basis strides in A,
// overflow.
Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const ShapeStrideLayout& b,
                                        Simplification simplification = Simplification::kFull);

// The composition of each mode of A with its tiler; as in CuTe's C++ (not in pycute), modes of A beyond the tiler's are
// dropped. Error: more tilers than modes.
Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const Tiler& b);

// (swizzle o offset o A) o B = swizzle o offset o (A o B). Errors: as for A o B.
Expected<ComposedLayout> Composition(const ComposedLayout& a, const ShapeStrideLayout& b);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_COMPOSITION_H_
