// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/scan/treemap.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace layoutcheck {
namespace {

double Area(const TreemapBox& box) { return box.width * box.height; }

TEST(Treemap, TheExampleOfThePaper) {
  // Bruls, Huizing and van Wijk divide 6 x 4 into areas of 6, 6, 4, 3, 2, 2, 1; two squares come first, side by side.
  const std::vector<double> weights = {6, 6, 4, 3, 2, 2, 1};
  const std::vector<TreemapBox> boxes = Treemap(weights, 6, 4);
  ASSERT_EQ(boxes.size(), 7U);
  EXPECT_DOUBLE_EQ(boxes[0].width, 3);
  EXPECT_DOUBLE_EQ(boxes[0].height, 2);
  EXPECT_DOUBLE_EQ(boxes[1].y, 2);
  EXPECT_DOUBLE_EQ(boxes[2].x, 3);
  EXPECT_NEAR(boxes[2].width, 12.0 / 7, 1e-9);
  EXPECT_NEAR(boxes[3].width, 9.0 / 7, 1e-9);
}

TEST(Treemap, AreasAreAsTheWeightsInsideTheBoxAndApart) {
  std::mt19937_64 random(17);
  for (int run = 0; run < 200; ++run) {
    std::vector<double> weights(1 + random() % 60);
    double total = 0;
    for (double& weight : weights) total += weight = static_cast<double>(1 + random() % (run % 2 == 0 ? 10 : 1000000));
    std::ranges::sort(weights, std::greater<>());
    const std::vector<TreemapBox> boxes = Treemap(weights, 300, 200);
    ASSERT_EQ(boxes.size(), weights.size());
    for (size_t k = 0; k < boxes.size(); ++k) {
      const TreemapBox& a = boxes[k];
      ASSERT_NEAR(Area(a), weights[k] / total * 300 * 200, 1e-6);
      ASSERT_TRUE(a.x >= 0 && a.y >= 0 && a.x + a.width <= 300 + 1e-6 && a.y + a.height <= 200 + 1e-6);
      for (size_t m = 0; m < k; ++m) {
        const TreemapBox& b = boxes[m];
        const double across = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
        const double down = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
        ASSERT_TRUE(across < 1e-6 || down < 1e-6);
      }
    }
  }
}

TEST(Treemap, NoWeightsNoBoxes) { EXPECT_TRUE(Treemap({}, 10, 10).empty()); }

}  // namespace
}  // namespace layoutcheck
