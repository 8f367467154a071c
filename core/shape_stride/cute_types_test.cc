// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/cute_types.h"
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

// Types beside the text that cute::print writes for them.
TEST(CuteTypes, AreTheLayoutsThatCutePrints) {
  const std::vector<std::pair<std::string, std::string>> types = {
      {"Layout<Shape<_8,_64>,Stride<_64,_1>>", "(_8,_64):(_64,_1)"},
      {"cute::Layout<cute::tuple<cute::C<8>, cute::C<64> >, cute::tuple<cute::C<64>, cute::C<1> > >",
       "(_8,_64):(_64,_1)"},
      {"Layout<Shape<Int<8>, Int<64>>,\n       Stride<Int<64>, Int<1>>>", "(_8,_64):(_64,_1)"},
      {"Layout<Shape<Shape<_4,_2>,Shape<_4,_3>>,Stride<Stride<_4,_16>,Stride<_1,_32>>>",
       "((_4,_2),(_4,_3)):((_4,_16),(_1,_32))"},
      {"Layout<_8,_1>", "_8:_1"},
      {"Layout<Shape<_2,3>,Stride<_1,C<-2>>>", "(_2,3):(_1,_-2)"},
      {"ComposedLayout<Swizzle<3,4,3>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>", "Sw<3,4,3> o 0 o (_8,_64):(_64,_1)"},
      {"cute::ComposedLayout<cute::Swizzle<3, 4, 3>, cute::smem_ptr_flag_bits<16>, "
       "cute::Layout<cute::tuple<cute::C<8>, cute::C<64>>, cute::tuple<cute::C<64>, cute::C<1>>>>",
       "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"},
      {"ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag, Layout<Shape<_8,_1024>,Stride<_1024,_1>>>",
       "Sw<3,4,3> o smem_ptr[1b](unset) o (_8,_1024):(_1024,_1)"}};
  for (const auto& [type, printed] : types) {
    EXPECT_TRUE(IsCuteLayoutType(type)) << type;
    EXPECT_TRUE(IsShapeStrideText(type)) << type;
    const auto layout = ParseComposedLayout(type);
    ASSERT_TRUE(layout) << type << ": " << layout.error().ToString();
    const auto expected = ParseComposedLayout(printed);
    ASSERT_TRUE(expected) << printed;
    EXPECT_EQ(ToString(*layout), ToString(*expected)) << type;
  }
  const auto tuple = ParseIntTuple("cute::Shape<_8, Shape<_4,2>>");
  EXPECT_TRUE(tuple && *tuple == ParseIntTuple("(8,(4,2))").value());
  for (const char* other :
       {"Layout", "Layoutx<1>", "f32[2]{0}", "Sw<3,4,3> o 0 o 4:1", "cute::print", "Swizzle<1,2,3>"}) {
    EXPECT_FALSE(IsCuteLayoutType(other)) << other;
  }
}

TEST(CuteTypes, ErrorsNameThePlace) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"Layout<Shape<_8,_64>>", "column 21: expected ',', found '>'"},
      {"Layout<Shape<_8,int>,Stride<_1,_8>>",
       "column 17: expected a number, found 'int': the type does not say this value"},
      {"Layout<Shape<_8,_64>,Stride<_64>>", "column 1: "},
      {"Layout<Shape<_8>,Stride<_1>> x", "column 30: expected the end of the type, found 'x'"},
      {"ComposedLayout<Layout<_8,_1>, _0, Layout<_8,_1>>", "column 16: expected 'Swizzle<'"},
      {"ComposedLayout<Swizzle<3,4,2>, _0, Layout<_8,_1>>", "column 16: "},
      {"ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<12>, Layout<_8,_1>>",
       "column 32: expected the bits of an element"},
      {"Layout<Shape<_99999999999999999999>,Stride<_1>>", "column 15: "},
      {"Layout<", "column 8: expected an integer such as"}};
  for (const auto& [text, message] : wrong) {
    const auto layout = ParseComposedLayout(text);
    ASSERT_FALSE(layout) << text;
    EXPECT_TRUE(layout.error().ToString().starts_with(message)) << text << ": " << layout.error().ToString();
  }
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "Shape<";
  EXPECT_FALSE(ParseComposedLayout("Layout<" + deep));
  EXPECT_FALSE(ParseIntTuple(deep));
}

}  // namespace
}  // namespace layoutcheck
