// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/shape.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Shape Shape::Array(ElementType type, std::vector<int64_t> dimensions) {
  std::vector<bool> dynamic(dimensions.size(), false);
  return {.element_type = type, .dimensions = std::move(dimensions), .dynamic_dimensions = std::move(dynamic)};
}

Shape Shape::Array(ElementType type, std::vector<int64_t> dimensions, Layout layout) {
  Shape shape = Array(type, std::move(dimensions));
  shape.layout = std::move(layout);
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) { return {.elements = std::move(elements)}; }
Shape Shape::Buffer(Shape array) { return {.element_type = ElementType::kBuffer, .elements = {std::move(array)}}; }
Shape Shape::Token() { return {.element_type = ElementType::kToken}; }
Shape Shape::Opaque() { return {.element_type = ElementType::kOpaque}; }

bool Shape::HasDynamicDimension() const {
  return std::ranges::find(dynamic_dimensions, true) != dynamic_dimensions.end();
}

uint64_t HashValue(const Shape& shape) {
  uint64_t hash = HashCombine(0, static_cast<uint64_t>(shape.element_type));
  hash = HashCombineRange(hash, shape.dimensions);
  hash = HashCombineRange(hash, shape.dynamic_dimensions);
  hash = HashCombine(hash, shape.layout ? HashValue(*shape.layout) : 0);
  hash = HashCombine(hash, shape.elements.size());
  for (const Shape& element : shape.elements) hash = HashCombine(hash, HashValue(element));
  return hash;
}

std::string DimensionName(int64_t dimension, int64_t rank) {
  constexpr std::string_view kLetters = "pzyx";
  if (rank < 2 || rank > 4) return StrCat("d", dimension);
  return std::string(1, kLetters[static_cast<size_t>(4 - rank + dimension)]);
}

}  // namespace layoutcheck
