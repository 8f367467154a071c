// XLA shapes as values: arrays with static, bounded and unbounded dimensions, tuples, tokens, opaque values and
// buffers.
#ifndef LAYOUTCHECK_CORE_HLO_SHAPE_H_
#define LAYOUTCHECK_CORE_HLO_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/layout.h"

namespace layoutcheck {

// A shape. Any combination of field values can be held; ValidateShape (validate.h) says which are legal.
struct Shape {
  // The size of an unbounded dynamic dimension, written `?`.
  static constexpr int64_t kUnboundedSize = std::numeric_limits<int64_t>::min();

  // An array of static dimensions, without a layout.
  static Shape Array(ElementType type, std::vector<int64_t> dimensions);
  // The same with a layout.
  static Shape Array(ElementType type, std::vector<int64_t> dimensions, Layout layout);
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Buffer(Shape array);
  static Shape Token();
  static Shape Opaque();

  ElementType element_type = ElementType::kTuple;
  // Sizes of the logical dimensions; the bound where a dimension is dynamic, kUnboundedSize where it has none.
  std::vector<int64_t> dimensions;
  // One flag for each dimension: true for `<=N` and `?`.
  std::vector<bool> dynamic_dimensions;
  std::optional<Layout> layout;
  // The elements of a tuple, or the one array of a buffer.
  std::vector<Shape> elements;

  bool IsArray() const { return IsArrayElementType(element_type); }
  bool IsTuple() const { return element_type == ElementType::kTuple; }
  bool IsBuffer() const { return element_type == ElementType::kBuffer; }
  bool IsToken() const { return element_type == ElementType::kToken; }
  bool IsOpaque() const { return element_type == ElementType::kOpaque; }

  // The number of dimensions; 0 for anything but an array.
  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  // The number of dimensions whose size is greater than 1 (XLA's TrueRank).
  int64_t true_rank() const;
  bool IsUnbounded(int64_t dimension) const { return dimensions[static_cast<size_t>(dimension)] == kUnboundedSize; }
  bool HasDynamicDimension() const;

  // Equality of every field, layouts included.
  bool operator==(const Shape&) const = default;
};

// Returns a hash of every field, the same on every platform. Equal shapes have equal hashes.
uint64_t HashValue(const Shape& shape);

// The dimension that a number names: d itself for 0 <= d < rank, rank + d for -rank <= d < 0 (as in XLA's documents, -1
// is the last dimension); otherwise an error that names both.
Expected<int64_t> NormalizeDimension(int64_t dimension, int64_t rank);

// The conventional letter of a logical dimension of an array of rank 2 to 4: `y x`, `z y x`, `p z y x`; "d0", "d1", ...
// for any other rank. Requires 0 <= dimension < rank.
std::string DimensionName(int64_t dimension, int64_t rank);

}  // namespace layoutcheck

template <>
struct std::hash<layoutcheck::Shape> {
  size_t operator()(const layoutcheck::Shape& shape) const {
    return static_cast<size_t>(layoutcheck::HashValue(shape));
  }
};

#endif  // LAYOUTCHECK_CORE_HLO_SHAPE_H_
