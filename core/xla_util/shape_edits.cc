// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/shape_edits.h"
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

Expected<void> ValidateArray(const Shape& shape) {
  if (!shape.IsArray()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected an array, not a shape of type ", ElementTypeName(shape.element_type)));
  }
  if (shape.dynamic_dimensions.size() != shape.dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(shape.dynamic_dimensions.size(), " dynamic flags for ", shape.rank(), " dimensions"));
  }
  if (shape.layout) {
    if (auto valid = ValidatePermutation(shape.layout->minor_to_major, shape.rank()); !valid) {
      return MakeError(ErrorKind::kInvalidLayout, StrCat("minor_to_major: ", valid.error().message));
    }
  }
  return {};
}

Expected<void> ValidateArrayWithLayout(const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return valid;
  if (!shape.layout) return MakeError(ErrorKind::kInvalidArgument, "the array has no layout");
  return {};
}

Expected<void> ValidateDimension(const Shape& shape, int64_t dimension) {
  if (dimension < 0 || dimension >= shape.rank()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("dimension ", dimension, " does not exist, expected [0,", shape.rank(), ")"));
  }
  return {};
}

Expected<void> ValidateBound(int64_t bound) {
  if (bound < 0) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("the size of a new dimension is ", bound, ", expected >= 0"));
  }
  return {};
}

// Returns the shape with static dimensions of these sizes inserted before dimension `at`. The layout stays unchanged.
Shape WithNewDimensions(const Shape& shape, int64_t at, std::span<const int64_t> bounds) {
  Shape result = shape;
  result.dimensions.insert(result.dimensions.begin() + at, bounds.begin(), bounds.end());
  result.dynamic_dimensions.insert(result.dynamic_dimensions.begin() + at, bounds.size(), false);
  return result;
}

}  // namespace

Expected<Shape> PermuteDimensionsIgnoringLayout(std::span<const int64_t> permutation, const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  auto dimensions = Permute(shape.dimensions, permutation);
  if (!dimensions) return std::unexpected(std::move(dimensions).error());
  Shape result = shape;
  result.dimensions = *std::move(dimensions);
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
  if (auto valid = ValidateArrayWithLayout(shape); !valid) return std::unexpected(std::move(valid).error());
  const std::vector<int64_t> major_to_minor(shape.layout->minor_to_major.rbegin(), shape.layout->minor_to_major.rend());
  auto result = PermuteDimensions(major_to_minor, shape);
  if (!result) return result;
  result->layout->split_configs.clear();
  result->layout->dynamic_shape_metadata_prefix_bytes = 0;
  return result;
}

Expected<Shape> DeleteDimension(int64_t dimension, const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateDimension(shape, dimension); !valid) return std::unexpected(std::move(valid).error());
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
    return MakeError(ErrorKind::kInvalidArgument, StrCat("dimension ", *twice, " is deleted twice"));
  }
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  Expected<Shape> result = shape;
  for (const int64_t dimension : descending) {
    result = DeleteDimension(dimension, *result);
    if (!result) break;
  }
  return result;
}

Expected<Shape> FilterDimensions(const std::function<bool(int64_t)>& keep, const Shape& shape) {
  std::vector<int64_t> deleted;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (!keep(d)) deleted.push_back(d);
  }
  return DeleteDimensions(deleted, shape);
}

Expected<Shape> DropDegenerateDimensions(const Shape& shape) {
  return FilterDimensions([&](int64_t d) { return shape.dimensions[static_cast<size_t>(d)] != 1; }, shape);
}

Expected<Shape> AppendMajorDimension(int64_t bound, const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateBound(bound); !valid) return std::unexpected(std::move(valid).error());
  Shape result = WithNewDimensions(shape, shape.rank(), {&bound, 1});
  if (result.layout) {
    result.layout->minor_to_major.push_back(shape.rank());
    for (SplitConfig& config : result.layout->split_configs) ++config.dimension;
  }
  return result;
}

Expected<Shape> AppendMinorDimension(int64_t bound, const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateBound(bound); !valid) return std::unexpected(std::move(valid).error());
  Shape result = WithNewDimensions(shape, shape.rank(), {&bound, 1});
  if (result.layout) result.layout->minor_to_major.insert(result.layout->minor_to_major.begin(), shape.rank());
  return result;
}

Expected<Shape> PrependMajorDimension(int64_t bound, const Shape& shape) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  if (auto valid = ValidateBound(bound); !valid) return std::unexpected(std::move(valid).error());
  Shape result = WithNewDimensions(shape, 0, {&bound, 1});
  if (shape.layout) {
    result.layout = Layout(shape.layout->minor_to_major);
    for (int64_t& d : result.layout->minor_to_major) ++d;
    result.layout->minor_to_major.push_back(0);
  }
  return result;
}

Expected<Shape> InsertDimensionAtIndex(const Shape& shape, int64_t at, int64_t bound) {
  return InsertDimensionsAtIndex(shape, at, {&bound, 1});
}

Expected<Shape> InsertDimensionsAtIndex(const Shape& shape, int64_t at, std::span<const int64_t> bounds) {
  if (auto valid = ValidateArray(shape); !valid) return std::unexpected(std::move(valid).error());
  for (const int64_t bound : bounds) {
    if (auto valid = ValidateBound(bound); !valid) return std::unexpected(std::move(valid).error());
  }
  if (at < 0 || at > shape.rank()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("dimensions cannot be inserted at ", at, ", expected [0,", shape.rank(), "]"));
  }
  Shape result = WithNewDimensions(shape, at, bounds);
  if (!shape.layout) return result;
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
  result.layout = Layout(std::move(order));
  return result;
}

}  // namespace layoutcheck
