// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/shape_edits.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

Expected<void> ValidateArray(const Shape& shape) {
  if (!shape.IsArray()) {
    return ArgumentError("expected an array, not a shape of type ", ElementTypeName(shape.element_type));
  }
  if (shape.dynamic_dimensions.size() != shape.dimensions.size()) {
    return ArgumentError(shape.dynamic_dimensions.size(), " dynamic flags for ", shape.rank(), " dimensions");
  }
  if (shape.layout) {
    if (auto valid = ValidatePermutation(shape.layout->minor_to_major, shape.rank()); !valid) {
      return LayoutError("minor_to_major: ", valid.error().message);
    }
  }
  return {};
}

Expected<void> ValidateDimension(int64_t dimension, int64_t rank) {
  if (dimension >= 0 && dimension < rank) return {};
  return ArgumentError("dimension ", dimension, " does not exist, expected [0,", rank, ")");
}

// Returns the shape with static dimensions of these sizes inserted before dimension `at`. The layout stays unchanged.
Expected<Shape> WithNewDimensions(const Shape& shape, int64_t at, std::span<const int64_t> bounds) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateArray(shape));
  for (const int64_t bound : bounds) {
    if (bound < 0) return ArgumentError("the size of a new dimension is ", bound, ", expected >= 0");
  }
  if (at < 0 || at > shape.rank()) {
    return ArgumentError("dimensions cannot be inserted at ", at, ", expected [0,", shape.rank(), "]");
  }
  Shape result = shape;
  result.dimensions.insert(result.dimensions.begin() + at, bounds.begin(), bounds.end());
  result.dynamic_dimensions.insert(result.dynamic_dimensions.begin() + at, bounds.size(), false);
  return result;
}

Expected<void> ValidateOrderAndDimension(const Layout& layout, int64_t dimension) {
  if (auto valid = ValidatePermutation(layout.minor_to_major, layout.rank()); !valid) {
    return LayoutError("minor_to_major: ", valid.error().message);
  }
  return ValidateDimension(dimension, layout.rank());
}

// Returns the physical position of a logical dimension. Requires a valid order.
int64_t PhysicalPosition(const Layout& layout, int64_t dimension) {
  const auto at = std::ranges::find(layout.minor_to_major, dimension);
  return layout.rank() - 1 - (at - layout.minor_to_major.begin());
}

// Moves a dimension to the physical position `to`.
Expected<Layout> MoveDimension(const Layout& layout, int64_t dimension, int64_t to) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateOrderAndDimension(layout, dimension));
  const int64_t from = PhysicalPosition(layout, dimension);
  Layout result = layout;
  std::vector<int64_t>& order = result.minor_to_major;
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

using Arguments = std::span<const int64_t>;

Expected<Shape> EditLayout(const Shape& shape, int64_t dimension,
                           Expected<Layout> (*edit)(const Layout& layout, int64_t dimension)) {
  if (!shape.IsArray() || !shape.layout) return ArgumentError("expected an array with a layout");
  LAYOUTCHECK_TRY(auto layout, edit(*shape.layout, dimension));
  Shape result = shape;
  result.layout = std::move(layout);
  return result;
}

struct NamedEdit {
  static constexpr size_t kAny = static_cast<size_t>(-1);

  std::string_view name;
  size_t arguments;  // their number, or kAny
  Expected<Shape> (*apply)(const Shape& shape, Arguments arguments);
};

constexpr NamedEdit kEdits[] = {
    {"move-dim-to-major", 1, [](const Shape& s, Arguments a) { return EditLayout(s, a[0], MoveDimToMajor); }},
    {"move-dim-to-minor", 1, [](const Shape& s, Arguments a) { return EditLayout(s, a[0], MoveDimToMinor); }},
    {"permute-dimensions", NamedEdit::kAny, [](const Shape& s, Arguments a) { return PermuteDimensions(a, s); }},
    {"descending-layout", 0,
     [](const Shape& s, Arguments) { return MakeShapeWithDescendingLayoutAndSamePhysicalLayout(s); }},
    {"delete-dimensions", NamedEdit::kAny, [](const Shape& s, Arguments a) { return DeleteDimensions(a, s); }},
    {"drop-unit-dimensions", 0, [](const Shape& s, Arguments) { return DropDegenerateDimensions(s); }},
    {"append-major-dimension", 1, [](const Shape& s, Arguments a) { return AppendMajorDimension(a[0], s); }},
    {"append-minor-dimension", 1, [](const Shape& s, Arguments a) { return AppendMinorDimension(a[0], s); }},
    {"prepend-major-dimension", 1, [](const Shape& s, Arguments a) { return PrependMajorDimension(a[0], s); }},
    {"insert-dimension", 2, [](const Shape& s, Arguments a) { return InsertDimensionAtIndex(s, a[0], a[1]); }},
    {"clear-tiles", 0, [](const Shape& s, Arguments) { return Expected<Shape>(ClearTiles(s)); }},
};

}  // namespace

Expected<Shape> PermuteDimensionsIgnoringLayout(std::span<const int64_t> permutation, const Shape& shape) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateArray(shape));
  LAYOUTCHECK_TRY(auto dimensions, Permute(shape.dimensions, permutation));
  Shape result = shape;
  result.dimensions = std::move(dimensions);
  result.dynamic_dimensions = *Permute(shape.dynamic_dimensions, permutation);
  return result;
}

Expected<Shape> PermuteDimensions(std::span<const int64_t> permutation, const Shape& shape) {
  auto result = PermuteDimensionsIgnoringLayout(permutation, shape);
  if (result && result->layout) {
    result->layout->minor_to_major =
        *ComposePermutations(*InversePermutation(permutation), shape.layout->minor_to_major);
  }
  return result;
}

Expected<Shape> MakeShapeWithDescendingLayoutAndSamePhysicalLayout(const Shape& shape) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateArray(shape));
  if (!shape.layout) return ArgumentError("the array has no layout");
  const std::vector<int64_t> major_to_minor(shape.layout->minor_to_major.rbegin(), shape.layout->minor_to_major.rend());
  LAYOUTCHECK_TRY(auto result, PermuteDimensions(major_to_minor, shape));
  result.layout->split_configs.clear();
  result.layout->dynamic_shape_metadata_prefix_bytes = 0;
  return result;
}

Expected<Shape> DeleteDimension(int64_t dimension, const Shape& shape) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateArray(shape));
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateDimension(dimension, shape.rank()));
  Shape result = shape;
  result.dimensions.erase(result.dimensions.begin() + dimension);
  result.dynamic_dimensions.erase(result.dynamic_dimensions.begin() + dimension);
  if (shape.layout) result.layout = *DeleteDimension(*shape.layout, dimension);
  return result;
}

Expected<Shape> DeleteDimensions(std::span<const int64_t> dimensions, const Shape& shape) {
  std::vector<int64_t> descending(dimensions.begin(), dimensions.end());
  std::ranges::sort(descending, std::greater<>());
  if (const auto twice = std::ranges::adjacent_find(descending); twice != descending.end()) {
    return ArgumentError("dimension ", *twice, " is deleted twice");
  }
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateArray(shape));
  Expected<Shape> result = shape;
  for (const int64_t dimension : descending) {
    result = DeleteDimension(dimension, *result);
    if (!result) break;
  }
  return result;
}

Expected<Shape> DropDegenerateDimensions(const Shape& shape) {
  std::vector<int64_t> degenerate;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.dimensions[static_cast<size_t>(d)] == 1) degenerate.push_back(d);
  }
  return DeleteDimensions(degenerate, shape);
}

Expected<Shape> AppendMajorDimension(int64_t bound, const Shape& shape) {
  Expected<Shape> result = WithNewDimensions(shape, shape.rank(), {&bound, 1});
  if (!result || !result->layout) return result;
  result->layout->minor_to_major.push_back(shape.rank());
  for (SplitConfig& config : result->layout->split_configs) ++config.dimension;
  return result;
}

Expected<Shape> AppendMinorDimension(int64_t bound, const Shape& shape) {
  Expected<Shape> result = WithNewDimensions(shape, shape.rank(), {&bound, 1});
  if (!result || !result->layout) return result;
  result->layout->minor_to_major.insert(result->layout->minor_to_major.begin(), shape.rank());
  return result;
}

Expected<Shape> PrependMajorDimension(int64_t bound, const Shape& shape) {
  Expected<Shape> result = WithNewDimensions(shape, 0, {&bound, 1});
  if (!result || !result->layout) return result;
  result->layout = Layout(shape.layout->minor_to_major);
  for (int64_t& d : result->layout->minor_to_major) ++d;
  result->layout->minor_to_major.push_back(0);
  return result;
}

Expected<Shape> InsertDimensionAtIndex(const Shape& shape, int64_t at, int64_t bound) {
  return InsertDimensionsAtIndex(shape, at, {&bound, 1});
}

Expected<Shape> InsertDimensionsAtIndex(const Shape& shape, int64_t at, std::span<const int64_t> bounds) {
  Expected<Shape> result = WithNewDimensions(shape, at, bounds);
  if (!result || !result->layout) return result;
  const auto count = static_cast<int64_t>(bounds.size());
  std::vector<int64_t> order;
  const auto append_new = [&] {
    for (int64_t d = at + count - 1; d >= at; --d) order.push_back(d);
  };
  if (at == shape.rank()) append_new();
  for (const int64_t d : shape.layout->minor_to_major) {
    order.push_back(d < at ? d : d + count);
    if (d == at) append_new();
  }
  result->layout = Layout(std::move(order));
  return result;
}

Expected<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension) { return MoveDimension(layout, dimension, 0); }

Expected<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension) {
  return MoveDimension(layout, dimension, layout.rank() - 1);
}

Expected<Layout> DeleteDimension(const Layout& layout, int64_t dimension) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateOrderAndDimension(layout, dimension));
  const int64_t position = PhysicalPosition(layout, dimension);
  Layout result = layout;
  std::erase(result.minor_to_major, dimension);
  for (int64_t& other : result.minor_to_major) other -= other > dimension ? 1 : 0;
  std::erase_if(result.split_configs, [&](const SplitConfig& config) { return config.dimension == position; });
  for (SplitConfig& config : result.split_configs) config.dimension -= config.dimension > position ? 1 : 0;
  return result;
}

Shape ClearTiles(Shape shape) {
  if (shape.IsArray() && shape.layout) shape.layout->tiles.clear();
  for (Shape& element : shape.elements) element = ClearTiles(std::move(element));
  return shape;
}

Expected<Shape> ApplyEdit(std::string_view name, const Shape& shape, Arguments arguments) {
  const auto* const edit = std::ranges::find(kEdits, name, &NamedEdit::name);
  if (edit == std::end(kEdits)) return UnsupportedError("no edit \"", name, "\"");
  if (edit->arguments != NamedEdit::kAny && edit->arguments != arguments.size()) {
    return ArgumentError(name, " has ", arguments.size(), " arguments, expected ", edit->arguments);
  }
  return edit->apply(shape, arguments);
}

}  // namespace layoutcheck
