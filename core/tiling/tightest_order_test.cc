// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tightest_order.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

std::string Tightest(std::string_view text) {
  const Expected<Shape> shape = ParseShape(text);
  if (!shape) return shape.error().ToString();
  const std::optional<Shape> tightest = TightestOrder(*shape);
  return tightest ? ToString(*tightest) : "as it is";
}

TEST(TightestOrder, KnownAnswers) {
  EXPECT_EQ(Tightest("f32[9,1]{1,0:T(8,128)}"), "f32[9,1]{0,1:T(8,128)}");
  EXPECT_EQ(Tightest("f32[1,9]{1,0:T(8,128)}"), "as it is");
  EXPECT_EQ(Tightest("f32[3,5]{0,1}"), "as it is");
  // A tile has 8 rows of 128 elements, so the chosen order has multiples of 8 and 128 there.
  EXPECT_EQ(Tightest("f32[128,3,8]{1,0,2:T(8,128)}"), "f32[128,3,8]{0,2,1:T(8,128)}");
  EXPECT_EQ(Tightest("f32[]"), "as it is");
  EXPECT_EQ(Tightest("f32[1,2,3,4,5,6,7]{6,5,4,3,2,1,0:T(8,128)}"), "as it is");  // rank 7 is not tried
}

}  // namespace
}  // namespace layoutcheck
