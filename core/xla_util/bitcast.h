// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides when a reshape or a transpose is a bitcast, which costs nothing because memory stays as it is. XLA decides
// this by minor_to_major alone; these functions apply the definition, also to tiled layouts.
//
// An operation is a bitcast if corresponding elements have the same linear index (tiled_index.h), an element takes the
// same number of bits, the allocations have the same number of bytes (with the padding of every tile and of L(n)), and
// memory space S(n) and metadata prefix M(n) are the same. Dynamic dimensions count with their bound; their flags do
// not matter. XLA ignores tile padding, E, L, S and M: it calls reshaping f32[8]{0:T(4)} to f32[2,4]{1,0:T(2,2)} free.
//
// Errors: kInvalidArgument if a shape is no array or has no layout (XLA aborts); kInvalidLayout if a layout breaks a
// validation rule; kOverflow; kUnsupported for an unbounded dimension, for split configs SC(..) unless both shapes are
// the same, and for the rare layouts that SamePositions cannot compare. An answer is never wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/same_positions.h"

namespace layoutcheck {

enum class ElementTypes {
  kSame,     // the element types of a bitcast must be equal
  kIgnored,  // only positions, in elements, and the padded element count matter
};

// Returns true if reshaping `input` to `output`, which keeps the elements' row-major order, is a bitcast. Returns false
// if the element counts differ, and true if both arrays are empty.
Expected<bool> ReshapeIsBitcast(const Shape& input, const Shape& output, ElementTypes types = ElementTypes::kSame);

// Returns true if the transpose that makes output dimension i of input dimension permutation[i] is a bitcast. Returns
// false if `output` does not have that transpose's dimensions (XLA does not check this), and true if only the orders of
// size-1 dimensions differ (XLA: false). Another error: `permutation` is no permutation of the dimensions.
Expected<bool> TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> permutation,
                                  ElementTypes types = ElementTypes::kSame);

// An element that a reshape or transpose moves: its linear index in the input is not the one in the output.
struct ElementMove {
  std::vector<int64_t> input;   // logical index in the input
  std::vector<int64_t> output;  // logical index in the output
  int64_t from = 0;             // linear index in the input, in elements
  int64_t to = 0;               // linear index in the output, in elements
  // True if no element before it, in the row-major order of the input, moves. False only where the tiles combine
  // dimensions and the first kMaxComparedElements (same_positions.h) elements stay.
  bool is_first = true;

  bool operator==(const ElementMove&) const = default;
};

// Return an element that the reshape or transpose moves, or nothing if each one keeps its linear index. Types, bits per
// element and allocations are not compared. Errors: as of ReshapeIsBitcast; different element counts, or dimensions
// that the transpose does not give (invalid argument).
Expected<std::optional<ElementMove>> FindElementMovedByReshape(const Shape& input, const Shape& output);
Expected<std::optional<ElementMove>> FindElementMovedByTranspose(const Shape& input, const Shape& output,
                                                                 std::span<const int64_t> permutation);

// Returns a permutation for which TransposeIsBitcast(input, output, permutation, kIgnored) is true, or nothing if there
// is none. Only the place of size-1 dimensions, and of all dimensions of an empty array, is a choice: they are paired
// in the order of memory if their sizes allow it, as in XLA, and otherwise in ascending order (XLA: nothing).
Expected<std::optional<std::vector<int64_t>>> DeduceTransposeDimensionsForBitcast(const Shape& input,
                                                                                  const Shape& output);

// The three forms in which a bitcast, which reads a buffer as another array, consists of free reshapes and transposes.
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

// Decomposes a bitcast into a reshape, or else a transpose, or else a transpose to row-major order, a reshape and a
// second transpose. Every step is a bitcast; element types do not matter. Returns nothing if a layout is missing, if
// the element counts or the bits per element differ, or if the tiles admit no such decomposition (XLA does not notice).
Expected<std::optional<BitcastDecomposition>> DecomposeBitcast(const Shape& input, const Shape& output);
// Decomposes a bitcast into the third form, even if a simpler one exists.
Expected<std::optional<BitcastTransposeReshapeTranspose>> DecomposeBitcastToTrt(const Shape& input,
                                                                                const Shape& output);

// Returns the steps of a bitcast in words of logical indices: "a reshape", "a transpose by {1,0}", or "a transpose by
// {1,0,2} to f32[3,2,4]{2,1,0}, a reshape to f32[6,4]{1,0}, a transpose by {1,0}".
std::string DecompositionText(const BitcastDecomposition& decomposition);

// A pair (i, j) of a dimension, or a place between dimensions, of one shape and one of the other.
using DimensionPair = std::pair<int64_t, int64_t>;

// Returns every place (i, j), from (0, 0) to (|a|, |b|) in order, at which both lists can be cut: the products of
// a[0..i) and b[0..j) are equal, and so are those of the rest. Sizes of 1 are paired from the left while they face each
// other; other sizes of 1 are groups of their own. Equal lists are cut everywhere. If a size is 0, equal leading sizes
// are cut one by one while the sizes after them have equal products; those after them are cut only if none of them is
// 0. Errors: different products, a negative size, overflow.
Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b);

// Returns the groups of consecutive dimensions between those places, which a reshape of a to b keeps together. Errors:
// those of CommonFactors.
Expected<std::vector<DimensionGroup>> GroupsOfReshape(std::span<const int64_t> a, std::span<const int64_t> b);

}  // namespace layoutcheck
