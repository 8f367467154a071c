// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides, which cut a layout into tiles, and products, which repeat a layout.
#pragma once

#include <optional>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// The place of the two modes (tile and rest) that a tiler makes of each mode.
enum class Gather {
  kLogical,  // ((tile,rest),(tile,rest),...)
  kZipped,   // ((tile,tile,...),(rest,rest,...))
  kTiled,    // ((tile,tile,...),rest,rest,...)
  kFlat,     // (tile,tile,...,rest,rest,...)
};

// Divides A by T: A o (T, complement(T, shape of coalesce(A))), mode by mode for a tiler of modes; further modes stay,
// and `_` keeps its mode. Laws: the value at (t, r) is A(T(t) + rest(r)); the first mode is A o T, compatible with T;
// every index of A has a coordinate, exactly one if T is injective and its tiles divide the size of A.
// Errors: those of Complement and Composition; a tile that leaves holes (HasExactComplement), where CuTe silently loses
// elements of A; `_` with a gather other than kLogical, because it has no tile.
Expected<ShapeStrideLayout> Divide(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather);

// Repeats A over T: (A, complement(A, size(A) * cosize(T)) o T), mode by mode for a tiler of modes. Laws: the first
// mode is A; the second is compatible with T; sizes multiply; the result is injective if A and T are.
// Errors: those of Complement and Composition; a T with values on both sides of 0; copies that would overlap, because
// the complement ends in a gap of A before it has as many values as T reaches (CuTe: (2,2):(4,11) by 5:1).
Expected<ShapeStrideLayout> Multiply(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather);

// Return the product with the modes of A and T paired, after padding the lower rank with modes 1:0. Blocked:
// ((A0,T0),...), blocks side by side. Raked: ((T0,A0),...), blocks interleaved.
Expected<ShapeStrideLayout> BlockedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler);
Expected<ShapeStrideLayout> RakedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler);

// Repeats A until each mode has the size of that mode of `shape`, in the order of the numbers in `order` (default:
// first mode fastest). A flat shape is then compatible with the result. Errors: a mode of A that does not divide its
// mode of the shape (CuTe rounds up for run-time shapes); more modes than the shape.
Expected<ShapeStrideLayout> TileToShape(const ShapeStrideLayout& a, const IntTuple& shape,
                                        const std::optional<IntTuple>& order = std::nullopt);

}  // namespace layoutcheck
