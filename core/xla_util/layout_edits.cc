// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/layout_edits.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

Expected<void> ValidateOrderAndDimension(const Layout& layout, int64_t dimension) {
  if (auto valid = ValidatePermutation(layout.minor_to_major, layout.rank()); !valid) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("minor_to_major: ", valid.error().message));
  }
  if (dimension < 0 || dimension >= layout.rank()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("dimension ", dimension, " does not exist, expected [0,", layout.rank(), ")"));
  }
  return {};
}

// Returns the physical position of a logical dimension. Requires a valid order.
int64_t PhysicalPosition(const Layout& layout, int64_t dimension) {
  const auto at = std::ranges::find(layout.minor_to_major, dimension);
  return layout.rank() - 1 - (at - layout.minor_to_major.begin());
}

// Moves physical position `from` to position `to`.
Layout MovePosition(const Layout& layout, int64_t from, int64_t to) {
  Layout result = layout;
  std::vector<int64_t>& order = result.minor_to_major;
  const int64_t dimension = layout.Major(from);
  order.erase(order.end() - 1 - from);
  order.insert(order.end() - to, dimension);
  for (SplitConfig& config : result.split_configs) {
    if (config.dimension == from) {
      config.dimension = to;
    } else if (from < config.dimension && config.dimension <= to) {
      --config.dimension;
    } else if (to <= config.dimension && config.dimension < from) {
      ++config.dimension;
    }
  }
  return result;
}

template <class Visitor>
void ForEachArray(Shape& shape, const Visitor& visit) {
  if (shape.IsArray()) visit(shape);
  for (Shape& element : shape.elements) ForEachArray(element, visit);
}
template <class Visitor>
void ForEachArray(const Shape& shape, const Visitor& visit) {
  if (shape.IsArray()) visit(shape);
  for (const Shape& element : shape.elements) ForEachArray(element, visit);
}

}  // namespace

Expected<std::vector<int64_t>> MakeLogicalToPhysical(const Layout& layout) {
  auto minor_positions = InversePermutation(layout.minor_to_major);
  if (!minor_positions) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("minor_to_major: ", minor_positions.error().message));
  }
  for (int64_t& position : *minor_positions) position = layout.rank() - 1 - position;
  return minor_positions;
}

bool IsMonotonicWithDim0Major(const Layout& layout) {
  return layout.minor_to_major == MakeDescendingLayout(layout.rank()).minor_to_major;
}

bool IsMonotonicWithDim0Minor(const Layout& layout) {
  return layout.minor_to_major == MakeAscendingLayout(layout.rank()).minor_to_major;
}

Expected<bool> AreDimensionsConsecutive(const Layout& layout, std::span<const int64_t> dimensions) {
  std::vector<int64_t> positions;
  for (const int64_t dimension : dimensions) {
    if (auto valid = ValidateOrderAndDimension(layout, dimension); !valid) {
      return std::unexpected(std::move(valid).error());
    }
    positions.push_back(PhysicalPosition(layout, dimension));
  }
  std::ranges::sort(positions);
  for (size_t i = 1; i < positions.size(); ++i) {
    if (positions[i] != positions[i - 1] + 1) return false;
  }
  return true;
}

Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension) {
  if (auto valid = ValidateOrderAndDimension(layout, dimension); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  return MovePosition(layout, PhysicalPosition(layout, dimension), 0);
}

Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension) {
  if (auto valid = ValidateOrderAndDimension(layout, dimension); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  return MovePosition(layout, PhysicalPosition(layout, dimension), layout.rank() - 1);
}

Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension) {
  if (auto valid = ValidateOrderAndDimension(layout, dimension); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  const int64_t position = PhysicalPosition(layout, dimension);
  Layout result = layout;
  std::erase(result.minor_to_major, dimension);
  for (int64_t& other : result.minor_to_major) other -= other > dimension ? 1 : 0;
  std::erase_if(result.split_configs, [&](const SplitConfig& config) { return config.dimension == position; });
  for (SplitConfig& config : result.split_configs) config.dimension -= config.dimension > position ? 1 : 0;
  return result;
}

Expected<bool> IsUntiledLayout(std::span<const Tile> tiles, std::span<const int64_t> physical_shape) {
  const auto rank = static_cast<int64_t>(physical_shape.size());
  Layout layout = MakeDescendingLayout(rank);
  layout.tiles.assign(tiles.begin(), tiles.end());
  const Shape shape = Shape::Array(ElementType::kS8, {physical_shape.begin(), physical_shape.end()}, std::move(layout));
  const auto tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  // An empty array has no element to move and no tile to pad.
  if (std::ranges::find(physical_shape, 0) != physical_shape.end()) return true;
  const auto index = MakeTiledIndex(*tiled);
  if (!index) return std::unexpected(index.error());
  int64_t elements = 1;  // does not overflow, because it is at most the padded element count
  std::vector<DimensionGroup> groups;
  for (int64_t d = 0; d < rank; ++d) {
    elements *= physical_shape[static_cast<size_t>(d)];
    groups.push_back({{d}, {d}});
  }
  if (index->padded_elements() != elements) return false;
  return SamePositions(*tiled, {tiled->dimensions, tiled->minor_to_major, {}}, groups);
}

bool HasCustomElementSizeInBits(const Shape& shape) {
  bool found = false;
  ForEachArray(shape, [&](const Shape& array) {
    if (array.layout && array.layout->element_size_in_bits != 0) found = true;
  });
  return found;
}

Expected<int64_t> MaxSplitSize(const Shape& shape, int64_t dimension) {
  if (!shape.IsArray() || !shape.layout) {
    return MakeError(ErrorKind::kInvalidArgument, "expected an array with a layout");
  }
  if (auto valid = ValidateLayoutForShape(*shape.layout, shape); !valid) return std::unexpected(valid.error());
  if (auto valid = ValidateOrderAndDimension(*shape.layout, dimension); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  const int64_t size = shape.dimensions[static_cast<size_t>(dimension)];
  if (size < 0) {
    return MakeError(ErrorKind::kUnsupported, StrCat("dimension ", dimension, " is unbounded, its size is not known"));
  }
  const int64_t position = PhysicalPosition(*shape.layout, dimension);
  for (const SplitConfig& config : shape.layout->split_configs) {
    if (config.dimension != position) continue;
    int64_t largest = 0;
    int64_t begin = 0;
    for (const int64_t end : config.split_indices) {
      largest = std::max(largest, end - begin);
      begin = end;
    }
    return std::max(largest, size - begin);
  }
  return size;
}

Expected<int64_t> MaxElementsInPerSplit(const Shape& shape) {
  CheckedInt64 product = 1;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const auto largest = MaxSplitSize(shape, d);
    if (!largest) return largest;
    if (*largest == 0) return 0;
    product = product * *largest;
  }
  if (shape.rank() == 0 && (!shape.IsArray() || !shape.layout)) {
    return MakeError(ErrorKind::kInvalidArgument, "expected an array with a layout");
  }
  return ValueOrOverflow(product, "the number of elements in a split");
}

Layout ClearTiles(Layout layout) {
  layout.tiles.clear();
  return layout;
}

Shape ClearTiles(Shape shape) {
  ForEachArray(shape, [](Shape& array) {
    if (array.layout) array.layout->tiles.clear();
  });
  return shape;
}

Shape ClearLayout(Shape shape) {
  ForEachArray(shape, [](Shape& array) { array.layout.reset(); });
  return shape;
}

Expected<Layout> GetDefaultLayoutForShape(const Shape& shape) {
  if (!shape.IsArray()) {
    return MakeError(ErrorKind::kInvalidArgument, "only an array has a default layout");
  }
  return MakeDescendingLayout(shape.rank());
}

Shape SetToDefaultLayout(Shape shape) {
  ForEachArray(shape, [](Shape& array) { array.layout = MakeDescendingLayout(array.rank()); });
  return shape;
}

bool HasLayout(const Shape& shape) {
  bool missing = false;
  ForEachArray(shape, [&](const Shape& array) { missing = missing || !array.layout; });
  return !missing;
}

bool HasAnyLayout(const Shape& shape) {
  bool found = false;
  ForEachArray(shape, [&](const Shape& array) { found = found || array.layout; });
  return found;
}

Expected<Shape> CopyLayoutBetweenShapes(const Shape& from, const Shape& to) {
  if (from.IsArray() != to.IsArray() || from.IsTuple() != to.IsTuple() || from.IsBuffer() != to.IsBuffer() ||
      from.elements.size() != to.elements.size()) {
    return MakeError(ErrorKind::kInvalidArgument, "layouts are copied between shapes of the same tuple structure");
  }
  if (from.rank() != to.rank()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("a layout of ", from.rank(), " dimensions does not fit ", to.rank(), " dimensions"));
  }
  Shape result = to;
  result.layout = from.layout;
  for (size_t i = 0; i < to.elements.size(); ++i) {
    auto element = CopyLayoutBetweenShapes(from.elements[i], to.elements[i]);
    if (!element) return element;
    result.elements[i] = *std::move(element);
  }
  return result;
}

bool LayoutsInShapesEqual(const Shape& lhs, const Shape& rhs, const LayoutEqualOptions& options) {
  if (lhs.IsArray() != rhs.IsArray() || lhs.IsTuple() != rhs.IsTuple() || lhs.IsBuffer() != rhs.IsBuffer() ||
      lhs.elements.size() != rhs.elements.size() || lhs.rank() != rhs.rank()) {
    return false;
  }
  for (size_t i = 0; i < lhs.elements.size(); ++i) {
    if (!LayoutsInShapesEqual(lhs.elements[i], rhs.elements[i], options)) return false;
  }
  if (!lhs.layout || !rhs.layout) return !lhs.layout && !rhs.layout;
  return Equal(*lhs.layout, *rhs.layout, options);
}

Expected<bool> ByteStridesIsMajorToMinor(std::span<const int64_t> byte_strides, std::span<const int64_t> dimensions,
                                         ElementType element_type) {
  if (byte_strides.size() != dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(byte_strides.size(), " strides for ", dimensions.size(), " dimensions"));
  }
  if (!IsArrayElementType(element_type)) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("there are no arrays of ", ElementTypeName(element_type)));
  }
  CheckedInt64 stride = ByteWidth(element_type);
  for (size_t d = dimensions.size(); d-- > 0;) {
    const auto expected = ValueOrOverflow(stride, StrCat("the stride of dimension ", d));
    if (!expected) return std::unexpected(expected.error());
    if (byte_strides[d] != *expected) return false;
    stride = stride * dimensions[d];
  }
  return true;
}

}  // namespace layoutcheck
