// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/parser.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

struct Accepted {
  std::string_view text;
  std::string_view canonical;
};

TEST(Parser, CanonicalTexts) {
  const Accepted rows[] = {
      {"f32[]", "f32[]"},
      {"f32[ ]{ : }", "f32[]"},
      {"f32[2]{0:}", "f32[2]{0}"},
      {"f32[123,456]", "f32[123,456]{1,0}"},
      {"bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"},
      {"f32[ ? , <= 5 , 02 ]", "f32[?,<=5,2]{2,1,0}"},
      {"f32[<=0]", "f32[<=0]{0}"},
      {"f32[<=-9223372036854775808]", "f32[?]{0}"},
      {"f32[3]{0:SC( 0 : 1, /* 2? */ 02 )}", "f32[3]{0:SC(0:1,2)}"},
      {"f32[3]{0:D(D,C+,S~,H+~)T(2,*)(*)L(8)E(4)S(-1)SC(0:1,2)M(1024)}",
       "f32[3]{0:T(2,*)(*)L(8)E(4)S(-1)SC(0:1,2)M(1024)}"},
      {"f32[3]{0:D()L(1)E(0)S(0)M(0)}", "f32[3]{0}"},
      {"b (f32[2])", "b(f32[2]{0})"},
      {"(b(f32[2]),s32[],( ),token[],opaque[],u1[1])",
       "(b(f32[2]{0}), s32[], (), token[], opaque[], /*index=5*/u1[1]{0})"},
      {"\tf32/* a /* b */[3]//x\r{0}// c", "f32[3]{0}"},
      {"f32[0,4611686018427387904,8]", "f32[0,4611686018427387904,8]{2,1,0}"},
  };
  for (const Accepted& row : rows) {
    const Expected<Shape> shape = ParseShape(row.text);
    ASSERT_TRUE(shape.has_value()) << row.text << ": " << shape.error().ToString();
    EXPECT_EQ(ToString(*shape), row.canonical);
    EXPECT_EQ(ParseShape(row.canonical).value(), *shape) << row.text;
  }
}

struct Rejected {
  std::string_view text;
  ErrorKind kind;
  int64_t column;
  std::string_view part_of_message;
};

void ExpectRejected(const Rejected& row, const Error& error) {
  EXPECT_EQ(error.kind, row.kind) << row.text << ": " << error.ToString();
  EXPECT_EQ(error.column, row.column) << row.text << ": " << error.ToString();
  EXPECT_NE(error.message.find(row.part_of_message), std::string::npos) << row.text << ": " << error.ToString();
}

TEST(Parser, SyntaxErrorsNameColumnAndExpectation) {
  constexpr ErrorKind kSyntax = ErrorKind::kSyntax;
  const Rejected rows[] = {
      {"", kSyntax, 1, "expected a shape (an element type, '(' or 'b('), found end of text"},
      {"  ", kSyntax, 3, "found end of text"},
      {"F32[2]", kSyntax, 1, "found 'F32'"},
      {"opaque_type[]", kSyntax, 1, "found 'opaque_type'"},
      {"buffer[]", kSyntax, 1, "expected a shape"},
      {"f32", kSyntax, 4, "expected '[' after the element type, found end of text"},
      {"f32{0}", kSyntax, 4, "expected '['"},
      {"f32:[2]", kSyntax, 1, "found 'f32:'"},
      {"f32=[2]", kSyntax, 1, "found 'f32='"},
      {"%f32[2]", kSyntax, 1, "found '%f32'"},
      {"f32[2", kSyntax, 6, "expected ',' or ']' after a dimension, found end of text"},
      {"f32[,2]", kSyntax, 5, "expected a dimension (an integer >= 0, '<=' or '?'), found ','"},
      {"f32[2,]", kSyntax, 7, "found ']'"},
      {"f32[2 3]", kSyntax, 7, "expected ',' or ']' after a dimension, found integer 3"},
      {"f32[-1]", kSyntax, 5, "expected a dimension (an integer >= 0, '<=' or '?'), found integer -1"},
      {"f32[-9223372036854775808]", kSyntax, 5, "found integer -9223372036854775808"},
      {"f32[<=-1]", kSyntax, 7, "expected a bound >= 0, found integer -1"},
      {"f32[<=?]", kSyntax, 7, "found '?'"},
      {"f32[< =5]", kSyntax, 5, "found the stray character '<'"},
      {"f32[9223372036854775808]", kSyntax, 5, "found an integer outside int64: '9223372036854775808'"},
      {"f32[<=18446744073709551615]", kSyntax, 7, "found an integer outside int64"},
      {"f32[2]{9223372036854775808}", kSyntax, 8, "found an integer outside int64: '9223372036854775808'"},
      {"f32[2]{-9223372036854775809,0}", kSyntax, 8, "found an integer outside int64"},
      {"f32[2x3]", kSyntax, 5, "found '2x3'"},
      {"f32[2_3]", kSyntax, 5, "found '2_3'"},
      {"f32[1e3]", kSyntax, 5, "found '1e3'"},
      {"f32[+2]", kSyntax, 5, "found '+'"},
      {"f32[inf]", kSyntax, 5, "found 'inf'"},
      {"f32[2]{}", kSyntax, 7, "expected end of text after the shape, found '{'"},
      {"f32[]{}", kSyntax, 6, "expected end of text after the shape, found '{'"},
      {"f32[1]{a}", kSyntax, 7, "expected end of text"},
      {"f32[1]{T(1)}", kSyntax, 7, "expected end of text"},
      {"token[]{}", kSyntax, 8, "expected end of text"},
      {"f32[2]{0}{0}", kSyntax, 10, "expected end of text"},
      {"f32[2]{0,}", kSyntax, 10, "expected a dimension number in the layout, found '}'"},
      {"f32[2]{0,:T(2)}", kSyntax, 10, "found ':'"},
      {"f32[2]{0 1}", kSyntax, 10, "expected ',', ':' or '}' in the layout, found integer 1"},
      {"f32[2]{0", kSyntax, 9, "found end of text"},
      {"f32[]{0}", kSyntax, 6, "Dimensions size is 0, but minor to major size is 1"},
      {"f32[1,1]{:T(1)}", kSyntax, 9, "Dimensions size is 2, but minor to major size is 0"},
      {"f32[123,456,789]{1:T(2, * , 128)}", kSyntax, 17, "Dimensions size is 3, but minor to major size is 1"},
      {"f32[2]{0:t(2)}", kSyntax, 10, "expected '}' or an attribute of the layout, found 't'"},
      {"f32[2]{0:T2}", kSyntax, 10, "found 'T2'"},
      {"f32[2]{0:T}", kSyntax, 11, "expected '(' of a tile after T, found '}'"},
      {"f32[2]{0:T[2]}", kSyntax, 11, "found '['"},
      {"f32[2]{0:T(2}", kSyntax, 13, "expected ',' or ')' in the tile, found '}'"},
      {"f32[2]{0:T(,)}", kSyntax, 12, "expected a tile size (an integer or '*'), found ','"},
      {"f32[2]{0:T(2,)}", kSyntax, 14, "found ')'"},
      {"f32[2]{0:T(2.0)}", kSyntax, 12, "found '2.0'"},
      {"f32[2]{0:T(?)}", kSyntax, 12, "found '?'"},
      {"f32[2]{0:L}", kSyntax, 11, "expected '(' after L, found '}'"},
      {"f32[2]{0:E()}", kSyntax, 12, "expected an integer in E(...), found ')'"},
      {"f32[2]{0:S(1,2)}", kSyntax, 13, "expected ')' at the end of S(...), found ','"},
      {"f32[2]{0:M(x)}", kSyntax, 12, "expected an integer in M(...)"},
      {"f32[2]{0:#(s32)}", kSyntax, 12, "expected an unsigned integer type, found 's32'"},
      {"f32[2]{0:*(pred)}", kSyntax, 12, "expected an unsigned integer type, found 'pred'"},
      {"f32[2]{0:#u32}", kSyntax, 11, "expected '(' before the index or pointer type"},
      {"f32[2]{0:D(Z)}", kSyntax, 12, "expected a dimension level type (D, C, S or H), found 'Z'"},
      {"f32[2]{0:D(C~+)}", kSyntax, 14, "expected ',' or ')' in D(...), found '+'"},
      {"f32[2]{0:D:}", kSyntax, 10, "found 'D:'"},
      {"f32[7]{0:SC(0)}", kSyntax, 14, "expected ':' after the dimension of a split, found ')'"},
      {"f32[7]{0:SC()}", kSyntax, 13, "expected the physical dimension of a split"},
      {"f32[7]{0:SC(0:1,)}", kSyntax, 17, "expected a split index, found ')'"},
      {"f32[7]{0:SCX(0:1)}", kSyntax, 10, "found 'SCX'"},
      {"f32[7]{0:P(s32[2])}", kSyntax, 10, "not for a sparse array, found 'P'"},
      {"f32[7]{0:P}", kSyntax, 10, "found 'P'"},
      {"(f32[2],)", kSyntax, 9, "expected a shape"},
      {"(,f32[2])", kSyntax, 2, "expected a shape"},
      {"(f32[] f32[])", kSyntax, 8, "expected ',' or ')' in the tuple, found 'f32'"},
      {"(f32[]", kSyntax, 7, "expected ',' or ')' in the tuple, found end of text"},
      {"())", kSyntax, 3, "expected end of text"},
      {"b()", kSyntax, 3, "expected an array in the buffer, found ')'"},
      {"b[2]", kSyntax, 1, "expected a shape"},
      {"b((f32[2]))", kSyntax, 3, "expected an array in the buffer, found '('"},
      {"b(b(f32[2]))", kSyntax, 3, "expected an array in the buffer, found 'b'"},
      {"b(token[])", kSyntax, 3, "expected an array in the buffer, found 'token'"},
      {"b(f32[2],f32[2])", kSyntax, 9, "expected ')' at the end of the buffer, found ','"},
      {"f32[2]/", kSyntax, 7, "found the stray character '/'"},
      {"f32[2]/* ", kSyntax, 7, "found an unterminated comment"},
      {"f32[2]{0:SC}", kSyntax, 12, "expected '(' after SC, found '}'"},
      {"f32[2:3]", kSyntax, 6, "expected ',' or ']' after a dimension, found ':'"},
      {"f32[2,2]{1:0}", kSyntax, 12, "'}' or an attribute of the layout, found integer 0"},
      {"f32[2]{0:T(2:3)}", kSyntax, 13, "expected ',' or ')' in the tile, found ':'"},
      {"(f32[2", kSyntax, 7, "expected ',' or ']' after a dimension, found end of text"},
      {std::string_view("f32[2]\0", 7), kSyntax, 7, "found byte 0x00"},
  };
  for (const Rejected& row : rows) {
    const Expected<Shape> shape = ParseShape(row.text);
    ASSERT_FALSE(shape.has_value()) << row.text;
    ExpectRejected(row, shape.error());
  }
}

std::optional<ErrorKind> ErrorKindOf(std::string_view text) {
  const Expected<Shape> shape = ParseShape(text);
  return shape ? std::nullopt : std::optional(shape.error().kind);
}

TEST(Parser, InvalidLayoutsNameTheirPlace) {
  constexpr ErrorKind kLayout = ErrorKind::kInvalidLayout;
  const Rejected rows[] = {
      {"f32[2,2]{0,0}", kLayout, 9, "duplicate values"},
      {"f32[2]{5}", kLayout, 7, "out-of-bounds value 5"},
      {"f32[2]{-1}", kLayout, 7, "out-of-bounds value -1"},
      {" f32[9223372036854775807]", kLayout, 2, "may overflow int64"},
      {"(f32[2], f32[4611686018427387904,8,0])", kLayout, 10, "Dimensions overflow"},
      {"f32[2]{0:L(0)}", kLayout, 7, "tail_padding_alignment_in_elements field is <= 0"},
      {"f32[2]{0:#(u32)}", kLayout, 7, "index_primitive_type"},
      {"f32[2]{0:*(u16)}", kLayout, 7, "pointer_primitive_type"},
      {"f32[]{:T()}", kLayout, 6, "tile 0 has no dimensions"},
      {"f32[2]{0:T(0)}", kLayout, 7, "tile dimension 0 must be positive"},
      {"f32[2]{0:T( 0)}", kLayout, 7, "tile dimension 0 must be positive"},
      {"f32[2]{0:T(1,-2)}", kLayout, 14, "tile dimension -2 must be positive"},
      {"f32[2]{0:T(-9223372036854775808)}", kLayout, 12, "tile dimension -9223372036854775808 must be positive"},
      {"f32[2]{0:E(-1)}", kLayout, 7, "element_size_in_bits field is negative"},
      {"f32[4]{0:SC(0:4)}", kLayout, 7, "split index is out of bounds"},
      {"f32[7]{0:SC(0:1,2)(0:3)}", kLayout, 7, "duplicate physical dimension"},
      {"b(f32[2]{5})", kLayout, 9, "out-of-bounds value 5"},
      {"(f32[2]{0},(f32[2]{5}),f32[2]{6})", kLayout, 19, "out-of-bounds value 5"},
      {"token[1]", kLayout, 1, "token shape must have no dimensions"},
      {"opaque[]{:}", kLayout, 9, "opaque shape must have no layout"},
      // Only a text that is well formed as a whole can be an invalid layout.
      {"(f32[2]{5}", ErrorKind::kSyntax, 11, "expected ',' or ')'"},
      {"f32[2]{0:T(-1)S()}", ErrorKind::kSyntax, 17, "expected an integer in S(...)"},
  };
  for (const Rejected& row : rows) {
    const Expected<Shape> shape = ParseShape(row.text);
    ASSERT_FALSE(shape.has_value()) << row.text;
    ExpectRejected(row, shape.error());
  }
}

// Only the whole text is a shape; no shorter prefix is.
TEST(Parser, APrefixIsASyntaxError) {
  constexpr std::string_view kTexts[] = {
      "(f32[2,<=3]{1,0:T(8,128)(*,1)L(4)E(4)S(1)SC(0:1)(1:2)M(8)}, b(u8[4]{0}), token[])",
      "(s32[?]{0:D(D)#(u8)*(u32)})", "((f32[1]), (pred[]{:SC(0:1)}))"};
  for (const std::string_view text : kTexts) {
    ASSERT_NE(ErrorKindOf(text), ErrorKind::kSyntax) << text;
    for (size_t size = 0; size < text.size(); ++size) {
      EXPECT_EQ(ErrorKindOf(text.substr(0, size)), ErrorKind::kSyntax) << text.substr(0, size);
    }
  }
}

// A list of attributes is accepted if and only if it is in the order of the grammar and has no repetition.
TEST(Parser, AttributeOrder) {
  const std::vector<std::string> attributes = {"D(D)", "T(2)", "L(2)",    "#(u8)", "*(u8)",
                                               "E(4)", "S(1)", "SC(0:1)", "M(8)"};
  ParseOptions grammar_only;
  grammar_only.validate = false;
  int64_t lists = 0;
  for (size_t a = 0; a < attributes.size(); ++a) {
    for (size_t b = 0; b < attributes.size(); ++b) {
      for (size_t c = 0; c < attributes.size(); ++c) {
        const std::string text = StrCat("f32[4]{0:", attributes[a], attributes[b], attributes[c], "}");
        const Expected<Shape> shape = ParseShape(text, grammar_only);
        ++lists;
        EXPECT_EQ(shape.has_value(), a < b && b < c) << text;
        if (shape.has_value()) continue;
        const size_t prefix = std::string_view("f32[4]{0:").size() + attributes[a].size();
        EXPECT_EQ(shape.error().column, 1 + static_cast<int64_t>(a < b ? prefix + attributes[b].size() : prefix))
            << text;
        EXPECT_NE(shape.error().message.find("a later attribute (each once, in the order D T L # * E S SC P M)"),
                  std::string::npos);
      }
    }
  }
  std::string all = "f32[4]{0:";
  for (const std::string& attribute : attributes) all += attribute;
  EXPECT_TRUE(ParseShape(all + "}", grammar_only).has_value());
  std::cout << lists << " attribute lists of length 3\n";
}

TEST(Parser, Layouts) {
  const Accepted rows[] = {
      {"{}", "{}"},
      {"{ : }", "{}"},
      {"{0,0}", "{0,0}"},
      {"{-5}", "{-5}"},
      {"{:T(8)}", "{:T(8)}"},
      {"{0:#(u32)*(u8)}", "{0:#(u32)*(u8)}"},
      {"{0:T()(0)L(0)E(-1)SC(9:3,1)}", "{0:T()(0)L(0)E(-1)SC(9:3,1)}"},
  };
  for (const Accepted& row : rows) {
    const Expected<Layout> layout = ParseLayout(row.text);
    ASSERT_TRUE(layout.has_value()) << row.text << ": " << layout.error().ToString();
    EXPECT_EQ(ToString(*layout), row.canonical);
    EXPECT_EQ(ParseLayout(row.canonical).value(), *layout);
  }
  const Rejected rejected[] = {
      {"", ErrorKind::kSyntax, 1, "expected '{' at the start of a layout, found end of text"},
      {"{}{}", ErrorKind::kSyntax, 3, "expected end of text after the layout, found '{'"},
      {"{a}", ErrorKind::kSyntax, 2, "expected a dimension number, ':' or '}' in the layout, found 'a'"},
      {"{0:S(1)E(4)}", ErrorKind::kSyntax, 8, "a later attribute"},
      {"{0:P(f32[2])}", ErrorKind::kSyntax, 4, "physical shape"},
      {"{0:T(-2)}", ErrorKind::kInvalidLayout, 6, "tile dimension -2"},
  };
  for (const Rejected& row : rejected) {
    const Expected<Layout> layout = ParseLayout(row.text);
    ASSERT_FALSE(layout.has_value()) << row.text;
    ExpectRejected(row, layout.error());
  }
}

TEST(Parser, Options) {
  ParseOptions options;
  options.fill_missing_layouts = false;
  EXPECT_EQ(ToString(ParseShape("(f32[2], f32[2]{0})", options).value()), "(f32[2], f32[2]{0})");
  EXPECT_FALSE(ParseShape("f32[2]", options)->layout.has_value());
  EXPECT_TRUE(ParseShape("f32[]", options)->layout.has_value());
  options.validate = false;
  EXPECT_EQ(ToString(ParseShape("f32[2,2]{0,0:T()(-2)}", options).value()), "f32[2,2]{0,0:T()(-2)}");
  EXPECT_EQ(ParseShape("f32[1]{0:T(-9223372036854775808)}", options).error().kind, ErrorKind::kInvalidLayout);
  options.max_recursion_depth = 2;
  EXPECT_TRUE(ParseShape("(f32[2],())", options).has_value());
  EXPECT_EQ(ParseShape("(f32[2],(()))", options).error().column, 10);
  EXPECT_EQ(ParseShape("(b(f32[2]))", options).error().column, 4);
  options.max_recursion_depth = 0;
  EXPECT_NE(ParseShape("f32[2]", options).error().message.find("at most 0 nested shapes"), std::string::npos);
}

std::string Nested(int64_t levels, std::string_view innermost) {
  std::string text(static_cast<size_t>(levels), '(');
  text += innermost;
  text.append(static_cast<size_t>(levels), ')');
  return text;
}

// All functions that walk a shape handle the deepest shape of the parser on an ordinary stack of 8 MiB.
TEST(Parser, NestingLimit) {
  constexpr int64_t kLimit = ParseOptions().max_recursion_depth;
  ASSERT_EQ(kLimit, 8192);
  for (const std::string_view innermost : {"", "f32[2]{0:T(2)}"}) {
    const std::string text = Nested(innermost.empty() ? kLimit : kLimit - 1, innermost);
    const Expected<Shape> shape = ParseShape(text);
    ASSERT_TRUE(shape.has_value());
    EXPECT_EQ(ToString(*shape), text);
    const Shape copy = *shape;
    EXPECT_EQ(copy, *shape);
    EXPECT_EQ(HashValue(copy), HashValue(*shape));
    EXPECT_TRUE(ValidateShape(copy, MissingLayout::kRejected).has_value());
    const Expected<Shape> too_deep = ParseShape(StrCat("(", text, ")"));
    ASSERT_FALSE(too_deep.has_value());
    EXPECT_EQ(too_deep.error().kind, ErrorKind::kSyntax);
    EXPECT_EQ(too_deep.error().column, kLimit + 1);
    EXPECT_NE(too_deep.error().message.find("maximum recursion depth exceeded"), std::string::npos);
  }
  EXPECT_EQ(ParseShape(std::string(10'000'000, '(')).error().column, kLimit + 1);
}

TEST(Parser, LongLists) {
  constexpr int64_t kCount = 100'000;
  std::string tuple = "(s8[1]{0}";
  std::string ones = "1";
  for (int64_t i = 1; i < kCount; ++i) {
    StrAppend(tuple, i % 5 == 0 ? StrCat(", /*index=", i, "*/") : ", ", "s8[1]{0}");
    ones += ",1";
  }
  EXPECT_EQ(ToString(ParseShape(tuple + ")").value()), tuple + ")");
  const std::string array =
      StrCat("f32[", ones, "]{", StrJoin(MakeDescendingLayout(kCount).minor_to_major, ","), ":T(", ones, ")}");
  EXPECT_EQ(ToString(ParseShape(array).value()), array);
}

}  // namespace
}  // namespace layoutcheck
