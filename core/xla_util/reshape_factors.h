// Which dimensions of a reshape belong together: XLA's CommonFactors and what is derived from it.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_RESHAPE_FACTORS_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_RESHAPE_FACTORS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// A pair (i, j): dimensions of the one shape and of the other.
using DimensionPair = std::pair<int64_t, int64_t>;

// The places (i, j) at which both lists can be cut: the products of a[0..i) and b[0..j) are equal, and so are those of
// the rest. From (0, 0) to (|a|, |b|), in order, as many as there are; sizes of 1 are paired from the left as long as
// they face each other and stand alone otherwise. Equal lists are cut everywhere. With a 0 among the sizes only equal
// leading sizes are cut apart; if what follows them has different products, nothing is. Errors: different products, a
// negative size, overflow.
Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b);

// The pairs of dimensions (input, output) that a reshape leaves as they are: common factors of one dimension each.
// Errors: as CommonFactors; not two arrays, or an unbounded dimension.
Expected<std::vector<DimensionPair>> DimensionsUnmodifiedByReshape(const Shape& input, const Shape& output);

// A reshape that only drops and adds dimensions of size 1: which of the input and of the output.
struct ShapeEqualityDescriptor {
  std::vector<int64_t> deleted_dimensions;
  std::vector<int64_t> inserted_dimensions;

  bool operator==(const ShapeEqualityDescriptor&) const = default;
};

// Nothing where the reshape changes a dimension of another size than 1 or 0. Both lists are empty where it changes
// nothing. Errors: as DimensionsUnmodifiedByReshape.
Expected<std::optional<ShapeEqualityDescriptor>> InsertedOrDeleted1SizedDimensions(const Shape& input,
                                                                                   const Shape& output);

// The output dimensions that the given input dimensions become, unchanged; nothing if one of them is changed or if they
// are not in ascending order. Errors: as DimensionsUnmodifiedByReshape; a dimension that the input does not have.
Expected<std::optional<std::vector<int64_t>>> ReshapeLeavesDimensionsUnmodified(
    const Shape& input, const Shape& output, std::span<const int64_t> input_dimensions);

// A transpose with dimensions of size 1 dropped and dimensions that stay together merged. `dimensions` are the sizes of
// the result, `permutation` the transpose that makes it: dimensions[i] is input size permutation[i].
struct NormalizedTranspose {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> permutation;

  bool operator==(const NormalizedTranspose&) const = default;
};

// The normal form of output = transpose(input, dimensions): output dimension i is input dimension dimensions[i]. One
// dimension of size 1 where nothing is left, permutation {0} where nothing is transposed. Errors: not two arrays of the
// sizes that `dimensions` says; a layout that is not row major (none is as good as row major); an unbounded dimension;
// overflow.
Expected<NormalizedTranspose> GetNormalizedLogicalTransposeShape(const Shape& input, const Shape& output,
                                                                 std::span<const int64_t> dimensions);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_RESHAPE_FACTORS_H_
