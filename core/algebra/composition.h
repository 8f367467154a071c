// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functional composition of layouts.
#pragma once

#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {

// Returns R = A o B: compatible(B, R), and R(c) = A(B(c)) for every coordinate c of B. A continues beyond its domain
// through its last mode (Crd2Idx). A stride k@p of B reaches into mode p of A.
//
// Every result is right: the digits of B's strides in the mixed radix of A add without a carry (the sum over the modes
// of B of (extent - 1) * digit is below A's extent), so A is additive on all values of B. The result has CuTe's form;
// CuTe's own algorithm can be wrong, because it tests divisibility per mode, and not at all for run-time numbers. A
// result is returned if and only if it exists, provided that B has at most 2^16 coordinates, or that A coalesces to two
// modes and B's strides have one sign. Otherwise a carry whose effects cancel is rejected.
//
// kStaticOnly keeps CuTe's form for run-time numbers: modes of extent 1 stay. Errors: no such layout (names the mode of
// B); an argument that is not valid or has no coordinate; basis strides in A; overflow.
Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const ShapeStrideLayout& b,
                                        Simplification simplification = Simplification::kFull);

// Returns the composition of each mode of A with its tiler. Drops modes of A beyond the tiler's, as in CuTe's C++ (not
// pycute). Error: more tilers than modes.
Expected<ShapeStrideLayout> Composition(const ShapeStrideLayout& a, const Tiler& b);

// Returns (swizzle o offset o A) o B = swizzle o offset o (A o B). Errors: those of A o B.
Expected<ComposedLayout> Composition(const ComposedLayout& a, const ShapeStrideLayout& b);

}  // namespace layoutcheck
