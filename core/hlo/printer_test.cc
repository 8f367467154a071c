// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/printer.h"
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

TEST(Printer, Tiles) {
  EXPECT_EQ(ToString(Tile{{7, 8}}), "(7,8)");
  EXPECT_EQ(ToString(Tile{}), "()");
  EXPECT_EQ(ToString(Tile{{Tile::kCombineDimension, 2, 0}}), "(*,2,0)");
  EXPECT_EQ(ToString(Tile{{-2, 3}}), "(-2,3)");
}

TEST(Printer, Layouts) {
  EXPECT_EQ(ToString(Layout()), "{}");
  EXPECT_EQ(ToString(Layout({0, 1, 2})), "{0,1,2}");
  Layout all({1, 0}, {{{8, 128}}, {{2, 1}}});
  EXPECT_EQ(ToString(all), "{1,0:T(8,128)(2,1)}");
  all.tail_padding_alignment_in_elements = 1024;
  all.index_primitive_type = ElementType::kU32;
  all.pointer_primitive_type = ElementType::kS16;
  all.element_size_in_bits = 4;
  all.memory_space = 1;
  all.split_configs = {{0, {3}}, {1, {}}, {1, {1, 2}}};
  all.physical_shape.push_back(Shape::Array(ElementType::kS32, {10, 20}, Layout({1, 0})));
  all.dynamic_shape_metadata_prefix_bytes = 64;
  EXPECT_EQ(ToString(all), "{1,0:T(8,128)(2,1)L(1024)#(u32)*(s16)E(4)S(1)SC(0:3)(1:)(1:1,2)P(s32[10,20]{1,0})M(64)}");
  Layout odd;
  odd.tail_padding_alignment_in_elements = std::numeric_limits<int64_t>::min();
  odd.index_primitive_type = ElementType::kF32;
  odd.pointer_primitive_type = ElementType::kPred;
  odd.element_size_in_bits = -1;
  odd.memory_space = -7;
  odd.dynamic_shape_metadata_prefix_bytes = -3;
  EXPECT_EQ(ToString(odd), "{:L(-9223372036854775808)#(invalid)*(invalid)E(-1)S(-7)}");
}

TEST(Printer, Shapes) {
  Shape dynamic = Shape::Array(ElementType::kF32, {23, 44, 55, Shape::kUnboundedSize});
  dynamic.dynamic_dimensions = {true, false, true, true};
  EXPECT_EQ(ToString(dynamic), "f32[<=23,44,<=55,?]");
  // A dimension without a flag is static.
  dynamic.dynamic_dimensions = {true};
  EXPECT_EQ(ToString(dynamic), "f32[<=23,44,55,-9223372036854775808]");
  dynamic.dynamic_dimensions.clear();
  EXPECT_EQ(ToString(dynamic), "f32[23,44,55,-9223372036854775808]");
  EXPECT_EQ(ToString(Shape::Array(ElementType::kF32, {})), "f32[]");
  EXPECT_EQ(ToString(Shape::Array(ElementType::kF32, {}, Layout())), "f32[]");
  EXPECT_EQ(ToString(Shape::Array(ElementType::kU32, {}, Layout({}, {{{128}}}))), "u32[]{:T(128)}");
  EXPECT_EQ(ToString(Shape::Array(ElementType::kF32, {2}, Layout())), "f32[2]{}");
  Layout prefix;
  prefix.dynamic_shape_metadata_prefix_bytes = 1;
  EXPECT_EQ(ToString(Shape::Array(ElementType::kF32, {}, prefix)), "f32[]{:M(1)}");
  EXPECT_EQ(ToString(Shape::Token()), "token[]");
  EXPECT_EQ(ToString(Shape::Opaque()), "opaque[]");
  EXPECT_EQ(ToString(Shape::Tuple({})), "()");
  EXPECT_EQ(ToString(Shape::Tuple({Shape::Tuple({}), Shape::Token()})), "((), token[])");
  EXPECT_EQ(ToString(Shape::Buffer(Shape::Array(ElementType::kF32, {8, 16}, Layout({1, 0})))), "b(f32[8,16]{1,0})");
}

// Calls visit(layout) for layouts of rank 2 with each combination of a few values per field.
template <class Visitor>
void ForEachLayout(Visitor visit) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::vector<std::vector<Tile>> tile_lists = {
      {}, {{{8, 128}}, {{2, 1}}}, {{{Tile::kCombineDimension, kMax}}}, {{}}};
  const std::vector<std::vector<SplitConfig>> split_lists = {{}, {{0, {}}}, {{1, {1, 4}}, {0, {2}}}, {{2, {}}}};
  for (const std::vector<int64_t>& order : {std::vector<int64_t>{0, 1}, {1, 0}, {1, 1}}) {
    Layout layout(order);
    for (const auto& tiles : tile_lists) {
      layout.tiles = tiles;
      for (const auto& splits : split_lists) {
        layout.split_configs = splits;
        for (const int64_t alignment : {int64_t{0}, int64_t{1}, kMax}) {
          layout.tail_padding_alignment_in_elements = alignment;
          for (const int64_t bits : {int64_t{-1}, int64_t{0}, int64_t{4}, kMax}) {
            layout.element_size_in_bits = bits;
            for (const int64_t space : {kMin, int64_t{0}, kMax}) {
              layout.memory_space = space;
              for (const int64_t prefix : {int64_t{0}, int64_t{1}, kMax}) {
                layout.dynamic_shape_metadata_prefix_bytes = prefix;
                visit(layout);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Printer, EveryValidShapeParsesBackFromItsText) {
  int64_t valid = 0;
  ForEachLayout([&](const Layout& layout) {
    for (const int64_t size : {int64_t{0}, int64_t{5}, Shape::kUnboundedSize}) {
      for (const bool dynamic : {false, true}) {
        Shape array = Shape::Array(ElementType::kU4, {3, size}, layout);
        array.dynamic_dimensions[1] = dynamic;
        const Shape shape = Shape::Tuple({array, Shape::Tuple({}), Shape::Buffer(array), Shape::Token()});
        if (!ValidateShape(shape, MissingLayout::kRejected)) continue;
        ++valid;
        const Expected<Shape> again = ParseShape(ToString(shape));
        ASSERT_TRUE(again.has_value()) << ToString(shape) << ": " << again.error().ToString();
        ASSERT_EQ(*again, shape) << ToString(shape);
      }
    }
  });
  EXPECT_EQ(valid, 3564);
}

TEST(Printer, ValidShapesOutsideItsPromiseDoNotParseBack) {
  const auto parsed_back = [](const Shape& shape) {
    EXPECT_TRUE(ValidateShape(shape, MissingLayout::kAllowed).has_value());
    return ParseShape(ToString(shape));
  };
  const Shape row_major = Shape::Array(ElementType::kF32, {3, 5}, Layout({1, 0}));
  EXPECT_EQ(parsed_back(Shape::Array(ElementType::kF32, {3, 5})), row_major);
  Shape negative_prefix = row_major;
  negative_prefix.layout->dynamic_shape_metadata_prefix_bytes = -1;
  EXPECT_EQ(parsed_back(negative_prefix), row_major);
  Shape token = Shape::Token();
  token.layout = Layout();
  EXPECT_EQ(parsed_back(token), Shape::Token());
  Shape deep = row_major;
  for (int64_t depth = 0; depth < ParseOptions().max_recursion_depth; ++depth) {
    Shape outer = Shape::Tuple({});
    outer.elements.push_back(std::move(deep));
    deep = std::move(outer);
  }
  EXPECT_FALSE(parsed_back(deep).has_value());
}

TEST(Printer, NumbersEveryFifthTupleElement) {
  EXPECT_EQ(ToString(Shape::Tuple(std::vector<Shape>(11, Shape::Token()))),
            "(token[], token[], token[], token[], token[], /*index=5*/token[], token[], token[], token[], token[], "
            "/*index=10*/token[])");
}

// The printer's buffer ends at a different place for each rank.
TEST(Printer, ATupleHasTheTextsOfItsElements) {
  for (int64_t rank = 0; rank < 600; ++rank) {
    Layout layout = MakeDescendingLayout(rank);
    layout.split_configs = {{0, {1, 2}}};
    const Shape array =
        Shape::Array(ElementType::kF8E4M3FN, std::vector<int64_t>(static_cast<size_t>(rank), 1), layout);
    const Shape mostly_tokens = Shape::Tuple({Shape::Token(), Shape::Token(), Shape::Token(), array, Shape::Token(),
                                              Shape::Opaque(), Shape::Tuple({Shape::Buffer(array)})});
    const std::string numbers = StrJoin(layout.minor_to_major, ",");
    const std::string ones = StrJoin(array.dimensions, ",");
    const std::string text = StrCat("f8e4m3fn[", ones, "]{", numbers, ":SC(0:1,2)}");
    ASSERT_EQ(ToString(mostly_tokens),
              StrCat("(token[], token[], token[], ", text, ", token[], /*index=5*/opaque[], (b(", text, ")))"));
  }
}

TEST(Printer, ANestedArrayHasItsTextInParentheses) {
  const Shape array = Shape::Array(ElementType::kS64, {1234567890123});
  Shape nested = array;
  for (size_t depth = 1; depth < 600; ++depth) {
    nested = Shape::Tuple({std::move(nested)});
    const std::string text = StrCat(std::string(depth, '('), ToString(array), std::string(depth, ')'));
    ASSERT_EQ(ToString(nested), text);
    ASSERT_EQ(ToString(Shape::Tuple({nested, Shape::Token()})), StrCat("(", text, ", token[])"));
  }
}

// The texts are longer than any buffer that the printer may use.
TEST(Printer, LongTexts) {
  constexpr int64_t kRank = 3000;
  const std::vector<int64_t> sizes(kRank, std::numeric_limits<int64_t>::max());
  const Shape shape = Shape::Array(ElementType::kBF16, sizes, MakeAscendingLayout(kRank));
  EXPECT_EQ(ToString(shape),
            StrCat("bf16[", StrJoin(sizes, ","), "]{", StrJoin(shape.layout->minor_to_major, ","), "}"));
  std::string expected = "(bf16[1]";
  for (int64_t i = 1; i < kRank; ++i) StrAppend(expected, i % 5 == 0 ? StrCat(", /*index=", i, "*/") : ", ", "bf16[1]");
  EXPECT_EQ(ToString(Shape::Tuple(std::vector<Shape>(kRank, Shape::Array(ElementType::kBF16, {1})))), expected + ")");
}

}  // namespace
}  // namespace layoutcheck
