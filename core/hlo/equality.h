// Comparisons of layouts and shapes, with the meaning of XLA's Layout::Equal, Shape::Equal and ShapeUtil::Compatible.
#ifndef LAYOUTCHECK_CORE_HLO_EQUALITY_H_
#define LAYOUTCHECK_CORE_HLO_EQUALITY_H_

#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// What a comparison of layouts leaves out.
struct LayoutEqualOptions {
  bool ignore_tiles = false;
  bool ignore_tail_padding = false;
  bool ignore_index_primitive_type = false;
  bool ignore_pointer_primitive_type = false;
  bool ignore_memory_space = false;
  bool ignore_split_configs = false;
  bool ignore_physical_shape = false;
  bool ignore_element_size = false;

  // All of them: only minor_to_major is compared.
  static LayoutEqualOptions MinorToMajorOnly();
};

// XLA's equality: every field but M(n), which it never compares, and what the options leave out. operator== of Layout
// compares every field.
bool Equal(const Layout& lhs, const Layout& rhs, const LayoutEqualOptions& options = {});

// What a comparison of shapes leaves out.
struct ShapeEqualOptions {
  bool ignore_layout = false;
  LayoutEqualOptions layout;  // where layouts are compared
  bool ignore_element_type = false;
  bool ignore_fp_precision = false;  // any floating-point type equals any other
  // Dynamic flags do not count, and `?` equals every size.
  bool ignore_dynamic_dimension = false;
  bool ignore_dimensions = false;  // ranks and sizes
  bool ignore_buffer = false;      // b(array) equals the array
};

// XLA's equality: element types, tuple elements, sizes, dynamic flags, layouts (a missing one differs from every other;
// M(n) is not compared). `?` is a size of its own.
bool Equal(const Shape& lhs, const Shape& rhs, const ShapeEqualOptions& options = {});
// Equal but for layouts and dynamic dimensions. Not transitive: f32[2], f32[?] and f32[3].
bool Compatible(const Shape& lhs, const Shape& rhs);
// The same, and any element type.
bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_EQUALITY_H_
