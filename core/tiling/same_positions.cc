// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/same_positions.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using GroupDimensions = std::vector<int64_t> DimensionGroup::*;

// Returns the weight of each dimension of one array in the element number, for groups listed from major to minor.
// Requires that the number of elements fits int64.
std::vector<int64_t> Weights(const PositionedArray& array, std::span<const DimensionGroup> groups, GroupDimensions side,
                             std::span<const size_t> group_order) {
  std::vector<int64_t> weights(array.dimensions.size());
  int64_t weight = 1;
  for (size_t k = group_order.size(); k-- > 0;) {
    const std::vector<int64_t>& dimensions = groups[group_order[k]].*side;
    for (size_t i = dimensions.size(); i-- > 0;) {
      const auto d = static_cast<size_t>(dimensions[i]);
      weights[d] = weight;
      weight *= array.dimensions[d];
    }
  }
  return weights;
}

// Returns the groups from major to minor, ordered by the place in memory of their first dimension of size > 1.
std::vector<size_t> MemoryOrder(const PositionedArray& array, std::span<const DimensionGroup> groups,
                                GroupDimensions side) {
  const auto rank = static_cast<std::ptrdiff_t>(array.dimensions.size());
  std::vector<std::ptrdiff_t> position(groups.size(), rank);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const int64_t d : groups[g].*side) {
      if (array.dimensions[static_cast<size_t>(d)] == 1) continue;
      position[g] = std::ranges::find(array.major_to_minor, d) - array.major_to_minor.begin();
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

std::vector<size_t> AsGiven(std::span<const DimensionGroup> groups) {
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

int64_t ElementsOf(const PositionedArray& array) {
  int64_t elements = 1;
  for (const int64_t size : array.dimensions) elements *= size;
  return elements;
}

// Returns the first element, counted in the order of the groups, that moves. Errors: as of SamePositions.
Expected<std::optional<MovedElement>> CompareElements(const PositionedArray& a, const PositionedArray& b,
                                                      std::span<const DimensionGroup> groups) {
  const int64_t elements = ElementsOf(a);
  const std::vector<size_t> order_a = CountingOrder(groups, &DimensionGroup::a);
  const std::vector<size_t> order_b = CountingOrder(groups, &DimensionGroup::b);
  std::vector<int64_t> at_a(a.dimensions.size(), 0);
  std::vector<int64_t> at_b(b.dimensions.size(), 0);
  for (int64_t n = 0; n < std::min(elements, kMaxComparedElements); ++n) {
    if (a.position(at_a) != b.position(at_b)) return MovedElement{at_a, at_b, true};
    StepInOrder(a.dimensions, order_a, at_a);
    StepInOrder(b.dimensions, order_b, at_b);
  }
  if (elements <= kMaxComparedElements) return std::nullopt;
  return UnsupportedError("the positions are no digit sums of one number: the first ", kMaxComparedElements, " of ",
                          elements, " elements have the same positions, more are not compared");
}

// The positions in both arrays as functions of one number, by which the elements are numbered.
struct Numbering {
  std::vector<size_t> order;  // of the groups, from major to minor
  DigitSum a;
  DigitSum b;
};

// Returns the first of the orders that gives digit sums, or nothing.
Expected<std::optional<Numbering>> NumberElements(const PositionedArray& a, const PositionedArray& b,
                                                  std::span<const DimensionGroup> groups,
                                                  const std::array<std::vector<size_t>, 3>& orders) {
  for (const std::vector<size_t>& order : orders) {
    LAYOUTCHECK_TRY(auto sum_a, a.digit_sum(Weights(a, groups, &DimensionGroup::a, order)));
    LAYOUTCHECK_TRY(auto sum_b, b.digit_sum(Weights(b, groups, &DimensionGroup::b, order)));
    if (sum_a && sum_b) return Numbering{order, *std::move(sum_a), *std::move(sum_b)};
  }
  return std::nullopt;
}

// Returns the function on [0, size).
DigitSum Beginning(const DigitSum& sum, int64_t size) {
  DigitSum result{size, sum.digits};
  std::erase_if(result.digits, [&](const WeightedDigit& digit) { return digit.weight >= size; });
  return result;
}

// Returns the least number at which the functions differ. Requires that they do.
Expected<int64_t> FirstDifference(const DigitSum& a, const DigitSum& b) {
  int64_t same = 1;  // a number of leading values that agree
  int64_t differ = a.size;
  while (same + 1 < differ) {
    const int64_t middle = same + (differ - same) / 2;
    LAYOUTCHECK_TRY(const auto agree, SameFunction(Beginning(a, middle), Beginning(b, middle)));
    (agree ? same : differ) = middle;
  }
  return differ - 1;
}

// Returns the index of the element of this number.
std::vector<int64_t> IndexOf(int64_t number, const PositionedArray& array, std::span<const DimensionGroup> groups,
                             GroupDimensions side, std::span<const size_t> order) {
  std::vector<int64_t> index = Weights(array, groups, side, order);
  for (size_t d = 0; d < index.size(); ++d) index[d] = number / index[d] % array.dimensions[d];
  return index;
}

}  // namespace

Expected<PositionedArray> PositionedArrayOf(const TiledLayout& layout) {
  LAYOUTCHECK_TRY(auto index, MakeTiledIndex(layout));
  return PositionedArray{layout.dimensions,
                         {layout.minor_to_major.rbegin(), layout.minor_to_major.rend()},
                         std::move(index),
                         [layout](std::span<const int64_t> weights) { return PositionsAsDigitSum(layout, weights); }};
}

Expected<bool> SamePositions(const PositionedArray& a, const PositionedArray& b,
                             std::span<const DimensionGroup> groups) {
  const std::vector<int64_t> first_a(a.dimensions.size(), 0);
  const std::vector<int64_t> first_b(b.dimensions.size(), 0);
  if (a.position(first_a) != b.position(first_b)) return false;
  LAYOUTCHECK_TRY(const auto numbering, NumberElements(a, b, groups,
                                                       {MemoryOrder(a, groups, &DimensionGroup::a),
                                                        MemoryOrder(b, groups, &DimensionGroup::b), AsGiven(groups)}));
  if (numbering) return SameFunction(numbering->a, numbering->b);
  LAYOUTCHECK_TRY(const auto moved, CompareElements(a, b, groups));
  return !moved;
}

Expected<bool> SamePositions(const TiledLayout& a, const TiledLayout& b, std::span<const DimensionGroup> groups) {
  LAYOUTCHECK_TRY(const auto array_a, PositionedArrayOf(a));
  LAYOUTCHECK_TRY(const auto array_b, PositionedArrayOf(b));
  return SamePositions(array_a, array_b, groups);
}

Expected<std::optional<MovedElement>> FindMovedElement(const PositionedArray& a, const PositionedArray& b,
                                                       std::span<const DimensionGroup> groups) {
  std::vector<int64_t> first_a(a.dimensions.size(), 0);
  std::vector<int64_t> first_b(b.dimensions.size(), 0);
  if (a.position(first_a) != b.position(first_b)) return MovedElement{std::move(first_a), std::move(first_b), true};
  const std::vector<size_t> as_given = AsGiven(groups);
  LAYOUTCHECK_TRY(const auto numbering, NumberElements(a, b, groups,
                                                       {as_given, MemoryOrder(a, groups, &DimensionGroup::a),
                                                        MemoryOrder(b, groups, &DimensionGroup::b)}));
  if (!numbering) return CompareElements(a, b, groups);
  const auto& [order, sum_a, sum_b] = *numbering;
  LAYOUTCHECK_TRY(const auto same, SameFunction(sum_a, sum_b));
  if (same) return std::nullopt;
  const bool is_first = order == as_given;
  if (!is_first) {
    if (auto moved = CompareElements(a, b, groups)) return moved;
  }
  LAYOUTCHECK_TRY(const auto number, FirstDifference(sum_a, sum_b));
  return MovedElement{IndexOf(number, a, groups, &DimensionGroup::a, order),
                      IndexOf(number, b, groups, &DimensionGroup::b, order), is_first};
}

}  // namespace layoutcheck
