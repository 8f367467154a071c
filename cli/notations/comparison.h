// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two layouts of the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/xla_util/bitcast.h"

namespace layoutcheck {

enum class MemoryRelation {
  kIdentical,        // the same array: equal sizes, element types and positions
  kBitcast,          // corresponding elements have the same positions, in an allocation of the same size
  kPermuted,         // an element moves
  kDifferentSize,    // other numbers of elements, of bits per element or of bytes allocated
  kDifferentMemory,  // another memory space or metadata prefix
};
// Returns "identical", "bitcast", "permuted", "different size" or "different memory".
std::string_view RelationName(MemoryRelation relation);

// One layout is a slice of the other: it has the elements of a box of it, at the same positions.
struct Slice {
  bool of_a = false;           // B is a slice of A, otherwise A of B
  std::vector<int64_t> start;  // the coordinate in the whole of the slice's first element
};

struct Comparison {
  MemoryRelation relation = MemoryRelation::kIdentical;
  std::string reason;                 // the sizes or memories that differ
  std::optional<MovedElement> moved;  // if the element counts are equal: an element that moves
  std::optional<Slice> slice;         // if the element counts differ
  // The reshapes and transposes that reading the bytes of A as B amounts to. Only if an element moves between two XLA
  // shapes.
  std::optional<BitcastDecomposition> as_bitcast;
};

// Compares two layouts. Dimension i of B is dimension transpose[i] of A. Without a transpose, elements correspond by
// their coordinate if the dimensions are equal; otherwise by their number, which counts coordinates of two shape:stride
// layouts colexicographically, as it does those of layouts in bits, and others in row-major order. Errors: `transpose`
// is no permutation of A's dimensions, or does not give B's (invalid argument); kUnsupported if the positions take too
// long to compare.
Expected<Comparison> Compare(const AnyLayout& a, const AnyLayout& b,
                             const std::optional<std::vector<int64_t>>& transpose);

// Returns a part of a shape:stride layout that begins at coordinate 0, as an array with these dimensions, whose
// positions are `position`.
PositionedArray StridedArray(const ComposedLayout& composed, const std::vector<int64_t>& dimensions,
                             std::function<int64_t(std::span<const int64_t>)> position);
// Returns an array of which only the positions are known.
PositionedArray UnstridedArray(const std::vector<int64_t>& dimensions,
                               std::function<int64_t(std::span<const int64_t>)> position);

// Returns true if the elements fill the allocation, one per place, or nothing if that takes too long to decide.
std::optional<bool> IsContiguous(const AnyLayout& layout);

}  // namespace layoutcheck
