// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <vector>

namespace layoutcheck {

struct TreemapBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// Divides a box of width x height into boxes whose areas are as the weights, nearly square: a squarified treemap
// (Bruls, Huizing and van Wijk, 2000). Returns one box per weight, in their order. Requires weights that are positive
// and do not increase.
std::vector<TreemapBox> Treemap(std::span<const double> weights, double width, double height);

}  // namespace layoutcheck
