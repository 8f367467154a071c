// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/shrink.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {
namespace {

struct Planted {
  const char* name;
  std::function<bool(const Shape&)> fails;
  const char* minimum;
  Shape (*draw)(Choices&, const LayoutScope&) = DrawLayout;
};

bool IsRowMajor(const Shape& shape) {
  return *shape.layout == MakeDescendingLayout(shape.rank()) ||
         shape.layout->minor_to_major == MakeDescendingLayout(shape.rank()).minor_to_major;
}
bool Padded(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  return sizes->padded_elements > sizes->elements;
}

// Faults with the smallest layout that shows each of them.
const Planted kPlanted[] = {
    {"rank at least 3", [](const Shape& s) { return s.rank() >= 3; }, "f32[1,1,1]{2,1,0}"},
    {"an order that is not row major", [](const Shape& s) { return !IsRowMajor(s); }, "f32[1,1]{0,1}"},
    {"two tiles", [](const Shape& s) { return s.layout->tiles.size() >= 2; }, "f32[]{:T(1)(1)}"},
    {"padding in another order",
     [](const Shape& s) { return Padded(s) && !IsRowMajor(s) && s.layout->tail_padding_alignment_in_elements == 1; },
     "f32[1,1]{0,1:T(2)}"},
    {"a dimension of 0", [](const Shape& s) { return SizesOf(s)->elements == 0; }, "f32[0]{0}"},
    {"a hundred elements", [](const Shape& s) { return SizesOf(s)->elements >= 100; }, "f32[100]{0}"},
    {"a size that is no multiple of its tile",
     [](const Shape& s) {
       if (s.rank() == 0 || s.layout->tiles.empty()) return false;
       const int64_t size = s.dimensions[static_cast<size_t>(s.layout->minor_to_major[0])];
       const int64_t tile = s.layout->tiles[0].dimensions.back();
       return size > tile && size % tile != 0;
     },
     "f32[3]{0:T(2)}"},
    {"a combined dimension",
     [](const Shape& s) {
       return std::ranges::any_of(s.layout->tiles, [](const Tile& tile) {
         return std::ranges::find(tile.dimensions, Tile::kCombineDimension) != tile.dimensions.end();
       });
     },
     "f32[]{:T(*,1)}"},
    {"packed elements with a partial byte",
     [](const Shape& s) {
       return s.layout->element_size_in_bits != 0 &&
              SizesOf(s)->padded_elements * s.layout->element_size_in_bits % 8 != 0;
     },
     "f32[]{:E(1)}"},
    {"an order that is not its own inverse",
     [](const Shape& s) {
       const std::vector<int64_t>& order = s.layout->minor_to_major;
       for (size_t k = 0; k < order.size(); ++k) {
         if (order[static_cast<size_t>(order[k])] != static_cast<int64_t>(k)) return true;
       }
       return false;
     },
     "f32[1,1,1]{2,0,1}"},
    {"an offset past 32 bits", [](const Shape& s) { return SizesOf(s)->padded_elements > (int64_t{1} << 31); },
     "f32[2147483649]{0}", DrawHugeLayout},
};

TEST(Shrink, ReachesTheMinimumFromEverySeed) {
  for (const Planted& planted : kPlanted) {
    int64_t evaluations = 0;
    int64_t most = 0;
    std::clock_t clocks = 0;
    std::map<std::string, int> minima;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      std::optional<Shape> failing;
      for (uint64_t number = 0; !failing && number < 100000; ++number) {
        RandomChoices choices(seed, number);
        Shape shape = planted.draw(choices, {});
        if (planted.fails(shape)) failing = std::move(shape);
      }
      ASSERT_TRUE(failing) << planted.name << ", seed " << seed;
      const std::clock_t start = std::clock();
      const ShrinkResult shrunk = ShrinkShape(*failing, planted.fails, 20000);
      clocks += std::clock() - start;
      evaluations += shrunk.evaluations;
      most = std::max(most, shrunk.evaluations);
      ++minima[ToString(shrunk.shape)];
    }
    std::string list;
    for (const auto& [text, count] : minima) list += " " + text + " x" + std::to_string(count);
    const double milliseconds = 1000.0 * static_cast<double>(clocks) / CLOCKS_PER_SEC / 200;
    std::printf("%s:%s, %lld evaluations (at most %lld) and %.2f ms per failure\n", planted.name, list.c_str(),
                static_cast<long long>(evaluations / 200), static_cast<long long>(most), milliseconds);
    EXPECT_EQ(minima[planted.minimum], 200) << planted.name;
    EXPECT_LE(most, 200) << planted.name;
  }
}

TEST(Shrink, KeepsToItsBudgetAndToValidShapes) {
  const Shape shape = *ParseShape("bf16[<=7,13,1,40]{0,3,1,2:T(8,128)(2,1)L(64)E(16)S(3)SC(1:4)M(8)}");
  for (const int64_t budget : {0, 1, 7, 1000}) {
    int64_t asked = 0;
    const auto fails = [&](const Shape& candidate) {
      ++asked;
      EXPECT_TRUE(ValidateShape(candidate, MissingLayout::kRejected)) << ToString(candidate);
      EXPECT_TRUE(ParseShape(ToString(candidate)) == candidate) << ToString(candidate);
      return candidate.rank() >= 1;
    };
    const ShrinkResult shrunk = ShrinkShape(shape, fails, budget);
    EXPECT_EQ(shrunk.evaluations, asked);
    EXPECT_LE(asked, budget);
    if (budget == 0) {
      EXPECT_EQ(shrunk.shape, shape);
    }
    if (budget == 1000) {
      EXPECT_EQ(ToString(shrunk.shape), "f32[1]{0}");
    }
  }
}

}  // namespace
}  // namespace layoutcheck
