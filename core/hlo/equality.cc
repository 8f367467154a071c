// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/equality.h"
#include <algorithm>
#include <iterator>

namespace layoutcheck {
namespace {

bool IsFloatingPoint(ElementType type) {
  return IsArrayElementType(type) && !IsIntegral(type) && type != ElementType::kPred && type != ElementType::kC64 &&
         type != ElementType::kC128;
}

}  // namespace

LayoutEqualOptions LayoutEqualOptions::MinorToMajorOnly() { return {true, true, true, true, true, true, true, true}; }

bool Equal(const Layout& lhs, const Layout& rhs, const LayoutEqualOptions& options) {
  return lhs.minor_to_major == rhs.minor_to_major && (options.ignore_tiles || lhs.tiles == rhs.tiles) &&
         (options.ignore_tail_padding ||
          lhs.tail_padding_alignment_in_elements == rhs.tail_padding_alignment_in_elements) &&
         (options.ignore_index_primitive_type || lhs.index_primitive_type == rhs.index_primitive_type) &&
         (options.ignore_pointer_primitive_type || lhs.pointer_primitive_type == rhs.pointer_primitive_type) &&
         (options.ignore_element_size || lhs.element_size_in_bits == rhs.element_size_in_bits) &&
         (options.ignore_memory_space || lhs.memory_space == rhs.memory_space) &&
         (options.ignore_split_configs || lhs.split_configs == rhs.split_configs) &&
         (options.ignore_physical_shape || lhs.physical_shape == rhs.physical_shape);
}

bool Equal(const Shape& lhs, const Shape& rhs, const ShapeEqualOptions& options) {
  if (options.ignore_buffer && lhs.IsBuffer() && lhs.elements.size() == 1) return Equal(lhs.elements[0], rhs, options);
  if (options.ignore_buffer && rhs.IsBuffer() && rhs.elements.size() == 1) return Equal(lhs, rhs.elements[0], options);
  if (lhs.IsTuple() || rhs.IsTuple() || lhs.IsBuffer() || rhs.IsBuffer()) {
    return lhs.element_type == rhs.element_type &&
           std::ranges::equal(lhs.elements, rhs.elements,
                              [&](const Shape& a, const Shape& b) { return Equal(a, b, options); });
  }
  if (!lhs.IsArray() || !rhs.IsArray()) return lhs.element_type == rhs.element_type;
  const bool same_type =
      lhs.element_type == rhs.element_type || options.ignore_element_type ||
      (options.ignore_fp_precision && IsFloatingPoint(lhs.element_type) && IsFloatingPoint(rhs.element_type));
  if (!same_type) return false;
  if (!options.ignore_dimensions) {
    const auto same_size = [&](int64_t a, int64_t b) {
      return a == b || (options.ignore_dynamic_dimension && (a == Shape::kUnboundedSize || b == Shape::kUnboundedSize));
    };
    if (!std::ranges::equal(lhs.dimensions, rhs.dimensions, same_size)) return false;
  }
  if (!options.ignore_layout) {
    if (lhs.layout.has_value() != rhs.layout.has_value()) return false;
    if (lhs.layout && !Equal(*lhs.layout, *rhs.layout, options.layout)) return false;
  }
  return options.ignore_dynamic_dimension || options.ignore_dimensions ||
         lhs.dynamic_dimensions == rhs.dynamic_dimensions;
}

std::optional<ShapeEqualOptions> ShapeEqualOptionsOf(std::span<const std::string> ignored_parts) {
  ShapeEqualOptions options;
  bool* const flags[] = {&options.ignore_dimensions,          &options.ignore_dynamic_dimension,
                         &options.ignore_element_type,        &options.ignore_layout,
                         &options.layout.ignore_tiles,        &options.layout.ignore_tail_padding,
                         &options.layout.ignore_element_size, &options.layout.ignore_memory_space,
                         &options.layout.ignore_split_configs};
  static_assert(std::size(flags) == std::size(kIgnorableParts));
  for (const std::string& part : ignored_parts) {
    const auto* const known = std::ranges::find(kIgnorableParts, part);
    if (known == std::end(kIgnorableParts)) return std::nullopt;
    *flags[known - std::begin(kIgnorableParts)] = true;
  }
  return options;
}

bool Compatible(const Shape& lhs, const Shape& rhs) {
  return Equal(lhs, rhs, {.ignore_layout = true, .ignore_dynamic_dimension = true});
}

bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs) {
  return Equal(lhs, rhs, {.ignore_layout = true, .ignore_element_type = true, .ignore_dynamic_dimension = true});
}

}  // namespace layoutcheck
