// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/text.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/shape_stride/composed_layout.h"

namespace layoutcheck {
namespace {

TEST(ShapeStrideText, CanonicalForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"((4,2),(4,3)):((4,16),(1,32))", "((4,2),(4,3)):((4,16),(1,32))"},
      {" ( ( _4 , 2 ) , _3 ) : ( ( _1 , _-4 ) , 8 ) ", "((_4,2),_3):((_1,_-4),8)"},
      {"(4,):(1,)", "(4):(1)"},
      {"4:1", "4:1"},
      {"():()", "():()"},
      {"(2,4):(1@1@1,1@0)", "(2,4):(1@1@1,1@0)"},
      {"(4, 8) : (1, 4)", "(4,8):(1,4)"},
  };
  for (const auto& [text, canonical] : cases) {
    const Expected<ShapeStrideLayout> layout = ParseShapeStrideLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
    EXPECT_EQ(ToString(*layout), canonical);
    EXPECT_EQ(*ParseShapeStrideLayout(canonical), *layout);
  }
}

TEST(ShapeStrideText, StaticAnnotationIsKept) {
  const ShapeStrideLayout layout = *ParseShapeStrideLayout("(_4,2):(1,_4)");
  EXPECT_TRUE(layout.shape.elements()[0].is_static());
  EXPECT_FALSE(layout.shape.elements()[1].is_static());
  EXPECT_EQ(layout, *ParseShapeStrideLayout("(4,2):(1,4)"));
}

TEST(ShapeStrideText, ErrorsNameTheColumn) {
  const std::tuple<const char*, int64_t, const char*> cases[] = {
      {"", 1, "integer or '('"},   {"(4,2)", 6, "':'"},
      {"(4,2:1", 5, "',' or ')'"}, {"(4,2):(1,4)x", 12, "end"},
      {"(4,,2):(1,4)", 4, "'('"},  {"(4,_):(1,4)", 5, "integer"},
      {"(4,_ 2):(1,4)", 5, "'_'"}, {"4:99999999999999999999", 3, "int64"},
      {"4:1@", 5, "integer"},      {"  (4,2):(1,(2))", 3, "same structure"},
      {"+4:1", 1, "integer"},      {"\x01", 1, "byte 1"},
  };
  for (const auto& [text, column, what] : cases) {
    const Expected<ShapeStrideLayout> layout = ParseShapeStrideLayout(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_EQ(layout.error().column, column) << text << ": " << layout.error().ToString();
    EXPECT_NE(layout.error().message.find(what), std::string::npos) << text << ": " << layout.error().ToString();
  }
}

TEST(ShapeStrideText, NestingIsBounded) {
  const auto nested = [](size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  EXPECT_TRUE(ParseIntTuple(nested(64)).has_value());
  EXPECT_FALSE(ParseIntTuple(nested(65)).has_value());
  EXPECT_FALSE(ParseIntTuple(std::string(1'000'000, '(')).has_value());
  EXPECT_FALSE(ParseTiler(std::string(1'000'000, '(')).has_value());
  EXPECT_FALSE(ParseTiler(std::string(1'000'000, '<')).has_value());
  std::string path = "1";
  for (int i = 0; i < 100'000; ++i) path += "@0";
  EXPECT_FALSE(ParseIntTuple(path).has_value());
}

TEST(ShapeStrideText, ComposedLayouts) {
  for (const char* const text : {"Sw<3,4,3> o 0 o (8,64):(64,1)", "16 o (8,64):(64,1)", "(8,64):(64,1)", "7:1"}) {
    const Expected<ComposedLayout> composed = ParseComposedLayout(text);
    ASSERT_TRUE(composed.has_value()) << text << ": " << composed.error().ToString();
    EXPECT_EQ(ToString(*composed), text);
  }
  EXPECT_EQ(ToString(*ParseComposedLayout("S<3,0,-3>o_0o(8,8):(8,1)")), "Sw<3,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(ToString(*ParseComposedLayout("Sw<1,0,1> o 3:1")), "Sw<1,0,1> o 0 o 3:1");
  EXPECT_EQ(ParseComposedLayout("Sw<3,0,3> (8,8):(8,1)").error().column, 11);
  EXPECT_EQ(ParseComposedLayout("1@0 o 4:1").error().ToString(), "column 1: expected an offset without an axis");
  EXPECT_FALSE(ParseSwizzle("Sw<3,0,2>").has_value());
  EXPECT_FALSE(ParseSwizzle("Sw<3,0>").has_value());
  EXPECT_FALSE(ParseSwizzle("Sw<3,0,9223372036854775807>").has_value());
  EXPECT_FALSE(ParseSwizzle("Sw<3,0,-9223372036854775808>").has_value());
}

TEST(ShapeStrideText, Tilers) {
  for (const char* const text : {"2:1", "16", "_", "(4,16)", "<3:3;(2,4):(1,8)>", "<2:1;_;4>", "((2,4),_)"}) {
    const Expected<Tiler> tiler = ParseTiler(text);
    ASSERT_TRUE(tiler.has_value()) << text << ": " << tiler.error().ToString();
    EXPECT_EQ(ToString(*tiler), text);
  }
  EXPECT_EQ(ToString(*ParseTiler("<3:3 ; (2,4):(1,8)>")), "<3:3;(2,4):(1,8)>");
  EXPECT_EQ(ParseTiler("(2,4) : (1,8)")->kind, Tiler::Kind::kLayout);
  EXPECT_EQ(ParseTiler("(2:1,4)")->modes[0].kind, Tiler::Kind::kLayout);
  EXPECT_EQ(ParseTiler("_4")->kind, Tiler::Kind::kExtent);
  EXPECT_FALSE(ParseTiler("<2:1").has_value());
  EXPECT_FALSE(ParseTiler("0").has_value());
  EXPECT_FALSE(ParseTiler("(2,4").has_value());
}

// No text of these characters up to length 5 crashes the parser. An accepted text is printed and parsed to its value.
TEST(ShapeStrideText, ShortTextsRoundTrip) {
  const std::string alphabet = "1_-(),:@ ";
  int64_t texts = 0;
  int64_t accepted = 0;
  for (int length = 0; length <= 5; ++length) {
    std::vector<size_t> digits(static_cast<size_t>(length), 0);
    while (true) {
      std::string text;
      for (const size_t d : digits) text.push_back(alphabet[d]);
      ++texts;
      const Expected<ShapeStrideLayout> layout = ParseShapeStrideLayout(text);
      if (layout) {
        ++accepted;
        const std::string printed = ToString(*layout);
        const Expected<ShapeStrideLayout> again = ParseShapeStrideLayout(printed);
        ASSERT_TRUE(again.has_value()) << text;
        EXPECT_EQ(*again, *layout) << text;
        EXPECT_EQ(ToString(*again), printed);
      } else {
        EXPECT_GE(layout.error().column, 1) << text;
      }
      size_t place = 0;
      while (place < digits.size() && ++digits[place] == alphabet.size()) digits[place++] = 0;
      if (place == digits.size()) break;
    }
  }
  std::printf("%lld texts, %lld accepted\n", static_cast<long long>(texts), static_cast<long long>(accepted));
  EXPECT_GT(accepted, 10);
}

// CuTe prints the layouts of shared memory so. Their swizzle is one of bytes: all three are its atom of 128 bytes.
TEST(ShapeStrideText, APointerMakesASwizzleOfBytesOneOfElements) {
  const auto canonical = [](std::string_view text) {
    const auto layout = ParseComposedLayout(text);
    return layout ? ToString(*layout) : layout.error().ToString();
  };
  EXPECT_EQ(canonical("Sw<3,4,3> o smem_ptr[8b](unset) o (8,128):(128,1)"), "Sw<3,4,3> o 0 o (8,128):(128,1)");
  EXPECT_EQ(canonical("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"), "Sw<3,3,3> o 0 o (_8,_64):(_64,_1)");
  EXPECT_EQ(canonical("Sw<3,4,3> o smem_ptr[4b](0x7f00) o (8,256):(256,1)"), "Sw<3,5,3> o 0 o (8,256):(256,1)");
  EXPECT_EQ(canonical("smem_ptr[32b](unset) o (8,32):(32,1)"), "(8,32):(32,1)");
  EXPECT_EQ(canonical("Sw<3,4,3> o smem_ptr[24b](unset) o 8:1"),
            "column 22: expected the bits of an element, a power of two up to 128");
  EXPECT_EQ(canonical("Sw<3,4,3> o smem_ptr[16b](unset o 8:1"),
            "column 38: expected ')' and 'o' after a pointer, found the end of the text");
}

}  // namespace
}  // namespace layoutcheck
