// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/occupancy.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

// Returns "equal", "bit 64 of a (1,0)", or the error.
std::string Compared(const std::string& a, const std::string& b) {
  const auto difference = FindOccupancyDifference(*ParseShape(a), *ParseShape(b));
  if (!difference) return difference.error().message;
  if (!*difference) return "equal";
  return StrCat("bit ", (*difference)->bit, " of ", (*difference)->is_element_of_a ? "a" : "b", " (",
                StrJoin((*difference)->coordinate, ","), ")");
}

TEST(FindOccupancyDifference, KnownAnswers) {
  EXPECT_EQ(Compared("f32[8]{0}", "f32[2,4]{0,1}"), "equal");
  EXPECT_EQ(Compared("f32[3]{0:T(4)}", "f32[4]{0}"), "bit 96 of b (3)");
  EXPECT_EQ(Compared("f32[2,3]{1,0:T(2,4)}", "f32[6]{0:T(8)}"), "bit 96 of b (3)");
  EXPECT_EQ(Compared("f32[1,3]{1,0:T(1,4)}", "f32[3]{0:T(4)}"), "equal");
  // Elements of other widths.
  EXPECT_EQ(Compared("f32[3]{0:T(4)}", "bf16[6]{0:T(8)}"), "equal");
  EXPECT_EQ(Compared("f32[3]{0:T(4)}", "bf16[5]{0:T(8)}"), "bit 80 of a (2)");
  // An element that takes the place of padding counts before padding that takes the place of an element.
  EXPECT_EQ(Compared("f32[2,3]{1,0:T(2,4)}", "f32[5]{0:T(8)}"), "bit 96 of b (3)");
  EXPECT_EQ(Compared("u32[10]{0:T(128)}", "u32[5]{0:T(128)}"), "bit 160 of a (5)");
  EXPECT_EQ(Compared("f32[0]{0:T(4)}", "f32[0,3]{1,0}"), "equal");
  EXPECT_EQ(Compared("f32[3]{0:T(4)}", "f32[3]{0:T(8)}"), "the allocations have different sizes");
}

TEST(FindOccupancyDifference, HugeAllocationsThatRepeat) {
  EXPECT_EQ(Compared("f32[1000000,8,100]{2,1,0:T(8,128)}", "f32[8000000,100]{1,0:T(8,128)}"), "equal");
  EXPECT_EQ(Compared("f32[1000000,8,100]{2,1,0:T(8,128)}", "f32[8000000,101]{1,0:T(8,128)}"), "bit 3200 of b (0,100)");
  EXPECT_EQ(Compared("bf16[1000000,16,100]{2,1,0:T(8,128)(2,1)}", "bf16[16000000,100]{1,0:T(8,128)(2,1)}"), "equal");
}

// Returns for each place of the allocation whether it holds an element, by the closed formula of the linear index.
std::vector<bool> Places(const Shape& shape) {
  const TiledIndex index = *MakeTiledIndex(shape);
  std::vector<bool> places(static_cast<size_t>(SizesOf(shape)->padded_elements));
  ForEachIndex(shape.dimensions,
               [&](std::span<const int64_t> coordinate) { places[static_cast<size_t>(index(coordinate))] = true; });
  return places;
}

TEST(FindOccupancyDifference, AllPairsOfSmallLayouts) {
  std::vector<Shape> shapes;
  for (int64_t size = 1; size <= 5; ++size) {
    for (const char* tiles : {"", ":T(2,2)", ":T(4)", ":T(2,4)", ":T(2,4)(2,1)", ":T(4,2)(2,2,2)", ":T(*,4)",
                              ":T(2,2,2)", ":T(2)(2)", ":T(4,2)(4,1)", ":L(8)"}) {
      for (const char* order : {"{2,1,0", "{0,2,1"}) {
        shapes.push_back(*ParseShape(StrCat("f32[3,", size, ",4]", order, tiles, "}")));
        shapes.push_back(*ParseShape(StrCat("f32[4,2,", size, "]", order, tiles, "}")));
      }
    }
  }
  int64_t different = 0;
  int64_t equal = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const std::vector<bool> places_a = Places(a);
      const std::vector<bool> places_b = Places(b);
      if (places_a.size() != places_b.size()) continue;
      const auto difference = FindOccupancyDifference(a, b);
      ASSERT_TRUE(difference) << difference.error().message;
      size_t reads_padding = 0;
      while (reads_padding < places_a.size() && (places_a[reads_padding] || !places_b[reads_padding])) ++reads_padding;
      const bool reads = reads_padding < places_a.size();
      const auto first = reads ? static_cast<int64_t>(reads_padding)
                               : std::ranges::mismatch(places_a, places_b).in1 - places_a.begin();
      ASSERT_EQ(difference->has_value(), places_a != places_b) << ToString(a) << " and " << ToString(b);
      (places_a == places_b ? equal : different) += 1;
      if (!*difference) continue;
      EXPECT_EQ((*difference)->bit, 32 * first) << ToString(a) << " and " << ToString(b);
      EXPECT_EQ((*difference)->is_element_of_a, !reads);
    }
  }
  EXPECT_GT(equal, 1000);
  EXPECT_GT(different, 1000);
}

}  // namespace
}  // namespace layoutcheck
