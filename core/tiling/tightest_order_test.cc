// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/tilings.h"

namespace layoutcheck {
namespace {

std::string Tightest(std::string_view text, std::span<const Tiling> tilings = {}) {
  const Expected<Shape> shape = ParseShape(text);
  if (!shape) return shape.error().ToString();
  const std::optional<Shape> tightest = TightestOrder(*shape, tilings);
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

TEST(TightestOrder, AmongTilings) {
  const std::vector<Tiling> tilings = {*ParseTiling("T(2,128)"), *ParseTiling("T(4)")};
  EXPECT_EQ(Tightest("f32[2,128]{1,0:T(8,128)}", tilings), "f32[2,128]{1,0:T(2,128)}");
  EXPECT_EQ(Tightest("f32[3,4]{0,1:T(8,128)}", tilings), "f32[3,4]{1,0:T(4)}");
  EXPECT_EQ(Tightest("f32[8,128]{1,0:T(8,128)}", tilings), "as it is");
  EXPECT_EQ(Tightest("f32[4]{0:T(8)}", tilings), "f32[4]{0:T(4)}");  // a tile of two dimensions is not for a vector
}

TEST(TightestOrder, TilingsOfTpu) {
  EXPECT_EQ(Tightest("s32[8388608,8,4]{2,1,0:T(8,128)}", TpuTilings()), "s32[8388608,8,4]{0,1,2:T(8,128)}");
  EXPECT_EQ(Tightest("s32[29360128,10]{1,0:T(8,128)}", TpuTilings()), "s32[29360128,10]{0,1:T(2,128)}");
  EXPECT_EQ(Tightest("bf16[2,128]{1,0:T(8,128)(2,1)}", TpuTilings()), "bf16[2,128]{1,0:T(2,128)(2,1)}");
  EXPECT_EQ(Tightest("f32[129]{0:T(1024)}", TpuTilings()), "f32[129]{0:T(128)}");
}

TEST(Tiling, TextsThatAreNone) {
  for (const std::string_view text : {"", "T", "T(8", "T(8)S(1)", "8,128", "T(8)}", "T(8,128)(0,1)"}) {
    EXPECT_FALSE(ParseTiling(text)) << text;
  }
  EXPECT_EQ(ParseTiling("T(8,128)(2,1)")->tiles, (std::vector<Tile>{{{8, 128}}, {{2, 1}}}));
}

}  // namespace
}  // namespace layoutcheck
