#include "layoutcheck/properties/shrink.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>

#include "layoutcheck/core/printer.h"
#include "layoutcheck/core/sizes.h"
#include "layoutcheck/properties/layout_generator.h"

namespace layoutcheck {
namespace {

struct Planted {
  const char* name;
  std::function<bool(const Shape&)> fails;
  const char* minimum;
};

bool RowMajor(const Shape& shape) {
  return *shape.layout == MakeDescendingLayout(shape.rank()) ||
         shape.layout->minor_to_major == MakeDescendingLayout(shape.rank()).minor_to_major;
}
bool Padded(const Shape& shape) {
  const auto sizes = SizesOf(shape);
  return sizes->padded_elements > sizes->elements;
}

// The smallest layout of each kind, in the order of preference: rank, number of tiles, sizes, dimension order.
const Planted kPlanted[] = {
    {"rank at least 3", [](const Shape& s) { return s.rank() >= 3; }, "f32[1,1,1]{2,1,0}"},
    {"an order that is not row major", [](const Shape& s) { return !RowMajor(s); }, "f32[1,1]{0,1}"},
    {"two tiles", [](const Shape& s) { return s.layout->tiles.size() >= 2; }, "f32[]{:T(1)(1)}"},
    {"padding in another order",
     [](const Shape& s) { return Padded(s) && !RowMajor(s) && s.layout->tail_padding_alignment_in_elements == 1; },
     nullptr},
    {"a dimension of 0", [](const Shape& s) { return SizesOf(s)->elements == 0; }, "f32[0]{0}"},
};

TEST(Shrink, ReachesTheMinimumFromEverySeed) {
  for (const Planted& planted : kPlanted) {
    int64_t evaluations = 0;
    std::map<std::string, int> minima;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      std::vector<uint64_t> failing;
      for (uint64_t number = 0; failing.empty() && number < 100000; ++number) {
        RandomChoices choices(seed, number);
        if (planted.fails(DrawLayout(choices, {}))) failing = choices.taken();
      }
      const auto evaluate = [&](std::span<const uint64_t> candidate, bool& fails) {
        ReplayedChoices choices(candidate);
        fails = planted.fails(DrawLayout(choices, {}));
        return choices.taken();
      };
      const ShrinkResult shrunk = ShrinkChoices(failing, evaluate, 20000);
      evaluations += shrunk.evaluations;
      ReplayedChoices choices(shrunk.choices);
      ++minima[ToString(DrawLayout(choices, {}))];
    }
    std::string list;
    for (const auto& [text, count] : minima) list += " " + text + " x" + std::to_string(count);
    std::printf("%s:%s, %lld evaluations a failure\n", planted.name, list.c_str(),
                static_cast<long long>(evaluations / 200));
    if (planted.minimum != nullptr) {
      EXPECT_EQ(minima[planted.minimum], 200) << planted.name;
    }
    EXPECT_EQ(minima.size(), 1u) << planted.name;
  }
}

}  // namespace
}  // namespace layoutcheck
