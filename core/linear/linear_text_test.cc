// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_text.h"
#include <gtest/gtest.h>
#include <random>
#include <string>
#include "layoutcheck/core/testing/random_linear_layout.h"

namespace layoutcheck {
namespace {

TEST(LinearText, Canonical) {
  const std::pair<const char*, const char*> texts[] = {
      {"ll{register:[1,2],lane:[4,8,16],warp:[]} -> [32]", ""},
      {" ll { register : [ 1 , 2 ] } -> [ 4 ] ", "ll{register:[1,2]} -> [4]"},
      {"ll{offset:[(0,1),(0,2),(1,1)]} -> [32,16]", ""},
      {"ll{offset:[(0,1)]} -> [dim0:32,dim1:16]", "ll{offset:[(0,1)]} -> [32,16]"},
      {"ll{offset:[(0,1)]} -> [row:32,dim1:16]", "ll{offset:[(0,1)]} -> [row:32,16]"},
      {"ll{offset:[(0,1)]} -> [dim1:32,dim0:16]", ""},
      {"ll{a:[(3)]} -> [4]", "ll{a:[3]} -> [4]"},
      {"ll{a:[(),()]} -> []", ""},
      {"ll{} -> [1]", ""},
      {"ll{} -> []", ""},
      {"ll{a:[2305843009213693952]} -> [4611686018427387904]", ""},
  };
  for (const auto& [text, canonical] : texts) {
    const Expected<LinearLayout> layout = ParseLinearLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    EXPECT_TRUE(IsLinearText(text));
    EXPECT_EQ(ToString(*layout), *canonical == '\0' ? text : canonical);
  }
  EXPECT_FALSE(IsLinearText("ll_thing"));
  EXPECT_FALSE(IsLinearText("(4,2):(1,4)"));
}

TEST(LinearText, ErrorsNameTheirColumn) {
  const std::pair<const char*, const char*> texts[] = {
      {"l", "column 1: expected 'll{', found 'l'"},
      {"ll", "column 3: expected '{' before the inputs, found end of text"},
      {"ll{lane[1]} -> [2]", "column 8: expected ':' after 'lane', found '['"},
      {"ll{4:[1]} -> [2]", "column 4: expected the name of an input, found '4'"},
      {"ll{lane:[1,]} -> [2]", "column 12: expected an integer or '(' in the images, found ']'"},
      {"ll{lane:[1 2]} -> [2]", "column 12: expected ',' or ']' in the images, found '2'"},
      {"ll{lane:[1}", "column 11: expected ',' or ']' in the images, found '}'"},
      {"ll{lane:[1]] -> [2]", "column 12: expected ',' or '}' in the inputs, found ']'"},
      {"ll{lane:[1]} [2]", "column 14: expected '->' after the inputs, found '['"},
      {"ll{lane:[1]} -> 2", "column 17: expected '[' before the outputs, found '2'"},
      {"ll{lane:[1]} -> [2", "column 19: expected ',' or ']' in the outputs, found end of text"},
      {"ll{lane:[1]} -> [2] x", "column 21: expected end of text after the outputs, found 'x'"},
      {"ll{lane:[1]} -> [3]", "column 18: expected a power of two as the size of output 'dim0', found 3"},
      {"ll{lane:[1]} -> [0]", "column 18: expected a power of two as the size of output 'dim0', found 0"},
      {"ll{lane:[2]} -> [2]", "column 10: the image 2 is outside output 'dim0' of size 2: expected 0 to 1"},
      {"ll{lane:[-1]} -> [2]", "column 10: the image -1 is outside output 'dim0' of size 2: expected 0 to 1"},
      {"ll{lane:[(1,4)]} -> [2,4]", "column 13: the image 4 is outside output 'dim1' of size 4: expected 0 to 3"},
      {"ll{lane:[1]} -> [2,4]", "column 10: expected 2 integers in the image, one per output, found 1"},
      {"ll{lane:[1],lane:[]} -> [2]", "column 13: expected different names, found another input named 'lane'"},
      {"ll{} -> [a:2,a:2]", "column 14: expected different names, found another output named 'a'"},
      {"ll{} -> [dim1:2,2]",
       "column 17: expected different names, found 'dim1' before the output of that default name"},
      {"ll{} -> [4611686018427387904,2]", "column 30: expected at most 62 bits of all outputs together, found 63"},
      {"ll{lane:[99999999999999999999]} -> [2]", "column 10: the integer 99999999999999999999 does not fit int64"},
  };
  for (const auto& [text, message] : texts) {
    const Expected<LinearLayout> layout = ParseLinearLayout(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_EQ(layout.error().ToString(), message) << text;
  }
  std::string many = "ll{a:[0";
  for (int k = 0; k < 62; ++k) many += ",0";
  EXPECT_EQ(ParseLinearLayout(many + "]} -> [1]").error().ToString(),
            "column 131: expected at most 62 bits of all inputs together");
}

TEST(LinearText, ReadsBackWhatItPrints) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 2000; ++n) {
    const LinearLayout layout = RandomLinearLayout(random, {.max_bits = n % 2 == 0 ? 8u : 62u});
    const Expected<LinearLayout> again = ParseLinearLayout(ToString(layout));
    ASSERT_TRUE(again.has_value()) << ToString(layout) << again.error().ToString();
    EXPECT_EQ(*again, layout);
  }
}

// A text with one byte changed, removed or added is a layout whose text reads back, or an error with a column.
TEST(LinearText, ChangedTextsAreReadOrRejected) {
  std::mt19937_64 random(2);
  const std::string alphabet = "ll{}[](),:->0123456789abregistdm_ \t\n\x80";
  int accepted = 0;
  for (int n = 0; n < 6000; ++n) {
    std::string text = ToString(RandomLinearLayout(random, {.max_bits = 6}));
    const size_t at = random() % text.size();
    const char byte = alphabet[random() % alphabet.size()];
    if (n % 3 == 0) text[at] = byte;
    if (n % 3 == 1) text.erase(at, 1);
    if (n % 3 == 2) text.insert(at, 1, byte);
    const Expected<LinearLayout> layout = ParseLinearLayout(text);
    if (!layout) {
      EXPECT_GE(layout.error().column, 1) << text;
      EXPECT_LE(layout.error().column, static_cast<int64_t>(text.size()) + 1) << text;
      continue;
    }
    ++accepted;
    EXPECT_EQ(ParseLinearLayout(ToString(*layout)).value(), *layout) << text;
  }
  EXPECT_GT(accepted, 150);
}

}  // namespace
}  // namespace layoutcheck
