// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of arrays as XLA's IndexUtil and ShapeUtil::ForEachIndex define them: tiles and other attributes of a layout
// are ignored. For positions in tiled layouts, see tiled_index.h. A bounded dimension counts with its bound.
//
// Errors of every function that needs sizes: kUnsupported for an unbounded dimension; kInvalidArgument if the shape is
// no array of sizes >= 0 or, where order matters, has no layout or a minor_to_major that is no permutation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Checks that the shape is an array with one dynamic flag per dimension and sizes >= 0, none of them unbounded.
Expected<void> ValidateSizedArray(const Shape& shape);
// Checks the same, and that the shape has a layout whose minor_to_major is a permutation of its dimensions.
Expected<void> ValidateSizedArrayWithLayout(const Shape& shape);

// Returns the position in an untiled array: the sum over k of index[m2m[k]] * product over j < k of dims[m2m[j]], which
// is 0 for a scalar. Errors: an index outside the array, overflow.
Expected<int64_t> MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const int64_t> index);

// Returns the index whose linear index is `linear_index`. Error: there is none.
Expected<std::vector<int64_t>> LinearIndexToMultidimensionalIndex(const Shape& shape, int64_t linear_index);

// Steps `index` to the next one in row-major order of the logical dimensions, whatever the layout. Returns false and
// leaves `index` unchanged after the last one. Error: `index` lies outside the array.
Expected<bool> BumpIndices(const Shape& shape, std::span<int64_t> index);

// Returns the distance of neighbors along a dimension, in elements, without tiles. Errors: no such dimension, overflow.
Expected<int64_t> GetDimensionStride(const Shape& shape, int64_t dimension);

// Returns true if `index` has one entry per dimension and 0 <= index[d] < dims[d] for each (XLA accepts negative
// entries). Returns false if a dimension is unbounded or the shape is no array.
bool IndexInBounds(const Shape& shape, std::span<const int64_t> index);

// Returns -1, 0 or 1 if lhs comes before, equals or comes after rhs lexicographically. (XLA's code agrees; its header
// exchanges the signs.) Error: different lengths.
Expected<int> CompareIndices(std::span<const int64_t> lhs, std::span<const int64_t> rhs);

// The indices {base + k * incr : k >= 0, k * incr < count} in every dimension, all in the array. A dimension with count
// 0 is pinned at its base, whatever its increment (XLA's callers write 0 for both). Made only by MakeIndexRange.
class IndexRange {
 public:
  // Sets `index` to the first index. Returns false if there is none, because the array is empty.
  bool First(std::vector<int64_t>& index) const;
  // Steps to the next index, the minor-most dimension first. Returns false after the last one.
  bool Next(std::vector<int64_t>& index) const;
  // Returns the number of indices, which is 1 for a scalar.
  int64_t size() const { return size_; }

 private:
  friend Expected<IndexRange> MakeIndexRange(const Shape& shape, std::span<const int64_t> base,
                                             std::span<const int64_t> count, std::span<const int64_t> incr);

  std::vector<int64_t> minor_to_major_;
  std::vector<int64_t> base_;
  std::vector<int64_t> limit_;  // exclusive
  std::vector<int64_t> incr_;   // >= 1
  int64_t size_ = 0;
};

// Returns the indices that ShapeUtil::ForEachIndex visits, in row-major order if the shape has no layout. Errors: a
// span without exactly one entry per dimension; a negative count or increment; an increment of 0 with a count other
// than 0 (XLA loops forever); an index outside the array (XLA visits it); more than 2^63 - 1 indices.
Expected<IndexRange> MakeIndexRange(const Shape& shape, std::span<const int64_t> base, std::span<const int64_t> count,
                                    std::span<const int64_t> incr);

// Calls visit(index) for MakeIndexRange's indices until it returns false. XLA's ForEachIndexParallel visits the same.
template <class Visitor>
Expected<void> ForEachIndex(const Shape& shape, std::span<const int64_t> base, std::span<const int64_t> count,
                            std::span<const int64_t> incr, Visitor&& visit) {
  const Expected<IndexRange> range = MakeIndexRange(shape, base, count, incr);
  if (!range) return std::unexpected(range.error());
  std::vector<int64_t> index;
  for (bool more = range->First(index); more; more = range->Next(index)) {
    if (!visit(std::span<const int64_t>(index))) break;
  }
  return {};
}

// Calls visit(index) for every index of the array until it returns false.
template <class Visitor>
Expected<void> ForEachIndex(const Shape& shape, Visitor&& visit) {
  const std::vector<int64_t> base(shape.dimensions.size(), 0);
  const std::vector<int64_t> incr(shape.dimensions.size(), 1);
  return ForEachIndex(shape, base, shape.dimensions, incr, std::forward<Visitor>(visit));
}

}  // namespace layoutcheck
