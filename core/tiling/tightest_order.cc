// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tightest_order.h"
#include <algorithm>
#include <numeric>
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

bool Fits(const Tiling& tiling, const Shape& shape) {
  if (tiling.tiles.empty() || static_cast<int64_t>(tiling.tiles[0].dimensions.size()) > shape.rank()) return false;
  return (tiling.element_bits == 0 || tiling.element_bits == ElementSizeInBits(shape)) &&
         (tiling.rank == 0 || tiling.rank == shape.rank());
}

// Tries all orders of the candidate's dimensions. Keeps those that take fewer than `smallest` elements.
void TryOrders(Shape& candidate, int64_t& smallest, std::optional<Shape>& result) {
  std::vector<int64_t>& order = candidate.layout->minor_to_major;
  std::iota(order.begin(), order.end(), 0);
  do {
    const Expected<LayoutSizes> sizes = SizesOf(candidate);
    if (!sizes || sizes->padded_elements >= smallest) continue;
    smallest = sizes->padded_elements;
    result = candidate;
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace

std::optional<Shape> TightestOrder(const Shape& shape, std::span<const Tiling> tilings) {
  constexpr int64_t kMaxRank = 6;
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes || shape.rank() > kMaxRank) return std::nullopt;
  int64_t smallest = sizes->padded_elements;
  std::optional<Shape> result;
  Shape candidate = shape;
  candidate.layout->split_configs.clear();  // splits name physical dimensions, which change with the order
  TryOrders(candidate, smallest, result);
  for (const Tiling& tiling : tilings) {
    if (!Fits(tiling, shape)) continue;
    candidate.layout->tiles = tiling.tiles;
    TryOrders(candidate, smallest, result);
  }
  return result;
}

}  // namespace layoutcheck
