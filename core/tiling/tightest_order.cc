// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tightest_order.h"
#include <algorithm>
#include <numeric>
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {

std::optional<Shape> TightestOrder(const Shape& shape) {
  constexpr int64_t kMaxRank = 6;
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes || shape.rank() > kMaxRank) return std::nullopt;
  int64_t smallest = sizes->padded_elements;
  std::optional<Shape> result;
  Shape candidate = shape;
  candidate.layout->split_configs.clear();  // splits name physical dimensions, which change with the order
  std::vector<int64_t>& order = candidate.layout->minor_to_major;
  std::iota(order.begin(), order.end(), 0);
  do {
    const Expected<LayoutSizes> candidate_sizes = SizesOf(candidate);
    if (!candidate_sizes || candidate_sizes->padded_elements >= smallest) continue;
    smallest = candidate_sizes->padded_elements;
    result = candidate;
  } while (std::ranges::next_permutation(order).found);
  return result;
}

}  // namespace layoutcheck
