// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that pictures of memory agree with the index of each element that they show.
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {
namespace {

TEST(Picture, BoxesHoldTheAllocation) {
  for (const char* text : {"f32[3,5]{1,0:T(2,2)}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "s32[]{:T(128)}",
                           "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[200001,128]{1,0:T(8)L(1024)}",
                           "f32[4,6]{1,0:T(2,3)(2,2,1)}", "f32[3,5,7]{0,2,1}", "f32[2,3]{0,1}pad[3,5]=0"}) {
    const auto layout = ReadValid(text);
    const std::optional<MemoryBoxes> boxes = layout->Boxes();
    ASSERT_TRUE(boxes.has_value()) << text;
    EXPECT_EQ(boxes->Cells() + boxes->tail, layout->Sizes().padded_elements) << text;
  }
}

// Returns the cells of a text picture with one column of boxes, in reading order.
std::vector<std::string> CellsOfText(std::string_view text) {
  std::vector<std::string> cells;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t first = line.find('|');
    if (first == std::string_view::npos) continue;
    line.remove_prefix(first);
    while (!line.empty()) {
      const size_t begin = line.find_first_not_of(" |H");
      if (begin == std::string_view::npos) break;
      const size_t end = std::min(line.find_first_of(" |H", begin), line.size());
      cells.emplace_back(line.substr(begin, end - begin));
      line.remove_prefix(end);
    }
  }
  return cells;
}

// Returns by offset the titles of the cells of an SVG picture, such as "17: y=2 x=3" and "9: padding".
std::map<int64_t, std::string> TitlesOfSvg(const std::string& svg) {
  std::map<int64_t, std::string> titles;
  for (size_t at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1)) {
    const std::string title = svg.substr(at + 7, svg.find('<', at + 7) - at - 7);
    const size_t colon = title.find(": ");
    EXPECT_NE(colon, std::string::npos) << title;
    EXPECT_TRUE(titles.emplace(std::atoll(title.c_str()), title.substr(colon + 2)).second) << title << " twice";
  }
  return titles;
}

// Returns "2,3" for "y=2 x=3".
std::string NumbersOf(const std::string& named) {
  std::string numbers;
  bool number = false;
  for (const char c : named) {
    if (c == '=') {
      if (!numbers.empty()) numbers += ',';
      number = true;
    } else if (c == ' ') {
      number = false;
    } else if (number) {
      numbers += c;
    }
  }
  return numbers.empty() ? "()" : numbers;
}

// Checks that both pictures show every element, each at its linear index, and padding in all other cells.
void ExpectPicturesShowTheIndex(const std::string& text, int64_t& cells_checked) {
  SCOPED_TRACE(text);
  const auto layout = ReadValid(text);
  ASSERT_NE(layout, nullptr);
  const std::optional<MemoryBoxes> boxes = layout->Boxes();
  ASSERT_TRUE(boxes.has_value());
  const TextStyle unfolded{false, 1 << 20, 1 << 20};

  const std::string svg = DrawSvg({text, {}, &*boxes});
  const std::map<int64_t, std::string> titles = TitlesOfSvg(svg);
  int64_t elements_drawn = 0;
  for (const auto& [offset, title] : titles) {
    if (title == "padding") continue;
    ++elements_drawn;
    EXPECT_EQ(layout->IndexOf(NumbersOf(title)), offset) << title;
  }
  // Dots stand for cells that a large picture leaves out. A picture without dots shows all cells.
  if (svg.find("<circle class=\"dot\"") == std::string::npos) {
    EXPECT_EQ(static_cast<int64_t>(titles.size()), boxes->Cells());
    EXPECT_EQ(elements_drawn, layout->Sizes().elements);
  }
  cells_checked += static_cast<int64_t>(titles.size());

  if (boxes->columns != 1 || !boxes->pages.empty()) return;
  const std::vector<std::string> cells = CellsOfText(DrawText(*boxes, unfolded));
  ASSERT_EQ(static_cast<int64_t>(cells.size()), boxes->Cells());
  int64_t elements = 0;
  for (size_t offset = 0; offset < cells.size(); ++offset) {
    if (cells[offset].starts_with("..")) continue;
    ++elements;
    EXPECT_EQ(layout->IndexOf(cells[offset]), static_cast<int64_t>(offset));
  }
  EXPECT_EQ(elements, layout->Sizes().elements);
  cells_checked += boxes->Cells();
}

TEST(Picture, EveryCellIsAtItsIndex) {
  int64_t cells = 0;
  for (const char* text :
       {"f32[3,5]{1,0:T(2,2)}", "f32[4,8]{1,0:T(2,4)(2,1)}", "f32[9,1]{1,0:T(8,4)}", "s32[]{:T(128)}", "f32[]",
        "f32[20]{0:T(8)}", "f32[20]{0:T(16)(4)(2,1)}", "f32[3,5]{0,1}", "f32[2,3,4]{1,2,0:T(2,2)}",
        "f32[2,3]{0,1}pad[3,5]=0", "f32[4,6]{1,0:T(2,3)(2,2,1)}", "f32[2,2,3,5]{3,2,1,0:T(2,*,4)}"}) {
    ExpectPicturesShowTheIndex(text, cells);
  }
  const LayoutScope scope{.max_rank = 4, .max_elements = 300, .max_padded_elements = 600};
  constexpr uint64_t kSeed = 20261120;
  constexpr uint64_t kLayouts = 1500;
  for (uint64_t number = 0; number < kLayouts; ++number) {
    RandomChoices choices(kSeed, number);
    const std::string text = ToString(DrawLayout(choices, scope));
    if (const auto layout = ReadValid(text); layout != nullptr && layout->Sizes().padded_elements > 0) {
      ExpectPicturesShowTheIndex(text, cells);
    }
  }
  std::printf("%llu random layouts of seed %llu, %lld cells\n", static_cast<unsigned long long>(kLayouts),
              static_cast<unsigned long long>(kSeed), static_cast<long long>(cells));
  EXPECT_GT(cells, 50000);
}

TEST(Picture, WhatARoomFoldsAwayIsCounted) {
  const auto layout = ReadValid("bf16[20,300]{1,0:T(8,128)(2,1)}");  // three rows of tiles
  const std::optional<MemoryBoxes> boxes = layout->Boxes();
  const std::string two_rows = DrawCellsSvg("memory", *boxes, {.width = 600, .height = 340});
  EXPECT_NE(two_rows.find(">1 more row of tiles<"), std::string::npos);
  EXPECT_NE(two_rows.find(">6144: y=16 x=0<"), std::string::npos);  // the last row of tiles is shown
  const std::string one_row = DrawCellsSvg("memory", *boxes, {.width = 600, .height = 160});
  EXPECT_NE(one_row.find(">2 more rows of tiles<"), std::string::npos);
}

TEST(Picture, FitsTheWidthWhateverTheLayout) {
  constexpr uint64_t kSeed = 4;
  int64_t drawn = 0;
  for (uint64_t number = 0; number < 3000; ++number) {
    RandomChoices choices(kSeed, number);
    const LayoutScope scope{};
    const std::string text = ToString(number % 2 == 0 ? DrawLayout(choices, scope) : DrawHugeLayout(choices, scope));
    const auto layout = ReadValid(text);
    ASSERT_NE(layout, nullptr);
    if (layout->Sizes().padded_elements == 0) continue;
    const std::optional<MemoryBoxes> boxes = layout->Boxes();
    ASSERT_TRUE(boxes.has_value());
    const TextStyle style{false, 120, 40};
    const std::string text_picture = DrawText(*boxes, style);
    const std::string body = text_picture.substr(text_picture.find('\n') + 1);
    std::string_view picture = body;
    int64_t lines = 0;
    while (!picture.empty()) {
      const std::string_view line = picture.substr(0, picture.find('\n'));
      EXPECT_LE(line.size(), 120u) << text << "\n" << line;
      picture.remove_prefix(std::min(picture.size(), line.size() + 1));
      ++lines;
    }
    EXPECT_LE(lines, 48) << text << "\n" << body;
    EXPECT_LT(DrawSvg({text, {}, &*boxes}).size(), size_t{8} << 20) << text;
    ++drawn;
  }
  std::printf("%lld random layouts of seed %llu drawn\n", static_cast<long long>(drawn),
              static_cast<unsigned long long>(kSeed));
}

TEST(Picture, LettersOfThePaddedLayoutOf2017) {
  const auto layout = ReadValid("f32[2,3]{0,1}pad[3,5]=0");
  EXPECT_EQ(DrawLetters(*layout->Boxes(), layout->PaddingSymbol(), {}), "a d 0 b e 0 c f 0 0 0 0 0 0 0");
  const auto tiled = ReadValid("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(DrawLetters(*tiled->Boxes(), tiled->PaddingSymbol(), {}),
            "a b f g c d h i e . j . k l . . m n . . o . . .");
  EXPECT_EQ(DrawLetters(*ReadValid("f32[27]")->Boxes(), '.', {}), "");
}

TEST(Picture, TextOfTheDocumentsExample) {
  EXPECT_EQ(DrawText(*ReadValid("f32[3,5]{1,0:T(2,2)}")->Boxes(), {.utf8 = false}),
            "Memory, tile by tile; in each cell y,x, above each tile the linear index; .. is padding\n"
            "\n"
            "  0           4           8\n"
            "  +---------+ +---------+ +---------+\n"
            "  | 0,0 0,1 | | 0,2 0,3 | | 0,4 ... |\n"
            "  | 1,0 1,1 | | 1,2 1,3 | | 1,4 ... |\n"
            "  +---------+ +---------+ +---------+\n"
            "  12          16          20\n"
            "  +---------+ +---------+ +---------+\n"
            "  | 2,0 2,1 | | 2,2 2,3 | | 2,4 ... |\n"
            "  | ... ... | | ... ... | | ... ... |\n"
            "  +---------+ +---------+ +---------+\n");
}

TEST(Picture, CellsPastTheAllocationAreBlank) {
  EXPECT_EQ(CellsOfText(DrawText(*ReadValid("(3,4):(5,1)")->Boxes(), {.utf8 = false})),
            (std::vector<std::string>{"0,0", "0,1", "0,2", "0,3", "...", "1,0", "1,1", "1,2", "1,3", "...", "2,0",
                                      "2,1", "2,2", "2,3"}));
}

TEST(Picture, NegativeStridesStartBelowZero) {
  const auto layout = ReadValid("(4,2):(-1,4)");
  const std::vector<std::string> cells = CellsOfText(DrawText(*layout->Boxes(), {.utf8 = false}));
  ASSERT_EQ(cells.size(), 8u);
  for (size_t k = 0; k < cells.size(); ++k) {
    EXPECT_EQ(layout->IndexOf(cells[k]), static_cast<int64_t>(k) + layout->Sizes().first_offset);
  }
}

}  // namespace
}  // namespace layoutcheck
