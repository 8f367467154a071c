// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/validate.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

std::string DescribeRange(int64_t size) {
  return size == 0 ? "the shape has no dimensions" : StrCat("expected 0 to ", size - 1);
}

Expected<void> ValidateMinorToMajor(const Layout& layout, const Shape& shape) {
  const int64_t rank = shape.rank();
  if (layout.rank() != rank) {
    return LayoutError("layout minor_to_major field contains ", layout.rank(), " elements, but shape has ", rank,
                       " dimensions: {", StrJoin(layout.minor_to_major, ","), "}");
  }
  constexpr int64_t kBits = 64;
  uint64_t seen_first = 0;
  std::vector<bool> seen_later(rank > kBits ? static_cast<size_t>(rank - kBits) : 0);
  for (size_t k = 0; k < layout.minor_to_major.size(); ++k) {
    const int64_t d = layout.minor_to_major[k];
    if (d < 0 || d >= rank) {
      return LayoutError("layout minor_to_major field has out-of-bounds value ", d, " at position ", k, ": ",
                         DescribeRange(rank));
    }
    bool seen = false;
    if (d < kBits) {
      seen = (seen_first >> d & 1) != 0;
      seen_first |= uint64_t{1} << d;
    } else {
      seen = seen_later[static_cast<size_t>(d - kBits)];
      seen_later[static_cast<size_t>(d - kBits)] = true;
    }
    if (seen) {
      return LayoutError("layout minor_to_major field has duplicate values: dimension ", d, " again at position ", k);
    }
  }
  return {};
}

Expected<void> ValidateTiles(const Layout& layout) {
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const Tile& tile = layout.tiles[t];
    if (tile.dimensions.empty()) return LayoutError("layout has invalid tiles: tile ", t, " has no dimensions");
    for (size_t k = 0; k < tile.dimensions.size(); ++k) {
      const int64_t size = tile.dimensions[k];
      if (size > 0 || size == Tile::kCombineDimension) continue;
      return LayoutError("layout has invalid tiles: tile dimension ", size, " must be positive or '*' (tile ", t,
                         ", position ", k, ")");
    }
  }
  return {};
}

Expected<void> ValidateSplitIndices(const SplitConfig& split, int64_t size) {
  int64_t previous = 0;
  for (const int64_t index : split.split_indices) {
    if (index <= previous) {
      return LayoutError("split config split indices must be strictly increasing and positive: ", index, " after ",
                         previous, " in physical dimension ", split.dimension);
    }
    if (index >= size) {
      return LayoutError("split config split index is out of bounds: ", index, " in physical dimension ",
                         split.dimension, " of size ", size);
    }
    previous = index;
  }
  return {};
}

// Checks the split configs. Requires minor_to_major to be a permutation.
Expected<void> ValidateSplitConfigs(const Layout& layout, const Shape& shape) {
  for (size_t s = 0; s < layout.split_configs.size(); ++s) {
    const SplitConfig& split = layout.split_configs[s];
    if (split.dimension < 0 || split.dimension >= shape.rank()) {
      return LayoutError("split config has out-of-bounds physical dimension ", split.dimension, ": ",
                         DescribeRange(shape.rank()));
    }
    for (size_t earlier = 0; earlier < s; ++earlier) {
      if (layout.split_configs[earlier].dimension == split.dimension) {
        return LayoutError("split config has duplicate physical dimension ", split.dimension);
      }
    }
    const int64_t size = shape.dimensions[static_cast<size_t>(layout.Major(split.dimension))];
    if (Expected<void> indices = ValidateSplitIndices(split, size); !indices) return indices;
  }
  return {};
}

Expected<void> ValidateArrayDimensions(const Shape& shape) {
  if (shape.dynamic_dimensions.size() != shape.dimensions.size()) {
    return LayoutError("shape has ", shape.dimensions.size(), " dimensions, but ", shape.dynamic_dimensions.size(),
                       " dynamic flags");
  }
  CheckedInt64 elements = 1;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    const int64_t size = shape.dimensions[d];
    if (size == Shape::kUnboundedSize) {
      if (shape.dynamic_dimensions[d]) continue;
      return LayoutError("Invalid dimension size at index ", d, ": unbounded, but not dynamic");
    }
    if (size < 0) return LayoutError("Negative dimension at index ", d, ": ", size);
    elements = elements * size;
    // As in XLA, every step is checked: a later 0 does not undo an overflow.
    if (elements.overflow) return LayoutError("Dimensions overflow: int64 cannot hold their product up to index ", d);
  }
  if ((elements * ByteWidth(shape.element_type)).overflow) {
    return LayoutError("shape size may overflow int64: ", elements.value, " elements of ",
                       ByteWidth(shape.element_type), " bytes");
  }
  return {};
}

// Calls `check` on the shape and everything in it, outermost and leftmost first, up to the first error. It does not
// recur, because the nesting may exceed the call stack.
template <class Check>
Expected<void> CheckEverywhere(const Shape& shape, Check check) {
  if (shape.elements.empty()) return check(shape);
  struct Position {
    const Shape* shape;
    size_t next;
  };
  Expected<void> result = check(shape);
  std::vector<Position> stack = {{&shape, 0}};
  while (result && !stack.empty()) {
    if (stack.back().next == stack.back().shape->elements.size()) {
      stack.pop_back();
      continue;
    }
    const Shape& element = stack.back().shape->elements[stack.back().next++];
    result = check(element);
    if (!element.elements.empty()) stack.push_back({&element, 0});
  }
  if (!result) {
    constexpr size_t kDeepestNamed = 8;
    std::string path;
    for (size_t depth = 0; depth < stack.size() && depth < kDeepestNamed; ++depth) {
      if (stack[depth].next > 0) StrAppend(path, depth == 0 ? "" : ".", stack[depth].next - 1);
    }
    if (!path.empty())
      result.error().message += StrCat(" (element ", path, stack.size() > kDeepestNamed ? "..." : "", ")");
  }
  return result;
}

}  // namespace

Expected<void> ValidateLayoutForShape(const Layout& layout, const Shape& shape) {
  if (shape.IsTuple()) return LayoutError("a single Layout is not valid for tuple shapes");
  if (shape.IsBuffer() && shape.elements.size() == 1) return ValidateLayoutForShape(layout, shape.elements[0]);
  if (!shape.IsArray()) return {};
  if (Expected<void> order = ValidateMinorToMajor(layout, shape); !order) return order;
  if (layout.tail_padding_alignment_in_elements <= 0) {
    return LayoutError("layout tail_padding_alignment_in_elements field is <= 0: {",
                       layout.tail_padding_alignment_in_elements, "}");
  }
  if (layout.index_primitive_type) return LayoutError("layout has a index_primitive_type, but is not a sparse array");
  if (layout.pointer_primitive_type)
    return LayoutError("layout has a pointer_primitive_type, but is not a sparse array");
  if (!layout.physical_shape.empty()) return LayoutError("layout has a physical_shape, but is not a sparse array");
  if (Expected<void> tiles = ValidateTiles(layout); !tiles) return tiles;
  if (layout.element_size_in_bits < 0) {
    return LayoutError("layout element_size_in_bits field is negative: ", layout.element_size_in_bits);
  }
  return ValidateSplitConfigs(layout, shape);
}

Expected<void> ValidateDimensions(const Shape& shape) {
  const bool has_dimensions = !shape.dimensions.empty() || !shape.dynamic_dimensions.empty();
  if (shape.IsArray()) {
    if (!shape.elements.empty()) return LayoutError("an array shape has no elements");
    return ValidateArrayDimensions(shape);
  }
  if (!shape.IsTuple() && !shape.IsBuffer() && !shape.IsToken() && !shape.IsOpaque()) {
    return LayoutError("shape has the invalid element type ", static_cast<int>(shape.element_type));
  }
  if (has_dimensions) return LayoutError(ElementTypeName(shape.element_type), " shape must have no dimensions");
  if (shape.IsBuffer() && (shape.elements.size() != 1 || !shape.elements[0].IsArray())) {
    return LayoutError("buffer shape must hold one array");
  }
  if ((shape.IsToken() || shape.IsOpaque()) && !shape.elements.empty()) {
    return LayoutError(ElementTypeName(shape.element_type), " shape has no elements");
  }
  return {};
}

Expected<void> ValidateShape(const Shape& shape, MissingLayout missing_layout) {
  if (Expected<void> dimensions = CheckEverywhere(shape, ValidateDimensions); !dimensions) return dimensions;
  return CheckEverywhere(shape, [missing_layout](const Shape& part) -> Expected<void> {
    if (part.layout) return ValidateLayoutForShape(*part.layout, part);
    if (!part.IsArray() || missing_layout == MissingLayout::kAllowed) return {};
    return LayoutError("shape ", ToString(part), " does not have a layout");
  });
}

}  // namespace layoutcheck
