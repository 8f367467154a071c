// Indices of arrays without tiles, as XLA's IndexUtil and ShapeUtil::ForEachIndex define them. Tiles and the other
// attributes of a layout are ignored here; positions of tiled layouts are in tiled_index.h.
//
// Bounded dimensions count with their bound. Every function that needs sizes gives an error (unsupported) for an
// unbounded dimension, and one (invalid argument) for a shape that is not an array of sizes >= 0 or, where the
// dimension order matters, has no layout or a minor_to_major that is not a permutation of its dimensions.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_INDEX_UTIL_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_INDEX_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// An error unless the shape is an array with one flag for each dimension and sizes >= 0, none unbounded.
Expected<void> ValidateSizedArray(const Shape& shape);
// The same, and that it has a layout whose minor_to_major is a permutation of the dimensions.
Expected<void> ValidateSizedArrayWithLayout(const Shape& shape);

// sum over k of index[m2m[k]] * product over j < k of dims[m2m[j]]: the position in an array without tiles; 0 for a
// scalar. Errors: an index outside the array (negative ones too), overflow.
Expected<int64_t> MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const int64_t> index);

// The inverse. Error: not 0 <= linear_index < number of elements.
Expected<std::vector<int64_t>> LinearIndexToMultidimensionalIndex(const Shape& shape, int64_t linear_index);

// Steps `index` to the next one in row-major order of the logical dimensions, whatever the layout is. False, and
// `index` unchanged, at the last one. Error: `index` lies outside the array.
Expected<bool> BumpIndices(const Shape& shape, std::span<int64_t> index);

// The distance in elements between neighbors along a logical dimension in an array without tiles. Errors: no such
// dimension, overflow.
Expected<int64_t> GetDimensionStride(const Shape& shape, int64_t dimension);

// Whether `index` has one entry for each dimension and 0 <= index[d] < dims[d] for all of them. XLA's function lets
// negative entries pass; here they are out of bounds, because no element has one. False for an unbounded dimension and
// for anything but an array.
bool IndexInBounds(const Shape& shape, std::span<const int64_t> index);

// Lexicographic order: -1 if lhs comes before rhs, 0 if they are equal, 1 if after (XLA's header comment has the signs
// the wrong way round, its code does not). Error: different lengths.
Expected<int> CompareIndices(std::span<const int64_t> lhs, std::span<const int64_t> rhs);

// The set {base + k * incr : k >= 0, k * incr < count} in every dimension. A dimension with count 0 is pinned: it stays
// at its base whatever its increment is (XLA's callers write 0 for both). Made only by MakeIndexRange, so that all its
// indices lie in the array.
class IndexRange {
 public:
  // Sets `index` to the first one, or returns false if there is none: an array without elements.
  bool First(std::vector<int64_t>& index) const;
  // Steps to the next one, the minor-most dimension first; false after the last.
  bool Next(std::vector<int64_t>& index) const;
  // How many indices are visited: 1 for a scalar.
  int64_t size() const { return size_; }

 private:
  friend Expected<IndexRange> MakeIndexRange(const Shape& shape, std::span<const int64_t> base,
                                             std::span<const int64_t> count, std::span<const int64_t> incr);

  std::vector<int64_t> minor_to_major_;
  std::vector<int64_t> base_;
  std::vector<int64_t> limit_;  // one past the last index visited
  std::vector<int64_t> incr_;   // >= 1
  int64_t size_ = 0;
};

// The indices that ShapeUtil::ForEachIndex visits. Without a layout the order is row major. Errors: one of the spans
// has not one entry for each dimension; a negative count or increment; an increment of 0 where the count is not 0 (XLA
// loops for ever); an index outside the array (XLA visits it); more than 2^63 - 1 indices.
Expected<IndexRange> MakeIndexRange(const Shape& shape, std::span<const int64_t> base, std::span<const int64_t> count,
                                    std::span<const int64_t> incr);

// Calls visit(index) for each of them until it returns false. XLA's ForEachIndexParallel visits the same set.
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

// The same for every index of the array.
template <class Visitor>
Expected<void> ForEachIndex(const Shape& shape, Visitor&& visit) {
  const std::vector<int64_t> base(shape.dimensions.size(), 0);
  const std::vector<int64_t> incr(shape.dimensions.size(), 1);
  return ForEachIndex(shape, base, shape.dimensions, incr, std::forward<Visitor>(visit));
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_INDEX_UTIL_H_
