// Divides and products: a layout cut into tiles, and a layout repeated.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_DIVIDE_PRODUCT_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_DIVIDE_PRODUCT_H_

#include <optional>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/tiler.h"

namespace layoutcheck {

// How the two modes that a tiler makes of each mode are gathered.
enum class Gather {
  kLogical,  // ((tile,rest),(tile,rest),...): where they arise
  kZipped,   // ((tile,tile,...),(rest,rest,...))
  kTiled,    // ((tile,tile,...),rest,rest,...)
  kFlat,     // (tile,tile,...,rest,rest,...)
};

// A divided by T: A o (T, complement(T, shape of coalesce(A))), mode by mode for a tiler of modes (further modes stay,
// and `_` keeps a mode). Laws: the value at (t, r) is A(T(t) + rest(r)); the first mode is A o T, compatible with T;
// every index of A has a coordinate, exactly one where T is injective and its tiles divide A's size (past the size, A
// goes on). Rejected, besides what complement and composition reject: a tile that leaves holes (HasExactComplement),
// where elements of A would be lost, as CuTe does in silence. Rejected for kZipped, kTiled, kFlat: `_`, which has no
// tile.
Expected<ShapeStrideLayout> Divide(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather);
Expected<ShapeStrideLayout> LogicalDivide(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> ZippedDivide(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> TiledDivide(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> FlatDivide(const ShapeStrideLayout& a, const Tiler& tiler);

// A repeated over T: (A, complement(A, size(A) * cosize(T)) o T), mode by mode for a tiler of modes. Laws: the first
// mode is A, the second is compatible with T; the size is the product of the sizes; injective where A and T are.
// Rejected, besides what complement and composition reject: where the complement ends in a gap of A before it has as
// many values as T reaches, so that copies would overlap (CuTe: (2,2):(4,11) by 5:1), and T with values on both sides
// of 0.
Expected<ShapeStrideLayout> Multiply(const ShapeStrideLayout& a, const Tiler& tiler, Gather gather);
Expected<ShapeStrideLayout> LogicalProduct(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> ZippedProduct(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> TiledProduct(const ShapeStrideLayout& a, const Tiler& tiler);
Expected<ShapeStrideLayout> FlatProduct(const ShapeStrideLayout& a, const Tiler& tiler);

// The product with the modes of A and of the second part paired: ((A0,T0),(A1,T1),...), blocks side by side; raked:
// ((T0,A0),...), blocks interleaved. The one of lower rank is filled up with modes 1:0.
Expected<ShapeStrideLayout> BlockedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler);
Expected<ShapeStrideLayout> RakedProduct(const ShapeStrideLayout& a, const ShapeStrideLayout& tiler);

// A repeated until each mode of the result has the size of that mode of `shape`, in the order of the numbers in `order`
// (the first mode fastest where absent). Law: mode i has the size of mode i of the shape (so that a flat shape is
// compatible with the result). Rejected: a mode of A that does not divide its mode of the shape (CuTe rounds up for
// run-time shapes), more modes than the shape.
Expected<ShapeStrideLayout> TileToShape(const ShapeStrideLayout& a, const IntTuple& shape,
                                        const std::optional<IntTuple>& order = std::nullopt);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_DIVIDE_PRODUCT_H_
