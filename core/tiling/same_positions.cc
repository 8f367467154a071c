// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/same_positions.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/digit_sum.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using GroupDimensions = std::vector<int64_t> DimensionGroup::*;

// Returns the weight of each dimension of one array in the element number, for groups listed from major to minor.
// Requires that the number of elements fits int64.
std::vector<int64_t> Weights(const TiledLayout& layout, std::span<const DimensionGroup> groups, GroupDimensions side,
                             std::span<const size_t> group_order) {
  std::vector<int64_t> weights(layout.dimensions.size());
  int64_t weight = 1;
  for (size_t k = group_order.size(); k-- > 0;) {
    const std::vector<int64_t>& dimensions = groups[group_order[k]].*side;
    for (size_t i = dimensions.size(); i-- > 0;) {
      const auto d = static_cast<size_t>(dimensions[i]);
      weights[d] = weight;
      weight *= layout.dimensions[d];
    }
  }
  return weights;
}

// Returns the groups from major to minor, ordered by the place in memory of their first dimension of size > 1.
std::vector<size_t> MemoryOrder(const TiledLayout& layout, std::span<const DimensionGroup> groups,
                                GroupDimensions side) {
  std::vector<int64_t> position(groups.size(), layout.rank());
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const int64_t d : groups[g].*side) {
      if (layout.dimensions[static_cast<size_t>(d)] == 1) continue;
      const auto minor = std::ranges::find(layout.minor_to_major, d) - layout.minor_to_major.begin();
      position[g] = layout.rank() - 1 - minor;
      break;
    }
  }
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t g) { return position[g]; });
  return order;
}

// Returns the dimensions of one array from the slowest to the fastest one while elements are counted.
std::vector<size_t> CountingOrder(std::span<const DimensionGroup> groups, GroupDimensions side) {
  std::vector<size_t> order;
  for (const DimensionGroup& group : groups) {
    for (const int64_t d : group.*side) order.push_back(static_cast<size_t>(d));
  }
  return order;
}

// Steps to the next element; `order` lists the dimensions from the slowest to the fastest.
void StepInOrder(std::span<const int64_t> dimensions, std::span<const size_t> order, std::span<int64_t> index) {
  for (size_t k = order.size(); k-- > 0;) {
    int64_t& coordinate = index[order[k]];
    if (++coordinate < dimensions[order[k]]) return;
    coordinate = 0;
  }
}

Expected<bool> CompareElements(const TiledIndex& index_a, const TiledIndex& index_b, const TiledLayout& a,
                               const TiledLayout& b, std::span<const DimensionGroup> groups, int64_t elements) {
  const std::vector<size_t> order_a = CountingOrder(groups, &DimensionGroup::a);
  const std::vector<size_t> order_b = CountingOrder(groups, &DimensionGroup::b);
  std::vector<int64_t> at_a(a.dimensions.size(), 0);
  std::vector<int64_t> at_b(b.dimensions.size(), 0);
  for (int64_t n = 0; n < std::min(elements, kMaxComparedElements); ++n) {
    if (index_a(at_a) != index_b(at_b)) return false;
    StepInOrder(a.dimensions, order_a, at_a);
    StepInOrder(b.dimensions, order_b, at_b);
  }
  if (elements <= kMaxComparedElements) return true;
  return MakeError(ErrorKind::kUnsupported,
                   StrCat("a combined dimension is cut where its parts are not: the first ", kMaxComparedElements,
                          " of ", elements, " elements have the same positions, more are not compared"));
}

}  // namespace

Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups) {
  const auto index_a = MakeTiledIndex(a);
  if (!index_a) return std::unexpected(index_a.error());
  const auto index_b = MakeTiledIndex(b);
  if (!index_b) return std::unexpected(index_b.error());
  int64_t elements = 1;  // fits: at most the padded element count
  for (const int64_t size : a.dimensions) elements *= size;

  std::vector<size_t> as_given(groups.size());
  std::iota(as_given.begin(), as_given.end(), size_t{0});
  const std::array<std::vector<size_t>, 3> orders = {MemoryOrder(a, groups, &DimensionGroup::a),
                                                     MemoryOrder(b, groups, &DimensionGroup::b), std::move(as_given)};
  for (const std::vector<size_t>& order : orders) {
    const auto sum_a = PositionsAsDigitSum(a, Weights(a, groups, &DimensionGroup::a, order));
    if (!sum_a) return std::unexpected(sum_a.error());
    const auto sum_b = PositionsAsDigitSum(b, Weights(b, groups, &DimensionGroup::b, order));
    if (!sum_b) return std::unexpected(sum_b.error());
    if (*sum_a && *sum_b) return SameFunction(**sum_a, **sum_b);
  }
  return CompareElements(*index_a, *index_b, a, b, groups, elements);
}

}  // namespace layoutcheck
