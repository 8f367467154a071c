// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of pictures of thread-value layouts and of two arrays beside each other.
#include "layoutcheck/cli/notations/grid_views.h"
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// The accumulator of mma.m16n8k16 (PTX ISA): of thread 4g+t, elements 0 and 1 are in row g at columns 2t and 2t+1,
// elements 2 and 3 in row g+8.
TEST(ThreadGrid, AccumulatorOfMma) {
  const auto layout = ReadValid("((4,8),(2,2)):((32,1),(16,8))");
  const auto grid = ThreadGrid(*layout, Integers{16, 8});
  ASSERT_TRUE(grid.has_value());
  for (int64_t group = 0; group < 8; ++group) {
    for (int64_t t = 0; t < 4; ++t) {
      for (int64_t element = 0; element < 4; ++element) {
        const Integers place{group + (element >= 2 ? 8 : 0), 2 * t + element % 2};
        EXPECT_EQ(grid->cell(place).label, StrCat("T", 4 * group + t, "V", element));
      }
    }
  }
  EXPECT_TRUE(grid->empty_cells.empty());
  const std::string picture = Body(DrawText(*grid, {.utf8 = false}));
  EXPECT_EQ(picture.substr(0, picture.find("   1 |")),
            "           0     1     2     3     4     5     6     7\n"
            "     +-------------------------------------------------+\n"
            "   0 |  T0V0  T0V1  T1V0  T1V1  T2V0  T2V1  T3V0  T3V1 |\n");
  ExpectWellFormed(DrawSvg({"accumulator", {}, nullptr, &*grid}), "accumulator");
}

// In a layout in bits `register` counts values, and all other inputs count threads.
TEST(ThreadGrid, LayoutsInBits) {
  const auto strides = ThreadGrid(*ReadValid("((4,8),(2,2)):((32,1),(16,8))"), Integers{16, 8});
  const auto named = ReadValid("mma.m16n8k16.f16.C");
  const auto bits = ThreadGrid(*named, {});
  ASSERT_TRUE(strides && bits);
  for (int64_t row = 0; row < 16; ++row) {
    for (int64_t column = 0; column < 8; ++column) {
      EXPECT_EQ(bits->cell(Integers{row, column}).label, strides->cell(Integers{row, column}).label);
    }
  }
  const auto warps = ReadValid("ll{warp:[(2,0)],register:[(1,0)],lane:[(0,1),(0,2),(0,0)]} -> [4,8]");
  const auto grid = ThreadGrid(*warps, {});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->cell(Integers{3, 2}).label, "T5V1");  // lane 2 of warp 1, as the warp is the first input
  EXPECT_EQ(grid->cell(Integers{0, 4}).label, "");
  EXPECT_TRUE(grid->labels.ends_with(", of several the first"));

  const auto without_outputs = ThreadGrid(*ReadValid("ll{a:[],b:[]} -> []"), {});
  ASSERT_TRUE(without_outputs);
  EXPECT_EQ(without_outputs->cell(Integers{0}).label, "T0V0");

  const auto tile = ThreadGrid(*named, Integers{16, 8});
  ASSERT_FALSE(tile);
  EXPECT_EQ(tile.error().message, "a layout in bits has its own tile: expected no --tile");
  const auto many = ThreadGrid(*ReadValid("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = "
                                          "[4], order = [0]}> [2097152]"),
                               {});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().message, "128 threads with 16384 values: expected at most 1048576 pairs of both");
}

TEST(ThreadGrid, ElementsOfNoThreadAndOfMany) {
  const auto layout = ReadValid("(2,2):(3,0)");
  const auto grid = ThreadGrid(*layout, Integers{2, 2});
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(
      DrawText(*grid, {.utf8 = false}),
      "Tile, m down and n across; in each cell the thread (T) and its value (V), of several the first; .. is in no "
      "thread\n"
      "\n"
      "         0    1\n"
      "    +-----------+\n"
      "  0 | T0V0 .... |\n"
      "  1 | .... T1V0 |\n"
      "    +-----------+\n");
}

TEST(ThreadGrid, Errors) {
  const auto error = [](const std::string& text, const Integers& tile) {
    const auto layout = ReadValid(text);
    const auto grid = ThreadGrid(*layout, tile);
    return grid ? std::string("no error") : grid.error().ToString();
  };
  const std::string expected =
      "expected a layout in bits or a shape:stride layout of two modes, threads and values, such as "
      "((4,8),(2,2)):((32,1),(16,8))";
  EXPECT_EQ(error("f32[4,8]", {}), expected);
  EXPECT_EQ(error("zN:f16[20,40]", {}), expected);
  EXPECT_EQ(error("(4,8,2):(1,4,32)", {}), expected);
  EXPECT_EQ(error("32:1", {}), expected);
  EXPECT_EQ(error("(4,8):(1,4)", {4, 7}), "value 7 of thread 0 is at 28: expected 0 to 27 in a tile of 4x7");
  EXPECT_EQ(error("(4,8):(-1,4)", {}), "value 0 of thread 1 is at -1: expected 0 to 31 in a tile of 32");
  EXPECT_EQ(error("(1048576,1048576):(1,1048576)", {}),
            "1048576 threads with 1048576 values: expected at most 1048576 pairs of both");
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "column 1: expected a size of at least 1, as in 16x8"},
           {"16x", "column 4: expected a size of at least 1, as in 16x8"},
           {"16x0", "column 4: expected a size of at least 1, as in 16x8"},
           {"-1x8", "column 1: expected a size of at least 1, as in 16x8"},
           {"16,8", "column 3: expected 'x' or the end of the sizes"},
           {"9223372036854775808", "column 1: a size does not fit 64 bits"},
           {"4294967296x4294967296", "the number of elements does not fit 64 bits"}}) {
    const auto sizes = ReadTileSizes(text);
    EXPECT_EQ(sizes ? "no error" : sizes.error().ToString(), message) << text;
  }
  EXPECT_EQ(*ReadTileSizes("16x8"), (Integers{16, 8}));
  EXPECT_EQ(*ReadTileSizes("128"), (Integers{128}));
}

std::string Pair(const std::string& a, const std::string& b, const std::optional<Integers>& transpose = std::nullopt) {
  const auto layout_a = ReadValid(a);
  const auto layout_b = ReadValid(b);
  const GridPair grids = ComparisonGrids(*layout_a, *layout_b, transpose, std::nullopt);
  ExpectWellFormed(DrawPairSvg({"a & b", {}, "A: " + a, "B: " + b, &grids.a, &grids.b}), a + " and " + b);
  return Body(DrawPairText(grids.a, "A", grids.b, "B", {.utf8 = false}));
}

TEST(ComparisonGrids, MarksWhatMoves) {
  EXPECT_EQ(Pair("f32[2,4]{1,0:T(1,2)}", "f32[2,4]{1,0:T(2,2)}"),
            "A                        B\n"
            "       0  1    2  3             0  1    2  3\n"
            "    +-------+-------+        +-------+-------+\n"
            "  0 |  0  1 | *2 *3 |      0 |  0  1 | *4 *5 |\n"
            "  1 | *4 *5 |  6  7 |      1 | *2 *3 |  6  7 |\n"
            "    +-------+-------+        +-------+-------+\n");
  // Elements of a transpose and of a reshape keep their places.
  EXPECT_EQ(Count(Pair("f32[2,3]{1,0}", "f32[3,2]{0,1}", Integers{1, 0}), "*"), 0u);
  EXPECT_EQ(Count(Pair("f32[2,3]{1,0}", "f32[6]{0}"), "*"), 0u);
  EXPECT_EQ(Count(Pair("(2,3):(1,2)", "6:1"), "*"), 0u);
  // All but the first and the last element move, in both pictures.
  EXPECT_EQ(Count(Pair("f32[2,3]{1,0}", "f32[2,3]{0,1}"), "*"), 8u);
  EXPECT_EQ(Count(Pair("(2,3):(3,1)", "6:1"), "*"), 8u);
  // Nothing corresponds between arrays of different sizes.
  EXPECT_EQ(Count(Pair("f32[2,3]", "f32[2,2]"), "*"), 0u);
}

// Each marked element of A is a marked element of B, and the picture marks what Compare says.
TEST(ComparisonGrids, MarksAreThoseOfTheIndices) {
  const std::vector<std::string> texts = {"f32[4,6]{1,0}",        "f32[4,6]{0,1}", "f32[2,2,6]{0,1,2}",    "f32[24]{0}",
                                          "f32[4,6]{1,0:T(2,3)}", "(4,6):(6,1)",   "((2,2),6):((1,12),2)", "24:1",
                                          "f32[6,4]{1,0:T(2,2)}"};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      SCOPED_TRACE(a + " and " + b);
      const auto layout_a = ReadValid(a);
      const auto layout_b = ReadValid(b);
      const GridPair grids = ComparisonGrids(*layout_a, *layout_b, std::nullopt, std::nullopt);
      const auto marked = [](const CellGrid& grid, const AnyLayout& layout) {
        int64_t count = 0;
        ForEachIndex(layout.Dimensions(), [&](std::span<const int64_t> c) { count += grid.cell(c).marked ? 1 : 0; });
        return count;
      };
      const auto comparison = Compare(*layout_a, *layout_b, std::nullopt);
      ASSERT_TRUE(comparison.has_value());
      EXPECT_EQ(marked(grids.a, *layout_a), marked(grids.b, *layout_b));
      EXPECT_EQ(marked(grids.a, *layout_a) > 0, comparison->moved.has_value());
      if (!comparison->moved) continue;
      EXPECT_TRUE(grids.a.cell(comparison->moved->a).marked);
      EXPECT_TRUE(grids.b.cell(comparison->moved->b).marked);
    }
  }
}

TEST(ComparisonGrids, FoldedPicturesKeepTheElementThatMoves) {
  const auto a = ReadValid("f32[100,300,400]{2,1,0}");
  const auto b = ReadValid("f32[100,300,400]{2,0,1}");
  const MovedElement moved{{40, 150, 200}, {40, 150, 200}, false};
  const GridPair grids = ComparisonGrids(*a, *b, std::nullopt, moved);
  const std::string at_a = StrCat("*", a->Index(moved.a), " ");
  const std::string picture = DrawPairText(grids.a, "A", grids.b, "B", {false, 160, 60});
  EXPECT_NE(picture.find("z=40\n"), std::string::npos) << picture;
  EXPECT_NE(picture.find(at_a), std::string::npos) << picture;
  EXPECT_NE(picture.find(StrCat("*", b->Index(moved.b), " ")), std::string::npos) << picture;
  EXPECT_LE(Count(picture, "\n"), 70u) << picture;
  // Without the focus, only corners are kept.
  EXPECT_EQ(DrawText(LogicalGrid(*a), {false, 80, 60}).find(at_a.substr(1)), std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
