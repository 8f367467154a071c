// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/linear.h"
#include <gtest/gtest.h>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

// Returns the exclusive or of the images of the bits of `input`.
uint64_t IndexOf(const std::vector<uint64_t>& images, uint64_t input) {
  uint64_t index = 0;
  for (; input != 0; input &= input - 1) index ^= images[static_cast<size_t>(std::countr_zero(input))];
  return index;
}

TEST(Linear, AnImageIsARowMajorNumber) {
  const auto layout = ReadLinear("ll{register:[(4,0)],lane0:[(0,1),(7,3)]} -> [rows:8,4]");
  ASSERT_TRUE(layout.has_value()) << layout.error();
  EXPECT_EQ(layout->sizes, (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(layout->parts, (std::vector<std::vector<int64_t>>{{4, 0}, {0, 1}, {7, 3}}));
  EXPECT_EQ(layout->images, (std::vector<uint64_t>{16, 1, 31}));
  EXPECT_EQ(layout->bits, 5);
  EXPECT_EQ(ReadLinear("ll{} -> []")->bits, 0);
  EXPECT_EQ(ReadLinear("ll{a:[0]} -> [1]")->images, std::vector<uint64_t>{0});
  EXPECT_EQ(ReadLinear("ll{a:[()]} -> []")->images, std::vector<uint64_t>{0});
}

TEST(Linear, OtherTextsAreRefused) {
  std::string many = "1";
  for (int k = 0; k < 62; ++k) many += ",1";
  for (const std::string& text : std::vector<std::string>{
           "ll{a:[1]} -> [3]", "ll{a:[1]} -> [0]", "ll{a:[2]} -> [2]", "ll{a:[-1]} -> [2]", "ll{a:[1],a:[1]} -> [2]",
           "ll{a:[(1,1)]} -> [2]", "ll{a:[1]} -> [2,2]", "ll{a:[1]}->[2]", "ll {a:[1]} -> [2]", "ll{a:[1]} -> [2] ",
           "ll{a:[1,]} -> [2]", "ll{1:[1]} -> [2]", "ll{a:[1]} -> [a:2,a:2]", "ll{a:[(1,1)]} -> [dim1:2,2]",
           "ll{a:[]} -> [9223372036854775808]", "ll{a:[]} -> [4611686018427387904,2]", "ll{a:[1]", "ll",
           StrCat("ll{a:[", many, "]} -> [2]")}) {
    EXPECT_FALSE(ReadLinear(text).has_value()) << text;
  }
}

Verdict CheckLinear(std::string_view law, std::string_view layout, std::string_view body) {
  const auto verdicts =
      VerifyCertificates(StrCat("layoutcheck certificate 1\nlaw ", law, "\nlayout ", layout, "\n", body, "end\n"));
  if (!verdicts || verdicts->size() != 1) return {.reason = "not one certificate"};
  return verdicts->front();
}

TEST(LinearLaws, FollowFromTheRank) {
  for (const auto& [layout, injective, onto] : std::vector<std::array<std::string, 3>>{
           {"ll{register:[1,2],lane:[4,8,16]} -> [32]", "", ""},
           {"ll{row:[9,18,32],column:[1,2,4]} -> [64]", "", ""},
           {"ll{a:[1,2]} -> [8]", "", "expected images that span all indices"},
           {"ll{a:[1,2,3]} -> [4]", "expected images that are independent", ""},
           {"ll{a:[(1,0)],b:[(1,0)]} -> [2,2]", "expected images that are independent",
            "expected images that span all indices"},
           {"ll{a:[0]} -> [1]", "expected images that are independent", ""},
           {"ll{} -> []", "", ""},
           {"ll{a:[6,3,5]} -> [8]", "expected images that are independent", "expected images that span all indices"},
       }) {
    EXPECT_EQ(CheckLinear("injective", layout, "by elimination\n").reason, injective) << layout;
    EXPECT_EQ(CheckLinear("onto", layout, "by elimination\n").reason, onto) << layout;
  }
  EXPECT_FALSE(CheckLinear("inverse", "ll{} -> []", "by elimination\n").proved);
  EXPECT_FALSE(CheckLinear("injective", "ll{} -> []", "by enumeration\n").proved);
  EXPECT_FALSE(CheckLinear("injective", "ll{} -> []", "").proved);
  EXPECT_FALSE(CheckLinear("injective", "ll{} -> []", "formula i0\nby elimination\n").proved);
}

TEST(LinearLaws, EqualityIsThatOfTheImagesOfEachInput) {
  const std::string layout = "ll{a:[1,2],b:[]} -> [4]\nequals ";
  EXPECT_EQ(CheckLinear("equals", layout + "ll{c:[(0,1),(1,0)],d:[]} -> [2,2]", "by images\n").reason, "");
  for (const auto& [other, reason] : std::vector<std::array<std::string, 2>>{
           {"ll{a:[2,1],b:[]} -> [4]", "expected images that are those of the other layout"},
           {"ll{a:[1],b:[2]} -> [4]", "expected inputs with as many bits as the other's"},
           {"ll{a:[1,2]} -> [4]", "expected inputs with as many bits as the other's"},
           {"ll{a:[1,4],b:[]} -> [4]", "equals: column 24: expected images in the outputs"},
           {"4:1", "equals: column 1: expected 'll{', found '4'"}}) {
    EXPECT_EQ(CheckLinear("equals", layout + other, "by images\n").reason, reason) << other;
  }
  EXPECT_FALSE(CheckLinear("equals", layout + "ll{a:[1,2],b:[]} -> [4]", "by elimination\n").proved);
  EXPECT_FALSE(CheckLinear("injective", layout + "ll{a:[1,2],b:[]} -> [4]", "by elimination\n").proved);
  EXPECT_FALSE(CheckLinear("equals", "ll{} -> []", "by images\n").proved);
  EXPECT_FALSE(CheckLinear("equals", "s8[4]{0}\nequals ll{a:[1,2]} -> [4]", "by images\n").proved);
  EXPECT_EQ(CheckLinear("onto", "ll{} -> []\nsource mma.m1", "by elimination\n").claim,
            "onto: ll{} -> [] read from mma.m1");
}

// Compares the verdicts with all indices, and the inverses with what they are said to be.
TEST(LinearLaws, AreThoseOfAllInputs) {
  std::mt19937 draw(5);
  int found[2][2] = {};
  for (int round = 0; round < 400; ++round) {
    const size_t bits = draw() % 6;
    LinearLayout layout{.sizes = {int64_t{1} << bits}, .parts = {}, .images = {}, .bits = bits};
    std::string images;
    for (size_t k = draw() % 6; k > 0; --k) {
      layout.images.push_back(draw() % (1U << bits));
      images += StrCat(images.empty() ? "" : ",", layout.images.back());
    }
    std::set<uint64_t> indices;
    const uint64_t inputs = uint64_t{1} << layout.images.size();
    for (uint64_t input = 0; input < inputs; ++input) indices.insert(IndexOf(layout.images, input));
    const bool is_injective = indices.size() == inputs;
    const bool is_onto = indices.size() == uint64_t{1} << bits;
    const std::string text = StrCat("ll{a:[", images, "]} -> [", layout.sizes[0], "]");
    EXPECT_EQ(CheckLinear("injective", text, "by elimination\n").proved, is_injective) << text;
    EXPECT_EQ(CheckLinear("onto", text, "by elimination\n").proved, is_onto) << text;
    const std::vector<uint64_t> inverse = InverseOf(layout);
    for (size_t k = 0; is_injective && k < layout.images.size(); ++k) {
      EXPECT_EQ(IndexOf(inverse, layout.images[k]), uint64_t{1} << k) << text;
    }
    for (size_t k = 0; is_onto && k < bits; ++k) {
      EXPECT_EQ(IndexOf(layout.images, inverse[k]), uint64_t{1} << k) << text;
    }
    ++found[is_injective][is_onto];
  }
  for (const auto& row : found) {
    for (const int count : row) EXPECT_GT(count, 20);
  }
}

}  // namespace
}  // namespace layoutcheck::verify
