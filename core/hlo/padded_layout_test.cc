// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/padded_layout.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

namespace layoutcheck {
namespace {

std::string Picture(const PaddedLayout& layout, std::string_view names, char padding) {
  std::string text;
  const auto cells = layout.MemoryPicture().value();
  for (const auto& cell : cells) {
    if (!text.empty()) text += ' ';
    text += cell ? names[static_cast<size_t>(*cell)] : padding;
  }
  return text;
}

TEST(PaddedLayout, TheDocumentsExample) {
  const auto layout = PaddedLayout::Parse("f32[2,3]{0,1}pad[3,5]=0").value();
  EXPECT_EQ(Picture(layout, "abcdef", '0'), "a d 0 b e 0 c f 0 0 0 0 0 0 0");
  EXPECT_EQ(layout.elements(), 6);
  EXPECT_EQ(layout.padded_elements(), 15);
  EXPECT_EQ(layout.bytes(), 60);
  EXPECT_EQ(layout.LinearIndex(std::vector<int64_t>{1, 2}).value(), 7);
  EXPECT_EQ(layout.IndexAt(7).value(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(layout.IndexAt(8).value(), std::nullopt);
}

TEST(PaddedLayout, RowMajorPicture) {
  const auto layout = PaddedLayout::Parse("f32[2,3]pad[3,5]").value();
  EXPECT_EQ(Picture(layout, "abcdef", '-'), "a b c - - d e f - - - - - - -");
}

TEST(PaddedLayout, SizesCountThePadding) {
  EXPECT_EQ(PaddedLayout::Parse("f32[10,20]pad[15,21]")->bytes(), 1260);
  EXPECT_EQ(PaddedLayout::Parse("f32[10,20]pad[]")->bytes(), 800);
  EXPECT_EQ(PaddedLayout::Parse("f64[]pad[]")->bytes(), 8);
  EXPECT_EQ(PaddedLayout::Parse("f32[0,20]pad[2,21]")->padded_elements(), 42);
  EXPECT_EQ(PaddedLayout::Parse("f32[0,20]pad[2,21]")->elements(), 0);
  EXPECT_EQ(PaddedLayout::Parse("f32[10,20]pad[10,20]")->padded_elements(), 200);
  EXPECT_EQ(PaddedLayout::Parse("f32[10,20]pad[]")->padded_elements(), 200);
}

TEST(PaddedLayout, TextRoundTrips) {
  for (const std::string text :
       {"f32[2,3]{0,1}pad[3,5]=0", "bf16[2,3]{1,0}pad[3,5]=1", "s8[7]{0}pad[8]=lowest", "u8[7]{0}pad[8]=highest",
        "pred[7]{0}pad[8]=unknown", "f32[7]{0}pad[8]", "f32[7]{0}pad[]", "f32[]pad[]=0"}) {
    const auto layout = PaddedLayout::Parse(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    EXPECT_EQ(layout->ToString(), text);
    EXPECT_TRUE(PaddedLayout::Parse(layout->ToString()).value() == *layout) << text;
  }
  const auto spaced = PaddedLayout::Parse(" f32[2,3] {0,1} /* pad */ pad [ 3 , 5 ] = lowest ");
  EXPECT_EQ(spaced->ToString(), "f32[2,3]{0,1}pad[3,5]=lowest");
  EXPECT_EQ(spaced->padding_value(), PaddingValue::kLowest);
  EXPECT_EQ(PaddedLayout::Parse("f32[7]pad[8]")->padding_value(), PaddingValue::kInvalid);
}

TEST(PaddedLayout, SyntaxErrorsNameTheColumn) {
  const std::vector<std::pair<std::string, int64_t>> texts = {
      {"", 1},
      {"f32[2,3]{0,1}", 14},
      {"f32[2,3]{0,1}/*pad*/", 21},
      {"pad[3,5]", 1},
      {"f32[2,3]{0,1}pad", 17},
      {"f32[2,3]{0,1}pad(3,5)", 17},
      {"f32[2,3]{0,1}pad[3,5", 21},
      {"f32[2,3]{0,1}pad[3,,5]", 20},
      {"f32[2,3]{0,1}pad[3,x]", 20},
      {"f32[2,3]{0,1}pad[3,99999999999999999999]", 20},
      {"f32[2,3]{0,1}pad[3,5]=", 23},
      {"f32[2,3]{0,1}pad[3,5]=2", 23},
      {"f32[2,3]{0,1}pad[3,5]=zero", 23},
      {"f32[2,3]{0,1}pad[3,5]0", 22},
      {"f32[2,3]{0,1}pad[3,5]=0 1", 25},
      {"f32[2;3]{0,1}pad[3,5]=0", 6},
  };
  for (const auto& [text, column] : texts) {
    const auto layout = PaddedLayout::Parse(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_EQ(layout.error().kind, ErrorKind::kSyntax) << text << ": " << layout.error().ToString();
    EXPECT_EQ(layout.error().column, column) << text << ": " << layout.error().ToString();
  }
}

TEST(PaddedLayout, InvalidLayoutsAreRejected) {
  const auto error = [](const std::string& text) { return PaddedLayout::Parse(text).error(); };
  EXPECT_EQ(error("f32[2,3]{0,1}pad[3]").message, "expected 2 padded dimensions or none, found 1");
  EXPECT_EQ(error("f32[2,3]{0,1}pad[3,2]=0").message, "dimension 1 of size 3 is padded to 2, which is smaller");
  EXPECT_EQ(error("f32[2,3]{0,1}pad[-3,5]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("f32[]pad[1]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("f32[2,3]{0,0}pad[3,5]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("f32[2,3]{0,1:T(2,2)}pad[3,5]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("f32[2,3]{0,1:S(1)}pad[3,5]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("f32[<=2,3]{0,1}pad[3,5]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("(f32[2])pad[3]").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(error("token[]pad[]").kind, ErrorKind::kInvalidLayout);
  // XLA's size check of 2018-10-15 used the unpadded dimensions.
  EXPECT_EQ(error("f32[2,3]{0,1}pad[4294967296,4294967296]").message, "the padded element count does not fit int64");
  EXPECT_EQ(error("f32[2]{0}pad[4611686018427387904]").message, "the padded byte size does not fit int64");
}

TEST(PaddedLayout, BadIndicesAndOffsetsAreErrors) {
  const auto layout = PaddedLayout::Parse("f32[2,3]{0,1}pad[3,5]").value();
  for (const std::vector<int64_t>& index : {std::vector<int64_t>{2, 0}, {0, 3}, {-1, 0}, {0}, {0, 0, 0}}) {
    EXPECT_EQ(layout.LinearIndex(index).error().kind, ErrorKind::kInvalidArgument);
  }
  EXPECT_EQ(layout.LinearIndex(std::vector<int64_t>{0, 3}).error().message,
            "index 3 of dimension 1 is not within its size 3");
  EXPECT_EQ(layout.IndexAt(-1).error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(layout.IndexAt(15).error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(PaddedLayout::Parse("f32[2]pad[1000000000]")->MemoryPicture().error().kind, ErrorKind::kUnsupported);
}

// Every cell is either padding or the cell of exactly one index, and LinearIndex and IndexAt agree.
TEST(PaddedLayout, IndexAndOffsetAreInverse) {
  std::mt19937 random(11);
  int64_t cells = 0;
  constexpr int kLayouts = 2000;
  for (int i = 0; i < kLayouts; ++i) {
    std::vector<int64_t> dimensions;
    std::vector<int64_t> padded;
    std::vector<int64_t> minor_to_major;
    for (auto d = random() % 5; d > 0; --d) {
      minor_to_major.push_back(static_cast<int64_t>(dimensions.size()));
      dimensions.push_back(static_cast<int64_t>(random() % 5));
      padded.push_back(dimensions.back() + static_cast<int64_t>(random() % 3));
    }
    std::ranges::shuffle(minor_to_major, random);
    const auto layout = PaddedLayout::Create(Shape::Array(ElementType::kF32, dimensions, Layout(minor_to_major)),
                                             padded, PaddingValue::kZero)
                            .value();
    int64_t found = 0;
    for (int64_t offset = 0; offset < layout.padded_elements(); ++offset, ++cells) {
      const auto index = layout.IndexAt(offset).value();
      if (!index) continue;
      ++found;
      ASSERT_EQ(layout.LinearIndex(*index).value(), offset) << layout.ToString();
    }
    ASSERT_EQ(found, layout.elements()) << layout.ToString();
    ASSERT_EQ(std::ranges::count_if(layout.MemoryPicture().value(), [](const auto& cell) { return cell.has_value(); }),
              layout.elements());
  }
  std::printf("%d random padded layouts (seed 11): rank <= 4, sizes <= 4, padded by <= 2, %lld cells\n", kLayouts,
              static_cast<long long>(cells));
}

}  // namespace
}  // namespace layoutcheck
