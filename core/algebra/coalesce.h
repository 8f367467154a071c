// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coalesce and filter simplify a layout and keep its values. This file also has the compact layouts of a shape. In the
// whole algebra, results have no origin shape, and have the annotation `_` if all numbers of the arguments have it.
// Formulas and names are CuTe's (cute/layout.hpp).
#pragma once

#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// The numbers that an operation may use to simplify. CuTe merges and drops modes only if their numbers are static.
enum class Simplification {
  kFull,        // every number counts as static
  kStaticOnly,  // only those annotated `_`; the result has the same values in another form
};

// Returns the layout without nesting, modes of extent 1 and mergeable neighbors; 1:0 if nothing is left. Basis strides
// merge along one axis. Laws: coalescing twice changes nothing; the size and the values at all integral coordinates of
// the domain stay. Beyond the domain, dropping a last mode of extent 1 makes a difference. Error: not valid.
Expected<ShapeStrideLayout> Coalesce(const ShapeStrideLayout& layout,
                                     Simplification simplification = Simplification::kFull);
// Coalesces below each integer of `profile`, which keeps rank and structure of the profile. Modes beyond the profile
// stay as they are. Error: the profile has more modes than the layout.
Expected<ShapeStrideLayout> CoalesceByMode(const ShapeStrideLayout& layout, const IntTuple& profile,
                                           Simplification simplification = Simplification::kFull);
// Coalesces each top-level mode. Layouts of equal rank are the same map if and only if their results are equal.
Expected<ShapeStrideLayout> CoalesceEachMode(const ShapeStrideLayout& layout);
// Returns the layout with every extent of stride 0 replaced by 1. Errors: not valid; no coordinate.
Expected<ShapeStrideLayout> FilterZeros(const ShapeStrideLayout& layout);
// Returns the coalesced FilterZeros. Law: the set of values is the same, with at most as many coordinates.
Expected<ShapeStrideLayout> Filter(const ShapeStrideLayout& layout);
// Filters below each integer of `profile`, as CoalesceByMode does.
Expected<ShapeStrideLayout> FilterByMode(const ShapeStrideLayout& layout, const IntTuple& profile);

// Return the strides that make a shape a bijection onto 0..size-1; the first (column major) or the last (row major)
// integer is the fastest. An extent of 1 has stride 0. Errors: an extent below 0; overflow.
Expected<IntTuple> CompactColMajor(const IntTuple& shape);
Expected<IntTuple> CompactRowMajor(const IntTuple& shape);
// Returns the compact layout whose integers vary in the order of their numbers in `order`, smallest fastest. A part of
// the shape under one number is column major. Errors: an order that is no prefix of the structure of the shape, or that
// gives one number to two parts of more than one element (CuTe lets them overlap); overflow.
Expected<ShapeStrideLayout> MakeOrderedLayout(const IntTuple& shape, const IntTuple& order);

// Returns an error (unsupported) unless the integers of `layout`, sorted by stride, each begin where the previous one
// ends. `leaves` are the integers with an extent above 1, in any order. Requires strides above 0.
Expected<void> RequireCompact(std::vector<StridedMode> leaves, const ShapeStrideLayout& layout);

// Returns ((A0,B0),(A1,B1),...) for layouts A and B of equal rank. Errors: not valid; the ranks differ.
Expected<ShapeStrideLayout> Zip(const ShapeStrideLayout& a, const ShapeStrideLayout& b);

}  // namespace layoutcheck
