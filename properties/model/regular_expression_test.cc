// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/model/regular_expression.h"
#include <gtest/gtest.h>
#include <string>

namespace layoutcheck {
namespace {

bool Matches(std::string_view expression, std::string_view text) {
  const auto compiled = RegularExpression::Compile(expression);
  EXPECT_TRUE(compiled) << compiled.error().ToString();
  return compiled && compiled->MatchesAll(text);
}

TEST(RegularExpression, MatchesTheWholeText) {
  EXPECT_TRUE(Matches("f32.*", "f32[2]{0}"));
  EXPECT_FALSE(Matches("f32", "f32[2]{0}"));
  EXPECT_FALSE(Matches("\\{0\\}", "f32[2]{0}"));
  EXPECT_FALSE(Matches("a$", "a\n"));
  EXPECT_TRUE(Matches("f|f32", "f32"));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_TRUE(Matches("a.c", std::string_view("a\0c", 3)));
}

TEST(RegularExpression, IsReadAsEcmaScript) {
  EXPECT_TRUE(Matches("[^]*", "a\nb"));
  EXPECT_FALSE(Matches("[]", "a"));
  EXPECT_TRUE(Matches("(?!f16)\\w+", "f32"));
  EXPECT_FALSE(Matches("(?!f16)\\w+", "f16"));
  EXPECT_TRUE(Matches("(\\d+):\\1", "12:12"));
  EXPECT_TRUE(Matches("\\u0041", "A"));
}

TEST(RegularExpression, SaysWhereItIsNone) {
  const auto open = RegularExpression::Compile("f32[2");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().kind, ErrorKind::kSyntax);
  EXPECT_EQ(open.error().column, 6);
  EXPECT_FALSE(open.error().message.empty());
  EXPECT_FALSE(RegularExpression::Compile("(" + std::string(100'000, '(')));
  EXPECT_FALSE(RegularExpression::Compile("((a{60000}){60000}){60000}"));
  // An integer overflows in std::regex on this expression.
  EXPECT_FALSE(RegularExpression::Compile("\\777777777777777777777777"));
}

TEST(RegularExpression, TakesBoundedTimeAndStack) {
  EXPECT_FALSE(Matches("(a*)*b", std::string(10'000, 'a')));
  EXPECT_TRUE(Matches("(a|b)*", std::string(100'000, 'a')));
}

}  // namespace
}  // namespace layoutcheck
