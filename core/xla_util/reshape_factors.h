// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds which dimensions of a reshape belong together: XLA's CommonFactors and the functions derived from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// A pair (i, j) of a dimension, or a place between dimensions, of one shape and one of the other.
using DimensionPair = std::pair<int64_t, int64_t>;

// Returns every place (i, j), from (0, 0) to (|a|, |b|) in order, at which both lists can be cut: the products of
// a[0..i) and b[0..j) are equal, and so are those of the rest. Sizes of 1 are paired from the left while they face each
// other; other sizes of 1 are groups of their own. Equal lists are cut everywhere. If a size is 0, equal leading sizes
// are cut apart if the sizes after them have equal products, and those only if none is 0. Errors: different products, a
// negative size, overflow.
Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b);

// Returns the pairs (input dimension, output dimension) that a reshape leaves unchanged: the common factors of one
// dimension each. Errors: as of CommonFactors; not two arrays; an unbounded dimension.
Expected<std::vector<DimensionPair>> DimensionsUnmodifiedByReshape(const Shape& input, const Shape& output);

// A reshape that only deletes dimensions of size 1 from the input and inserts such dimensions into the output.
struct ShapeEqualityDescriptor {
  std::vector<int64_t> deleted_dimensions;
  std::vector<int64_t> inserted_dimensions;

  bool operator==(const ShapeEqualityDescriptor&) const = default;
};

// Returns the size-1 dimensions that a reshape deletes and inserts, or nothing if it changes a dimension of a size
// other than 0 or 1. Both lists are empty if it changes nothing. Errors: as of DimensionsUnmodifiedByReshape.
Expected<std::optional<ShapeEqualityDescriptor>> InsertedOrDeleted1SizedDimensions(const Shape& input,
                                                                                   const Shape& output);

// Returns the output dimensions that the given input dimensions become unchanged, or nothing if the reshape changes one
// of them or if they are not ascending. Errors: as of DimensionsUnmodifiedByReshape; no such input dimension.
Expected<std::optional<std::vector<int64_t>>> ReshapeLeavesDimensionsUnmodified(
    const Shape& input, const Shape& output, std::span<const int64_t> input_dimensions);

// A transpose without dimensions of size 1 in which dimensions that stay together are merged. `dimensions` are the
// result's sizes; dimension i of the result is dimension permutation[i] of its input.
struct NormalizedTranspose {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> permutation;

  bool operator==(const NormalizedTranspose&) const = default;
};

// Returns the normal form of output = transpose(input, dimensions), in which output dimension i is input dimension
// dimensions[i]. It has one dimension of size 1 if no other is left, and permutation {0} if nothing is transposed.
// Errors: not two arrays of which one is such a transpose of the other; a layout that is not row major (a missing one
// counts as such); an unbounded dimension; overflow.
Expected<NormalizedTranspose> GetNormalizedLogicalTransposeShape(const Shape& input, const Shape& output,
                                                                 std::span<const int64_t> dimensions);

}  // namespace layoutcheck
