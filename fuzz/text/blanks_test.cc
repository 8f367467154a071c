// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/blanks.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/lexer.h"

namespace layoutcheck {
namespace {

std::vector<std::string> Tokens(std::string_view text) {
  std::vector<std::string> tokens;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) tokens.emplace_back(lexer.token().text);
  return tokens;
}

TEST(BlanksTest, KeepTheTokens) {
  Random random(1);
  int64_t changed = 0;
  for (const std::string_view text : {"(f32[2,<=3,?]{1,0:T(8,128)(*)L(4)S(1)}, token[], b(u8[]))",
                                      "%a.1 = f32[] add(%b, c), kind=kLoop, x={1_2x3_4}"}) {
    for (int i = 0; i < 1000; ++i) {
      const std::string blank = WithBlanks(text, random, 3);
      changed += blank != text;
      ASSERT_EQ(Tokens(blank), Tokens(text)) << blank;
    }
  }
  EXPECT_GT(changed, 1900);
}

TEST(BlanksTest, NothingIsAddedAfterWhatIsNoToken) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(WithBlanks("f32[/", random, 1).ends_with("/"));
    EXPECT_TRUE(WithBlanks("f32[/* 1]", random, 1).ends_with("/* 1]"));
  }
}

}  // namespace
}  // namespace layoutcheck
