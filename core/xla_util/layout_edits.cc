// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/layout_edits.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
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

}  // namespace

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

Shape ClearTiles(Shape shape) {
  ForEachArray(shape, [](Shape& array) {
    if (array.layout) array.layout->tiles.clear();
  });
  return shape;
}

}  // namespace layoutcheck
