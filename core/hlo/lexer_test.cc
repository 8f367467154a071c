// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/lexer.h"
#include <gtest/gtest.h>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using enum TokenKind;

std::vector<Token> Tokens(std::string_view text) {
  std::vector<Token> tokens;
  for (Lexer lexer(text); lexer.kind() != kEof; lexer.Advance()) tokens.push_back(lexer.token());
  return tokens;
}

std::vector<TokenKind> Kinds(std::string_view text) {
  std::vector<TokenKind> kinds;
  for (const Token& token : Tokens(text)) kinds.push_back(token.kind);
  return kinds;
}

struct OneToken {
  std::string_view text;
  TokenKind kind;
};

TEST(Lexer, EachKindOfToken) {
  const OneToken rows[] = {
      {"=", kEqual},
      {",", kComma},
      {":", kColon},
      {"*", kAsterisk},
      {"?", kQuestionMark},
      {"#", kOctothorp},
      {"+", kPlus},
      {"~", kTilde},
      {"[", kLeftSquare},
      {"]", kRightSquare},
      {"{", kLeftBrace},
      {"}", kRightBrace},
      {"(", kLeftParen},
      {")", kRightParen},
      {"->", kArrow},
      {"<=", kLeq},
      {"...", kDots},
      {"\"a\"", kString},
      {"'a\"'", kString},
      {"\"a\\\"b\"", kString},
      {"\"\"", kString},
      {"f32", kPrimitiveType},
      {"opaque", kPrimitiveType},
      {"token", kPrimitiveType},
      {"%a.1-b_c", kName},
      {"%f32", kName},
      {"%ROOT", kName},
      {"x:", kName},
      {"f32:", kName},
      {"true:", kName},
      {"kind=", kAttributeName},
      {"f32=", kAttributeName},
      {"b01f_01io->b01f", kDimLabels},
      {"01bf_io01->01bf", kDimLabels},
      {"b0?f_??io->?b0f", kDimLabels},
      {"?0_?0->?0", kDimLabels},
      {"2x3", kDxD},
      {"2x3x4", kDxD},
      {"0x10", kDxD},
      {"2_3", kPad},
      {"-1_0_2x0_0", kPad},
      {"1_1x-2_-2", kPad},
      {"a", kIdent},
      {"_", kIdent},
      {"f32-1", kIdent},
      {"f32.1", kIdent},
      {"f32_", kIdent},
      {"F32", kIdent},
      {"opaque_type", kIdent},
      {"tuple", kIdent},
      {"buffer", kIdent},
      {"bool", kIdent},
      {"True", kIdent},
      {"NaN", kIdent},
      {"b01f_01io-", kIdent},
      {"0", kInt},
      {"-0", kInt},
      {"-7", kInt},
      {"0007", kInt},
      {"1.", kDecimal},
      {"1.5", kDecimal},
      {"-.5", kDecimal},
      {"1e3", kDecimal},
      {"1e+5", kDecimal},
      {"-1.5E-07", kDecimal},
      {"2.0", kDecimal},
      {"nan", kDecimal},
      {"-nan", kDecimal},
      {"-inf", kNegInf},
  };
  for (const OneToken& row : rows) {
    const std::vector<Token> tokens = Tokens(row.text);
    ASSERT_EQ(tokens.size(), 1u) << row.text;
    EXPECT_EQ(tokens[0].kind, row.kind) << row.text;
    EXPECT_EQ(tokens[0].text, row.text);
    EXPECT_EQ(tokens[0].column, 1);
    EXPECT_EQ(tokens[0].end_column(), static_cast<int64_t>(row.text.size()) + 1);
  }
  for (const char* keyword : {"true", "false", "inf", "HloModule", "ENTRY", "ROOT", "FileNames", "FunctionNames",
                              "FileLocations", "StackFrames", "maximal", "replicated", "manual",
                              "last_tile_dim_replicate", "shard_as", "shard_like", "unknown", "unreduced"}) {
    EXPECT_EQ(Kinds(keyword), std::vector<TokenKind>{kKeyword}) << keyword;
  }
  for (const ElementType type : ArrayElementTypes()) {
    const std::vector<Token> tokens = Tokens(ElementTypeName(type));
    ASSERT_EQ(tokens.size(), 1u);
    EXPECT_EQ(tokens[0].kind, kPrimitiveType);
    EXPECT_EQ(tokens[0].element_type, type);
  }
}

struct Cut {
  std::string_view text;
  std::vector<TokenKind> kinds;
};

TEST(Lexer, WhereTokensEnd) {
  const Cut rows[] = {
      {"", {}},
      {" \t\r\n", {}},
      {"f32[2]", {kPrimitiveType, kLeftSquare, kInt, kRightSquare}},
      {"foo=f32", {kAttributeName, kPrimitiveType}},
      {"%foo=f32", {kName, kEqual, kPrimitiveType}},
      {"%foo:f32", {kName, kColon, kPrimitiveType}},
      {"foo =f32", {kIdent, kEqual, kPrimitiveType}},
      {"foo :f32", {kIdent, kColon, kPrimitiveType}},
      {"T(8,128)", {kIdent, kLeftParen, kInt, kComma, kInt, kRightParen}},
      {"T2", {kIdent}},
      {"+2", {kPlus, kInt}},
      {"2-3", {kInt, kInt}},
      {"2 x3", {kInt, kIdent}},
      {"1e", {kInt, kIdent}},
      {"1e+", {kInt, kIdent, kPlus}},
      {"1.e3x", {kDecimal, kIdent}},
      {"1..", {kDecimal, kError}},
      {"2x", {kInt, kIdent}},
      {"2x3x", {kDxD, kIdent}},
      {"2_", {kInt, kIdent}},
      {"2_3x4", {kPad, kIdent}},
      {"2_3_4_5", {kPad, kIdent}},
      {"?2", {kQuestionMark, kInt}},
      {"??", {kQuestionMark, kQuestionMark}},
      {"-infinity", {kNegInf, kIdent}},
      {"- 1", {kError, kInt}},
      {"-", {kError}},
      {"-.", {kError, kError}},
      {".5", {kError, kInt}},
      {"< =", {kError, kEqual}},
      {"<", {kError}},
      {"..", {kError, kError}},
      {"....", {kDots, kError}},
      {"% x", {kError, kIdent}},
      {"%", {kError}},
      {"%1", {kError, kInt}},
      {"/", {kError}},
      {"/ /", {kError, kError}},
      {"2/* a */3", {kInt, kInt}},
      {"2// a\n3", {kInt, kInt}},
      {"2// a\r3", {kInt, kInt}},
      {"2// a", {kInt}},
      {"2/* a /* b */3", {kInt, kInt}},
      {"2/**/3/***/", {kInt, kInt}},
      {"2/*/3", {kInt, kError}},
      {"2/* 3", {kInt, kError}},
      {"2/*", {kInt, kError}},
      {"\"a", {kError}},
      {"\"a\\\"", {kError}},
      {"\"a\\", {kError}},
      {"'a\"", {kError}},
      {"\v", {kError}},
      {"\f", {kError}},
      {"\xC2\xA0", {kError, kError}},
      {"@;!", {kError, kError, kError}},
      {std::string_view("\0", 1), {kError}},
      {std::string_view("2/*\0*/3", 7), {kInt, kError, kAsterisk, kError, kInt}},
  };
  for (const Cut& row : rows) EXPECT_EQ(Kinds(row.text), row.kinds) << row.text;
}

TEST(Lexer, IntegersWithinInt64) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Tokens("9223372036854775807")[0].integer, kMax);
  EXPECT_EQ(Tokens("-9223372036854775808")[0].integer, kMin);
  EXPECT_EQ(Tokens("-9223372036854775807")[0].integer, -kMax);
  EXPECT_EQ(Tokens("-00000000000000000000012")[0].integer, -12);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551615",
                           "18446744073709551616", "99999999999999999999999999", "-99999999999999999999999999"}) {
    const std::vector<Token> tokens = Tokens(text);
    ASSERT_EQ(tokens.size(), 1u) << text;
    EXPECT_EQ(tokens[0].kind, kError) << text;
    EXPECT_EQ(DescribeToken(tokens[0]), StrCat("an integer outside int64: '", text, "'"));
  }
}

TEST(Lexer, ColumnsCountBytes) {
  const std::vector<Token> tokens = Tokens("  a/*\xC3\xA9*/ =\n'b' %c");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].column, 3);
  EXPECT_EQ(tokens[1].column, 11);
  EXPECT_EQ(tokens[2].column, 13);
  EXPECT_EQ(tokens[3].column, 17);
  EXPECT_EQ(tokens[3].end_column(), 19);
  Lexer lexer("ab  ");
  lexer.Advance();
  EXPECT_EQ(lexer.token().column, 5);
  lexer.Advance();
  EXPECT_EQ(lexer.kind(), kEof);
}

TEST(Lexer, WordsOfNames) {
  EXPECT_EQ(Tokens("%add.1")[0].word(), "add.1");
  EXPECT_EQ(Tokens("x:")[0].word(), "x");
  EXPECT_EQ(Tokens("kind=")[0].word(), "kind");
  EXPECT_EQ(Tokens("add")[0].word(), "add");
}

// AdvanceOverPlainIntegers ends at the same token as two calls of Advance per integer.
TEST(Lexer, AdvancesOverPlainIntegers) {
  struct Case {
    std::string_view text;
    size_t taken;
  };
  const Case cases[] = {
      {"[7:", 1},     {"[7)", 1},        {"[7]", 1},         {"[7}", 1},    {"[007,", 1},  {",0,x", 1},
      {"[1,2,3]", 3}, {"{1,20,300:", 3}, {"[1,2,3,4,5]", 4}, {"[1, 2]", 1}, {"[1,2 ]", 1}, {"[1,-2]", 1},
      {"[1,2x3]", 1}, {"[1,,2]", 1},     {"[1,", 1},         {"[1,2", 1},   {"[1,]", 1},   {"[123456789012345678]", 1}};
  for (const auto& [text, taken] : cases) {
    Lexer fast(text);
    Lexer slow(text);
    std::array<int64_t, 4> numbers = {-1, -1, -1, -1};
    ASSERT_EQ(fast.AdvanceOverPlainIntegers(numbers), taken) << text;
    for (size_t k = 0; k < taken; ++k) {
      slow.Advance();
      EXPECT_EQ(numbers[k], slow.token().integer) << text;
      slow.Advance();
    }
    EXPECT_EQ(fast.kind(), slow.kind()) << text;
    EXPECT_EQ(fast.token().text, slow.token().text) << text;
    EXPECT_EQ(fast.token().column, slow.token().column) << text;
  }
  for (const std::string_view text :
       {"[", "[7", "[ 7]", "[7 ]", "[-7]", "[7x3]", "[7.]", "[1234567890123456789]", "[]", "[x]", "[7(", "[,1]"}) {
    Lexer lexer(text);
    std::array<int64_t, 4> numbers = {-1, -1, -1, -1};
    EXPECT_EQ(lexer.AdvanceOverPlainIntegers(numbers), 0U) << text;
    EXPECT_EQ(numbers[0], -1);
    EXPECT_EQ(lexer.kind(), kLeftSquare);
  }
}

TEST(Lexer, PeeksAndGoesBack) {
  Lexer lexer("a = 1");
  EXPECT_EQ(lexer.Peek().kind, kEqual);
  EXPECT_EQ(lexer.kind(), kIdent);
  lexer.Advance();
  lexer.Advance();
  EXPECT_EQ(lexer.token().integer, 1);
  EXPECT_EQ(lexer.Slice(1, lexer.token().column), "a = ");
  lexer.Reset(3);
  EXPECT_EQ(lexer.kind(), kEqual);
  Lexer word("abc");
  word.Reset(2);
  EXPECT_EQ(word.token().text, "bc");
}

// Each text ends inside a token and at the end of its memory, so that AddressSanitizer reports a read past the end.
TEST(Lexer, ReadsNothingPastTheEnd) {
  for (const std::string_view text :
       {"123", "-",   "f32", "%",   "%a",  "/",          "/*",          "//", "/* *", "\"",  "\"\\",
        "<",   ".",   "..",  "?",   "b0_", "b01f_01io-", "b01f_01io->", "2x", "2_",   "2_-", "1.",
        "1e",  "1e+", "-i",  "-in", "-na", "a:",         "a=",          "->", "true"}) {
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    EXPECT_EQ(Kinds({exact.get(), text.size()}), Kinds(text)) << text;
    const std::string longer = StrCat(text, "*/9a=\"...");
    EXPECT_EQ(Kinds(std::string_view(longer).substr(0, text.size())), Kinds(text)) << text;
  }
  EXPECT_TRUE(Kinds(std::string_view()).empty());
}

// A comment ends with the text at the latest. A comment with a NUL ends at it, and tokens follow again.
TEST(Lexer, CommentsAtTheEndAndWithANul) {
  EXPECT_TRUE(Tokens("//").empty());
  EXPECT_EQ(Tokens("f32//").size(), 1u);
  const std::vector<Token> tokens = Tokens(std::string_view("/*ab\0cd */", 10));
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].text, std::string_view("/*ab\0", 5));
  EXPECT_EQ(tokens[1].text, "cd");
  EXPECT_EQ(tokens[1].column, 6);
}

TEST(Lexer, DescribesTokens) {
  EXPECT_EQ(DescribeToken(Tokens("}")[0]), "'}'");
  EXPECT_EQ(DescribeToken(Tokens("7")[0]), "integer 7");
  EXPECT_EQ(DescribeToken(Token{}), "end of text");
  EXPECT_EQ(DescribeToken(Tokens("@")[0]), "the stray character '@'");
  EXPECT_EQ(DescribeToken(Tokens("\x01")[0]), "byte 0x01");
  EXPECT_EQ(DescribeToken(Tokens("\xff")[0]), "byte 0xff");
  EXPECT_EQ(DescribeToken(Tokens("/*")[0]), "an unterminated comment '/*'");
  EXPECT_EQ(DescribeToken(Tokens("/* ~")[0]), "an unterminated comment '/* ~'");
  EXPECT_EQ(DescribeToken(Tokens("/*\x7f")[0]), "an unterminated comment");
  const std::string forty = "b" + std::string(39, 'a');
  EXPECT_EQ(DescribeToken(Tokens(forty)[0]), StrCat("'", forty, "'"));
  EXPECT_EQ(DescribeToken(Tokens(forty + "a")[0]), StrCat("'", forty, "...'"));
  const std::string comment = "/*" + std::string(38, 'a');
  EXPECT_EQ(DescribeToken(Tokens(comment)[0]), StrCat("an unterminated comment '", comment, "'"));
  EXPECT_EQ(DescribeToken(Tokens(comment + "a")[0]), "an unterminated comment");
}

}  // namespace
}  // namespace layoutcheck
