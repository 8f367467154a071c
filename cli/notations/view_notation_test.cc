// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/view_notation.h"
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/notations/comparison.h"
#include "layoutcheck/cli/notations/conversion.h"
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Views in every notation.
constexpr const char* kViews[] = {
    "zN:f16[20,40]@[5:12,7:14]",
    "zN:f16[20,40]@[16:32,32:48]",
    "nZ:s8[3,5]@[1:3,_]",
    "VectorLayout:f32[1,9]@[2:5]",
    "((4,2),(4,3)):((4,16),(1,32))@[6:8,4:8]",
    "((4,2),(4,3)):((4,16),(1,32))@[3:7,2:9]",
    "(8,16):(16,1)@[_,3]",
    "(8,16):(16,1)@[2,3]",
    "(4,(2,2)):(-1,(8,16))@[1:3,1:4]",
    "Sw<2,0,3> o 0 o (8,8):(8,1)@[2:5,3:8]",
    "7:3@[2:]",
    "f32[3,5]{1,0:T(2,2)}@[1:3,2:5]",
    "f32[2,3,4]{2,1,0:T(2,*,3)(2,1)}@[1,_,1:3]",
    "bf16[2,3,9]{0,2,1:T(4,4)(2,1)}@[:,1,:8]",
    "f32[2,3]{0,1}pad[3,5]=0@[0:2,1:2]",
    "zN:f16[20,40]@[5:12,7:20]@[2:5,1:9]",
};

std::string ErrorOf(std::string_view text) {
  const auto layout = ReadLayout(text);
  return layout ? "" : layout.error().ToString();
}

TEST(ViewNotation, ElementsAreThoseOfTheWhole) {
  for (const char* text : kViews) {
    SCOPED_TRACE(text);
    const auto view = ReadValid(text);
    ASSERT_NE(view, nullptr);
    const AllocationSizes sizes = view->Sizes();
    EXPECT_EQ(sizes.padded_elements, view->Whole()->Sizes().padded_elements);
    int64_t elements = 0;
    for (int64_t k = 0; k < sizes.padded_elements; ++k) {
      const auto element = view->ElementAt(sizes.first_offset + k);
      ASSERT_TRUE(element.has_value());
      if (!*element) continue;
      ++elements;
      EXPECT_EQ(view->IndexOf(CoordinateText(**element)), sizes.first_offset + k);
    }
    EXPECT_EQ(elements, sizes.elements);
    EXPECT_GT(elements, 0);
    // The canonical text is that of one view, which is the same.
    const auto again = ReadValid(view->Text());
    EXPECT_EQ(again->Text(), view->Text());
    EXPECT_EQ(Compare(*view, *again, std::nullopt)->relation, MemoryRelation::kIdentical);
  }
}

TEST(ViewNotation, CanonicalTextIsOneView) {
  EXPECT_EQ(ReadValid("zN:f16[20,40] @ [ 5 : 12 , : ]")->Text(), "zN:f16[20,40]@[5:12,0:40]");
  EXPECT_EQ(ReadValid("zN:f16[20,40]@[5:12,7:20]@[2:5,1:99]")->Text(), "zN:f16[20,40]@[7:10,8:20]");
  EXPECT_EQ(ReadValid("(8,16):(16,1)@[_,3]@[2:4]@[1]")->Text(), "(8,16):(16,1)@[3,3]");
}

TEST(ViewNotation, ConvertsToStridesExactlyOrNot) {
  const auto converted = [](std::string_view text) {
    const auto result = Convert(*ReadValid(text), ConversionTarget::kShapeStride, ElementType::kF32);
    return result ? result->text : result.error().message;
  };
  EXPECT_EQ(converted("zN:f16[20,40]@[5:12,7:14]"), "87 o ((16,1),(16,1)):((16,256),(1,512))");
  EXPECT_EQ(converted("zN:f16[20,40]@[5:12,7:17]"),
            "the view begins inside of a block: element (0,9) has offset 592, its strides give 96");
  EXPECT_EQ(converted("(8,16):(16,1)@[_,3]"), "3 o (8):(16)");
  EXPECT_EQ(converted("f32[100,300]{1,0:T(8,128)}@[8:16,128:256]"), "4096 o ((8,1),(128,1)):((128,3072),(1,1024))");
  // Every view that converts has the elements of its strides.
  for (const char* text : kViews) {
    const auto view = ReadValid(text);
    const auto result = Convert(*view, ConversionTarget::kShapeStride, ElementType::kF32);
    if (!result) continue;
    const auto strides = ReadValid(result->text);
    ForEachIndex(view->Dimensions(), [&](std::span<const int64_t> c) {
      EXPECT_EQ(view->Index(c), strides->Index(c)) << text;
      return true;
    });
  }
}

TEST(ViewNotation, ComparesWithLayoutsAndViews) {
  const auto relation = [](std::string_view a, std::string_view b) {
    const auto comparison = Compare(*ReadValid(a), *ReadValid(b), std::nullopt);
    return comparison ? std::string(RelationName(comparison->relation)) : comparison.error().message;
  };
  EXPECT_EQ(relation("(8,16):(16,1)@[2:4,3:7]", "35 o (2,4):(16,1)"), "identical");
  EXPECT_EQ(relation("zN:f16[20,40]@[5:12,7:17]", "zN:f16[20,41]@[5:12,7:17]"), "identical");
  EXPECT_EQ(relation("zN:f16[20,40]@[5:12,7:17]", "zN:f16[40,40]@[5:12,7:17]"), "permuted");
  EXPECT_EQ(relation("zN:f16[20,40]@[5:12,7:17]", "zN:f16[20,40]"), "different size");
  const auto slice = Compare(*ReadValid("zN:f16[20,40]"), *ReadValid("zN:f16[20,40]@[5:12,7:17]"), std::nullopt);
  ASSERT_TRUE(slice->slice.has_value());
  EXPECT_TRUE(slice->slice->of_a);
  EXPECT_EQ(slice->slice->start, (std::vector<int64_t>{5, 7}));
}

TEST(ViewNotation, ShowsTheWholeWithTheElementsOfTheView) {
  const auto view = ReadValid("f32[4,4]{1,0:T(2,2)}@[1:3,1:3]");
  EXPECT_EQ(DrawLetters(*view->Boxes(), '.', {.utf8 = false, .width = 80, .height = 40}),
            ". . . a . . b . . c . . d . . .");
  std::string facts;
  for (const auto& [name, value] : SummaryOf(*view)) facts += name + "=" + value + "\n";
  EXPECT_EQ(facts,
            "elements=4\n"
            "of=f32[4,4]{1,0:T(2,2)}: 16 padded elements, 64 bytes\n"
            "tile=2 x 2\n"
            "valid extent=2 x 2\n"
            "strided form=none: the view begins inside of a block: element (1,0) has offset 9, its strides give 5\n");
  EXPECT_EQ(view->Details()["first_wrong"]["offset"], 9);
  EXPECT_EQ(ReadValid("(8,16):(16,1)@[_,3]")->Details()["strided"], "3 o (8):(16)");
}

TEST(ViewNotation, ErrorsHaveTheColumnInTheWholeText) {
  EXPECT_EQ(ErrorOf("zN:f16[20,40]@[5:12]"), "column 14: a view of 1 ranges: expected 2, one per mode");
  EXPECT_EQ(ErrorOf("zN:f16[20,40]@[5:12,7:14]@[8,_]"), "column 28: index 8 is outside of the mode's 7 elements");
  EXPECT_EQ(ErrorOf("zX:f16[20,40]@[5:12,7:14]").substr(0, 9), "column 1:");
  EXPECT_EQ(ErrorOf("zN:f16[20,40]@[5:12,7:14"), "column 25: expected ',' or ']', found end of text");
  EXPECT_EQ(ErrorOf("@[1]").empty(), false);
  // Many views of views are one view.
  std::string text = "(8,16):(16,1)";
  for (int i = 0; i < 100000; ++i) text += "@[:,:]";
  EXPECT_EQ(ReadValid(text)->Text(), "(8,16):(16,1)@[0:8,0:16]");
}

}  // namespace
}  // namespace layoutcheck
