// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLA shapes as values: arrays (dimensions static, bounded or unbounded), tuples, tokens, opaque values, buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/layout.h"

namespace layoutcheck {

// A shape of HLO. It can hold any field values; ValidateShape (validate.h) tells which are legal.
struct Shape {
  // The size of an unbounded dynamic dimension, written `?`.
  static constexpr int64_t kUnboundedSize = std::numeric_limits<int64_t>::min();

  // Return an array of static dimensions without a layout or with one.
  static Shape Array(ElementType type, std::vector<int64_t> dimensions);
  static Shape Array(ElementType type, std::vector<int64_t> dimensions, Layout layout);
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Buffer(Shape array);
  static Shape Token();
  static Shape Opaque();

  ElementType element_type = ElementType::kTuple;
  // Sizes of the logical dimensions, in elements. A dynamic dimension has its bound here, or kUnboundedSize.
  std::vector<int64_t> dimensions;
  // One flag per dimension: true for `<=N` and `?`.
  std::vector<bool> dynamic_dimensions;
  std::optional<Layout> layout;
  // Elements of a tuple, or the one array of a buffer.
  std::vector<Shape> elements;

  bool IsArray() const { return IsArrayElementType(element_type); }
  bool IsTuple() const { return element_type == ElementType::kTuple; }
  bool IsBuffer() const { return element_type == ElementType::kBuffer; }
  bool IsToken() const { return element_type == ElementType::kToken; }
  bool IsOpaque() const { return element_type == ElementType::kOpaque; }

  // Returns the number of dimensions: 0 unless this is an array.
  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  bool IsUnbounded(int64_t dimension) const { return dimensions[static_cast<size_t>(dimension)] == kUnboundedSize; }
  bool HasDynamicDimension() const;

  bool operator==(const Shape&) const = default;
};

// Returns a hash of every field, the same on every platform. Equal shapes have equal hashes.
uint64_t HashValue(const Shape& shape);

// Returns the usual letter of an array's logical dimension for rank 2 (`y x`), 3 (`z y x`) and 4 (`p z y x`), and "d0",
// "d1", ... for other ranks. Requires 0 <= dimension < rank.
std::string DimensionName(int64_t dimension, int64_t rank);

}  // namespace layoutcheck

template <>
struct std::hash<layoutcheck::Shape> {
  size_t operator()(const layoutcheck::Shape& shape) const {
    return static_cast<size_t>(layoutcheck::HashValue(shape));
  }
};
