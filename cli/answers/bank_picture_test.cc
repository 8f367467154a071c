// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of accesses to shared memory.
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/cli/answers/bank_access.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/testing/picture_text.h"

namespace layoutcheck {
namespace {

std::string PictureOf(const std::string& layout, std::string_view text) {
  const auto access = ParseBankAccess(text);
  EXPECT_TRUE(access) << text;
  if (!access) return "";
  const auto banks = BanksOf(*ReadValid(layout), *access);
  EXPECT_TRUE(banks) << text << ": " << (banks ? "" : banks.error().ToString());
  if (!banks) return "";
  const Picture picture{layout, BanksFacts(*banks), nullptr, nullptr, &*banks};
  const std::string svg = DrawSvg(picture);
  ExpectWellFormed(svg, layout);
  EXPECT_NE(DrawHtml(picture).find("Shared memory, a row per 128 bytes"), std::string::npos);
  return svg;
}

// ldmatrix.x4 from rows of 128 bytes: the 8 rows of a matrix begin in bank 0, and a swizzle moves each to other banks.
TEST(BankPicture, MarksEveryWordOfABankWithSeveral) {
  const std::string conflict = PictureOf("ldmatrix.x4.addresses", "lane -> 16 bytes of f16 in (64,64):(64,1)");
  // Twice 32 lanes with 4 registers each, 4 banks in each of 4 phases, and the swatch of the legend.
  EXPECT_EQ(Count(conflict, " marked\""), 2u * 32 * 4 + 4 * 4);
  EXPECT_EQ(Count(conflict, " marked swatch\""), 1u);
  EXPECT_EQ(Count(conflict, ": 8 passes<"), 4u);
  EXPECT_EQ(Count(conflict, "<title>lane 9, register 2: bank 2, byte 1160</title>"), 1u);
  EXPECT_EQ(Count(conflict, "<title>byte 1160, bank 2: lane 9</title>"), 1u);
  EXPECT_EQ(Count(conflict, "<title>bank 3: 8 words</title>"), 4u);

  const std::string none =
      PictureOf("ldmatrix.x4.addresses", "lane -> 16 bytes of f16 in Sw<3,3,3> o 0 o (64,64):(64,1)");
  EXPECT_EQ(Count(none, "marked\""), 0u);
  EXPECT_EQ(Count(none, ": 1 pass, no conflict<"), 4u);
  EXPECT_EQ(Count(none, "<title>byte 1184, bank 8: lane 9</title>"), 0u);
  EXPECT_EQ(Count(none, "<title>byte 1168, bank 4: lane 8</title>"), 0u);
  EXPECT_EQ(Count(none, "<title>bank 31: 1 word</title>"), 4u);
}

TEST(BankPicture, LanesShareWords) {
  const std::string bytes = PictureOf("(32):(1)", "lane -> 1 byte of u8");
  EXPECT_EQ(Count(bytes, ">28-31</text>"), 1u);
  EXPECT_EQ(Count(bytes, "<title>byte 28, bank 7: lane 28,29,30,31</title>"), 1u);
  // Lanes 0, 8, 16 and 24 read the same word, and no bank has two.
  const std::string broadcast = PictureOf("((8,4)):((1,0))", "lane -> 4 bytes of f32");
  EXPECT_EQ(Count(broadcast, ">0+3</text>"), 1u);
  EXPECT_EQ(Count(broadcast, "marked\""), 0u);
}

// Loads that merge phases are drawn before stores, with the reason.
TEST(BankPicture, LoadsThatMergePhases) {
  const std::string pairs = PictureOf("((2,16)):((0,4))", "lane -> 16 bytes of f32");
  EXPECT_EQ(Count(pairs, "; one phase, as every lane accesses the address of lane ^ 1<"), 2u);
  EXPECT_EQ(Count(pairs, ">Lanes 0 to 15: 1 pass, no conflict; one phase"), 1u);
  EXPECT_EQ(Count(pairs, ">Lanes 8 to 15: 1 pass, no conflict<"), 1u);
  EXPECT_EQ(Count(pairs, ">Loads. "), 2u);
  EXPECT_EQ(Count(pairs, ">Stores. "), 2u);
}

// Rows without an access are left out, and so are phases that do not fit, the worst of which is drawn first.
TEST(BankPicture, IsFolded) {
  const std::string far = PictureOf("(2):(1024)", "lane -> 4 bytes of f32");
  EXPECT_EQ(Count(far, ">byte 4096</text>"), 1u);
  EXPECT_EQ(Count(far, ">byte 128</text>"), 0u);
  EXPECT_EQ(Count(far, "<circle class=\"dot\""), 3u);

  const std::string many = PictureOf("((32,32)):((32,1))", "lane -> 4 bytes of f32");
  EXPECT_EQ(Count(many, ": 32 passes<"), 2u);
  EXPECT_EQ(Count(many, ">30 more phases are left out, none of them worse.</text>"), 1u);
  EXPECT_EQ(Count(many, ">896 more lanes are left out.</text>"), 1u);
}

}  // namespace
}  // namespace layoutcheck
