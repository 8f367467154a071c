// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of layouts and shapes, with the meaning of XLA's Layout::Equal, Shape::Equal and ShapeUtil::Compatible.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The fields that a comparison of layouts ignores.
struct LayoutEqualOptions {
  bool ignore_tiles = false;
  bool ignore_tail_padding = false;
  bool ignore_index_primitive_type = false;
  bool ignore_pointer_primitive_type = false;
  bool ignore_memory_space = false;
  bool ignore_split_configs = false;
  bool ignore_physical_shape = false;
  bool ignore_element_size = false;

  // Returns the options with which only minor_to_major is compared.
  static LayoutEqualOptions MinorToMajorOnly();
};

// Returns true if all fields but M(n) and the ignored ones are equal, as in XLA. (operator== compares all fields.)
bool Equal(const Layout& lhs, const Layout& rhs, const LayoutEqualOptions& options = {});

// The parts that a comparison of shapes ignores.
struct ShapeEqualOptions {
  bool ignore_layout = false;
  LayoutEqualOptions layout;  // for layouts that are compared
  bool ignore_element_type = false;
  bool ignore_fp_precision = false;       // any floating-point type equals any other
  bool ignore_dynamic_dimension = false;  // dynamic flags; `?` then equals every size
  bool ignore_dimensions = false;         // ranks and sizes
  bool ignore_buffer = false;             // b(array) equals the array
};

// The names of the parts that the operation `equal` of the subject protocol can ignore (docs/protocol.md).
inline constexpr std::string_view kIgnorableParts[] = {"dimensions",   "dynamic",      "element_type",
                                                       "layout",       "tiles",        "tail_padding",
                                                       "element_size", "memory_space", "split_configs"};
// Returns the options that ignore these parts, or nothing if there is no part of a name.
std::optional<ShapeEqualOptions> ShapeEqualOptionsOf(std::span<const std::string> ignored_parts);

// Returns true if XLA's Shape::Equal does: if element types, tuple elements, sizes (`?` is a size of its own), dynamic
// flags and layouts are equal. A missing layout differs from every layout.
bool Equal(const Shape& lhs, const Shape& rhs, const ShapeEqualOptions& options = {});
// Returns true if the shapes are equal apart from layouts and dynamic dimensions. Not transitive: f32[?] is compatible
// with f32[2] and with f32[3].
bool Compatible(const Shape& lhs, const Shape& rhs);
// Returns true if the shapes are compatible apart from their element types.
bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs);

}  // namespace layoutcheck
