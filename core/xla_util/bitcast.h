// When a reshape or a transpose is a bitcast: it leaves every element where it is in memory, and the allocation too, so
// that it costs nothing. XLA decides this by minor_to_major alone; the functions here decide what the words mean, for
// tiled layouts as well.
//
// In all of them "is a bitcast" is: corresponding elements have the same linear index (tiled_index.h), an element takes
// the same number of bits, the allocations have the same number of bytes (padding of every tile and L(n) included), and
// memory space S(n) and metadata prefix M(n) are the same. Dynamic dimensions count with their bound, their flags do
// not matter. Tile padding, E, L, S and M are what XLA does not look at: it calls reshaping f32[8]{0:T(4)} to
// f32[2,4]{1,0:T(2,2)} free.
//
// Errors: not arrays, no layout (invalid argument; XLA aborts); a layout that breaks a validation rule (invalid
// layout); overflow; unsupported: an unbounded dimension; split configs SC(..), unless both shapes are the same; and
// the rare layouts that SamePositions gives up on. Never a wrong answer.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_BITCAST_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_BITCAST_H_

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

enum class ElementTypes {
  kSame,     // different element types: no bitcast
  kIgnored,  // element types and widths do not matter, only positions counted in elements and the padded element count
};

// Whether reshaping (the same row-major element order) is a bitcast. False where the element counts differ; true where
// both arrays have no element.
Expected<bool> ReshapeIsBitcast(const Shape& input, const Shape& output, ElementTypes types = ElementTypes::kSame);

// Whether the transpose that makes output dimension i of input dimension permutation[i] is a bitcast. False where
// `output` has not the dimensions of that transpose (XLA does not look at them). Unlike XLA's it is also true where the
// orders of size-1 dimensions differ. Error also: not a permutation of the dimensions.
Expected<bool> TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> permutation,
                                  ElementTypes types = ElementTypes::kSame);

// A permutation for which TransposeIsBitcast(input, output, permutation, kIgnored) is true, or nothing if there is
// none. Dimensions of more than one element have no choice; the others are paired as they stand in memory where their
// sizes allow it (XLA's answer), otherwise in ascending order (where XLA finds none).
Expected<std::optional<std::vector<int64_t>>> DeduceTransposeDimensionsForBitcast(const Shape& input,
                                                                                  const Shape& output);

// Whether reshaping one shape to the other is a bitcast or there is a transpose that is one. XLA asks the last question
// with the shapes swapped and so misses permutations that are not their own inverse.
Expected<bool> IsReshapeOrTransposeBitcast(const Shape& a, const Shape& b, ElementTypes types = ElementTypes::kSame);

// How a bitcast, the reading of a buffer as another array, is made of free reshapes and transposes.
struct BitcastReshape {
  bool operator==(const BitcastReshape&) const = default;
};
struct BitcastTranspose {
  std::vector<int64_t> permutation;

  bool operator==(const BitcastTranspose&) const = default;
};
struct BitcastTransposeReshapeTranspose {
  std::vector<int64_t> transpose1;
  Shape transpose1_shape;
  Shape reshape_shape;
  std::vector<int64_t> transpose2;

  bool IsTranspose1Identity() const;
  bool IsTranspose2Identity() const;
  bool operator==(const BitcastTransposeReshapeTranspose&) const = default;
};
using BitcastDecomposition = std::variant<BitcastReshape, BitcastTranspose, BitcastTransposeReshapeTranspose>;

// The first of: a reshape, a transpose, a transpose to row-major order, a reshape and a transpose, all of them
// bitcasts; element types do not matter. Nothing where a layout is missing, the element counts or the bits of an
// element differ (one element of the one array is not one of the other), or the arrays are tiled so that reading the
// buffer as the other array is no such thing, which XLA does not find out. Errors as above.
Expected<std::optional<BitcastDecomposition>> DecomposeBitcast(const Shape& input, const Shape& output);
// The third form, even where a simpler one exists.
Expected<std::optional<BitcastTransposeReshapeTranspose>> DecomposeBitcastToTrt(const Shape& input,
                                                                                const Shape& output);

// `output` (its own layout is not looked at) with a layout that makes reshaping `input` to it a bitcast, or nothing if
// none of the form tried does: dimensions in the order of the input's memory, group by group of common factors, size-1
// dimensions at the major end, and the input's other layout fields. For untiled arrays that is nothing only if no
// minor_to_major would do; for tiled ones the result is what ReshapeIsBitcast confirms (XLA drops the tiles). Error
// also: different element counts.
Expected<std::optional<Shape>> AlignLayouts(const Shape& input, const Shape& output);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_BITCAST_H_
