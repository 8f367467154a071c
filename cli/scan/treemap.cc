// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/treemap.h"
#include <algorithm>
#include <cstddef>
#include <numeric>

namespace layoutcheck {
namespace {

// Returns the largest ratio of sides in a row along a side: areas from `largest` to `smallest`, together `sum`.
double WorstRatio(double largest, double smallest, double sum, double side) {
  const double square = side * side;
  return std::max(square * largest / (sum * sum), sum * sum / (square * smallest));
}

}  // namespace

std::vector<TreemapBox> Treemap(std::span<const double> weights, double width, double height) {
  std::vector<TreemapBox> boxes;
  boxes.reserve(weights.size());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double scale = total > 0 ? width * height / total : 0;
  TreemapBox free{0, 0, width, height};
  while (boxes.size() < weights.size()) {
    // A row grows along the shorter side as long as its worst ratio falls.
    const size_t first = boxes.size();
    const double side = std::min(free.width, free.height);
    const double largest = weights[first] * scale;
    double sum = largest;
    size_t end = first + 1;
    for (; end < weights.size(); ++end) {
      const double area = weights[end] * scale;
      if (WorstRatio(largest, area, sum + area, side) > WorstRatio(largest, weights[end - 1] * scale, sum, side)) break;
      sum += area;
    }
    const double thickness = side > 0 ? sum / side : 0;
    const bool is_column = free.width >= free.height;
    double along = is_column ? free.y : free.x;
    for (size_t k = first; k < end; ++k) {
      const double length = thickness > 0 ? weights[k] * scale / thickness : 0;
      boxes.push_back(is_column ? TreemapBox{free.x, along, thickness, length}
                                : TreemapBox{along, free.y, length, thickness});
      along += length;
    }
    (is_column ? free.x : free.y) += thickness;
    double& rest = is_column ? free.width : free.height;
    rest = std::max(0.0, rest - thickness);
  }
  return boxes;
}

}  // namespace layoutcheck
