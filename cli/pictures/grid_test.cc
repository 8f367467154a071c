// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of pictures of arrays in their own order.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/grid_views.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {
namespace {

std::string Logical(const std::string& text) {
  const auto layout = ReadValid(text);
  return Body(DrawText(LogicalGrid(*layout), {.utf8 = false}));
}

// Returns the labels in the cells of a text picture in reading order.
std::vector<std::string> LabelsOf(std::string_view picture) {
  std::vector<std::string> labels;
  while (!picture.empty()) {
    std::string_view line = picture.substr(0, picture.find('\n'));
    picture.remove_prefix(std::min(picture.size(), line.size() + 1));
    if (line.find('|') == line.npos) continue;
    line.remove_prefix(line.find('|'));
    while (line.find_first_not_of(" |") != line.npos) {
      line.remove_prefix(line.find_first_not_of(" |"));
      labels.emplace_back(line.substr(0, line.find_first_of(" |")));
      line.remove_prefix(labels.back().size());
    }
  }
  return labels;
}

// The table that CuTe's print_layout prints for a row-major layout.
TEST(Grid, RowMajorLayoutOfCuTe) {
  EXPECT_EQ(Logical("(8,8):(8,1)"),
            "       0  1  2  3  4  5  6  7\n"
            "    +-------------------------+\n"
            "  0 |  0  1  2  3  4  5  6  7 |\n"
            "  1 |  8  9 10 11 12 13 14 15 |\n"
            "  2 | 16 17 18 19 20 21 22 23 |\n"
            "  3 | 24 25 26 27 28 29 30 31 |\n"
            "  4 | 32 33 34 35 36 37 38 39 |\n"
            "  5 | 40 41 42 43 44 45 46 47 |\n"
            "  6 | 48 49 50 51 52 53 54 55 |\n"
            "  7 | 56 57 58 59 60 61 62 63 |\n"
            "    +-------------------------+\n");
}

// The example of TLA's document on layouts.
TEST(Grid, NestedLayoutOfTla) {
  EXPECT_EQ(Logical("((4,2),(4,3)):((4,16),(1,32))"),
            "       0  1  2  3    4  5  6  7    8  9 10 11\n"
            "    +-------------+-------------+-------------+\n"
            "  0 |  0  1  2  3 | 32 33 34 35 | 64 65 66 67 |\n"
            "  1 |  4  5  6  7 | 36 37 38 39 | 68 69 70 71 |\n"
            "  2 |  8  9 10 11 | 40 41 42 43 | 72 73 74 75 |\n"
            "  3 | 12 13 14 15 | 44 45 46 47 | 76 77 78 79 |\n"
            "    +-------------+-------------+-------------+\n"
            "  4 | 16 17 18 19 | 48 49 50 51 | 80 81 82 83 |\n"
            "  5 | 20 21 22 23 | 52 53 54 55 | 84 85 86 87 |\n"
            "  6 | 24 25 26 27 | 56 57 58 59 | 88 89 90 91 |\n"
            "  7 | 28 29 30 31 | 60 61 62 63 | 92 93 94 95 |\n"
            "    +-------------+-------------+-------------+\n");
}

// The example of XLA's document on tiled layouts.
TEST(Grid, TiledLayoutOfXla) {
  EXPECT_EQ(Logical("f32[3,5]{1,0:T(2,2)}"),
            "       0  1    2  3    4\n"
            "    +-------+-------+----+\n"
            "  0 |  0  1 |  4  5 |  8 |\n"
            "  1 |  2  3 |  6  7 | 10 |\n"
            "    +-------+-------+----+\n"
            "  2 | 12 13 | 16 17 | 20 |\n"
            "    +-------+-------+----+\n");
}

TEST(Grid, RanksOtherThanTwo) {
  EXPECT_EQ(Logical("f32[]"),
            "  +----+\n"
            "  |  0 |\n"
            "  +----+\n");
  EXPECT_EQ(Logical("(4):(-1)"),
            "     0  1  2  3\n"
            "  +-------------+\n"
            "  |  0 -1 -2 -3 |\n"
            "  +-------------+\n");
  EXPECT_EQ(Logical("f32[2,1,3]"),
            "z=0\n"
            "       0  1  2\n"
            "    +----------+\n"
            "  0 |  0  1  2 |\n"
            "    +----------+\n"
            "\n"
            "z=1\n"
            "       0  1  2\n"
            "    +----------+\n"
            "  0 |  3  4  5 |\n"
            "    +----------+\n");
  // Modes 0 and 1 are the matrix, as in a tile with stages.
  EXPECT_EQ(Logical("(2,1,2):(1,2,7)"),
            "m2=0\n"
            "       0\n"
            "    +----+\n"
            "  0 |  0 |\n"
            "  1 |  1 |\n"
            "    +----+\n"
            "\n"
            "m2=1\n"
            "       0\n"
            "    +----+\n"
            "  0 |  7 |\n"
            "  1 |  8 |\n"
            "    +----+\n");
}

TEST(Grid, BlocksOfTilesInTiles) {
  const auto blocks = [](const std::string& text) {
    std::string found;
    const auto layout = ReadValid(text);
    const CellGrid grid = LogicalGrid(*layout);
    for (const GridAxis& axis : grid.axes) StrAppend(found, "[", StrJoin(axis.blocks, ","), "]");
    return found;
  };
  EXPECT_EQ(blocks("bf16[20,300]{1,0:T(8,128)(2,1)}"), "[8,2][128]");
  EXPECT_EQ(blocks("bf16[20,300]{0,1:T(8,128)(2,1)}"), "[][8,2]");  // 128 holds all 20 rows
  EXPECT_EQ(blocks("f32[8,8]{1,0:T(1,4)(2,1)}"), "[][4]");          // the second tile only pads rows
  EXPECT_EQ(blocks("f32[8,8]{1,0:T(4)(2,2)}"), "[][4]");            // the second tile is longer than the first
  EXPECT_EQ(blocks("f32[8,8]{1,0:T(*,4)}"), "[][]");
  EXPECT_EQ(blocks("zN:f16[20,40]"), "[16][16]");
  EXPECT_EQ(blocks("((2,2,3),8):((1,2,4),12)"), "[4,2][]");
  EXPECT_EQ((GridAxis{"", 9, {4, 3}}.BordersBefore(3)), 1u);
  EXPECT_EQ((GridAxis{"", 9, {4, 3}}.BordersBefore(4)), 2u);
  EXPECT_EQ((GridAxis{"", 9, {4, 3}}.BordersBefore(6)), 0u);
  EXPECT_EQ((GridAxis{"", 9, {4, 3}}.BordersBefore(7)), 1u);
}

// Layouts of random kinds, of which each has elements.
std::vector<std::string> RandomTexts(uint64_t seed, uint64_t count, bool huge) {
  std::vector<std::string> texts;
  const LayoutScope scope = huge ? LayoutScope{} : LayoutScope{.max_rank = 4, .max_elements = 300};
  for (uint64_t number = 0; number < count; ++number) {
    RandomChoices choices(seed, number);
    texts.push_back(ToString(huge ? DrawHugeLayout(choices, scope) : DrawLayout(choices, scope)));
  }
  for (const char* text :
       {"((4,2),(4,3)):((4,16),(1,32))", "Sw<2,0,3> o 0 o (8,8):(8,1)", "(4,2):(-1,4)", "(3,4):(0,0)", "zN:f16[20,40]",
        "nZ:f32[9,17]", "f32[2,3]{0,1}pad[3,5]=0", "7 o (2,3,4):(1,2,6)"}) {
    if (!huge) texts.emplace_back(text);
  }
  std::erase_if(texts, [](const std::string& text) { return ReadValid(text)->Sizes().elements == 0; });
  return texts;
}

TEST(Grid, EveryCellShowsTheIndexOfItsElement) {
  int64_t cells = 0;
  for (const std::string& text : RandomTexts(20261124, 600, false)) {
    SCOPED_TRACE(text);
    const auto layout = ReadValid(text);
    const CellGrid grid = LogicalGrid(*layout);
    std::vector<std::string> expected;
    for (int64_t page = 0; page < grid.PageCount(); ++page) {
      for (int64_t row = 0; row < grid.RowAxis().size; ++row) {
        for (int64_t column = 0; column < grid.ColumnAxis().size; ++column) {
          expected.push_back(std::to_string(layout->Index(grid.Coordinate(page, row, column))));
        }
      }
    }
    ASSERT_EQ(static_cast<int64_t>(expected.size()), layout->Sizes().elements);
    if (expected.size() > 1000) continue;
    EXPECT_EQ(LabelsOf(DrawText(grid, {false, 1 << 20, 1 << 20})), expected);
    const std::string svg = DrawSvg({text, {}, nullptr, &grid});
    ExpectWellFormed(svg, text);
    const bool folded = Count(svg, "class=\"dot\"") > 0;
    EXPECT_TRUE(folded || Count(svg, "<title>") == expected.size());
    cells += static_cast<int64_t>(expected.size());
  }
  std::printf("%lld cells\n", static_cast<long long>(cells));
  EXPECT_GT(cells, 10000);
}

TEST(Grid, FitsTheWidthWhateverTheLayout) {
  for (const std::string& text : RandomTexts(5, 150, true)) {
    const auto layout = ReadValid(text);
    const CellGrid grid = LogicalGrid(*layout);
    const std::string picture = DrawText(grid, {false, 120, 40});
    std::string_view rest = picture;
    for (size_t end = 0; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      EXPECT_LE(end, 120u) << text << "\n" << picture;
    }
    EXPECT_LE(Count(picture, "\n"), 48u) << text << "\n" << picture;
    const std::string svg = DrawSvg({text, {}, nullptr, &grid});
    EXPECT_LT(svg.size(), size_t{1} << 20) << text;
    ExpectWellFormed(svg, text);
  }
}

TEST(Grid, LargeArraysShowTheirCorners) {
  const auto layout = ReadValid("s8[1048576,1048576]{0,1}");
  EXPECT_EQ(Body(DrawText(LogicalGrid(*layout), {false, 68, 8})),
            "                        0             1 ~       1048575\n"
            "          +---------------------------------------------+\n"
            "        0 |             0       1048576 ~ 1099510579200 |\n"
            "        1 |             1       1048577 ~ 1099510579201 |\n"
            "          |       ~             ~       ~       ~       |\n"
            "  1048574 |       1048574       2097150 ~ 1099511627774 |\n"
            "  1048575 |       1048575       2097151 ~ 1099511627775 |\n"
            "          +---------------------------------------------+\n");
}

// Returns the text without the sequences that set colors, and counts them.
std::string Plain(std::string text, int& sequences) {
  for (size_t at = text.find('\x1b'); at != text.npos; at = text.find('\x1b', at)) {
    text.erase(at, text.find('m', at) + 1 - at);
    ++sequences;
  }
  return text;
}

// A terminal shows the same picture, with a color for each cell.
TEST(Pictures, HaveColorsInATerminal) {
  const auto layout = ReadValid("(2,3):(3,1)");
  const CellGrid grid = LogicalGrid(*layout);
  const TextStyle plain{.utf8 = false};
  const TextStyle colored{.utf8 = false, .colors = true};
  int sequences = 0;
  EXPECT_EQ(Plain(DrawText(grid, colored), sequences), DrawText(grid, plain));
  EXPECT_EQ(sequences, 2 * 6);
  EXPECT_EQ(Plain(DrawPairText(grid, "A", grid, "B", colored), sequences), DrawPairText(grid, "A", grid, "B", plain));
  EXPECT_NE(DrawText(grid, colored).find("\x1b[30;48;5;153m 0\x1b[0m \x1b[30;48;5;223m 1\x1b[0m"), std::string::npos);
}

TEST(Pictures, FollowLightAndDarkAndPrint) {
  const auto layout = ReadValid("f32[3,5]{1,0:T(2,2)}");
  const CellGrid grid = LogicalGrid(*layout);
  const auto boxes = layout->Boxes();
  for (const std::string& text : {DrawSvg({"a < b", {}, &*boxes, &grid}), DrawHtml({"a < b", {}, &*boxes, &grid})}) {
    EXPECT_NE(text.find("@media screen and (prefers-color-scheme:dark)"), std::string::npos);
    EXPECT_NE(text.find("@media print"), std::string::npos);
    // No color stands outside of the style, where neither could change it.
    EXPECT_EQ(text.find("=\"#"), std::string::npos);
    ExpectWellFormed(text, "picture");
  }
}

}  // namespace
}  // namespace layoutcheck
