// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

SymbolicLayout Parse(const char* text) {
  auto layout = ParseSymbolicLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << (layout ? "" : layout.error().ToString());
  return layout ? *layout : SymbolicLayout{};
}

TEST(SymbolicLayout, NamesAndNumbers) {
  const SymbolicLayout layout = Parse("bf16[Batch, 1280 ,N]{1,2,0:T(8,P)(*,2)E(16)S(1)}");
  EXPECT_EQ(layout.names, (std::vector<std::string>{"Batch", "N", "P"}));
  ASSERT_EQ(layout.layout.dimensions.size(), 3u);
  EXPECT_EQ(layout.layout.dimensions[0].name, "Batch");
  EXPECT_EQ(layout.layout.dimensions[1].name, "");
  EXPECT_EQ(layout.layout.dimensions[1].value, 1280);
  EXPECT_EQ(layout.layout.minor_to_major, (std::vector<int64_t>{1, 2, 0}));
  ASSERT_EQ(layout.layout.tiles.size(), 2u);
  EXPECT_EQ(layout.layout.tiles[0][1].size.name, "P");
  EXPECT_TRUE(layout.layout.tiles[1][0].combine);
  EXPECT_TRUE(layout.IsTileName("P"));
  EXPECT_FALSE(layout.IsTileName("N"));
  EXPECT_TRUE(layout.IsDimensionName("N"));
}

TEST(SymbolicLayout, NamesThatLookLikeOtherTokens) {
  EXPECT_EQ(Parse("f32[T,E]{1,0:T(S,L)}").names, (std::vector<std::string>{"T", "E", "S", "L"}));
  EXPECT_EQ(Parse("f32[_a,b_1]{1,0}").names, (std::vector<std::string>{"_a", "b_1"}));
  EXPECT_EQ(Parse("f32[M,M]").names, (std::vector<std::string>{"M"}));
  EXPECT_EQ(Parse("f32[<=M,8]{1,0}").names, (std::vector<std::string>{"M"}));
  EXPECT_EQ(Parse("f32[2,3]{1,0:T(2,2)}").names, (std::vector<std::string>{}));
}

TEST(SymbolicLayout, NumbersForNames) {
  const SymbolicLayout layout = Parse("f32[M,N]{0,1:T(P,128)}");
  const TiledLayout numbers = ToNumbers(layout.layout, {{"M", 9}, {"N", 10}, {"P", 8}});
  EXPECT_EQ(numbers.dimensions, (std::vector<int64_t>{9, 10}));
  EXPECT_EQ(numbers.tiles[0][0].size, 8);
  EXPECT_EQ(numbers.tiles[0][1].size, 128);
}

TEST(SymbolicLayout, ErrorsNameTheColumnOfTheText) {
  struct Case {
    const char* text;
    int64_t column;
  };
  for (const Case& c :
       {Case{"f32[M,N", 8}, Case{"f32[i12]", 5}, Case{"f32[M,d0]{1,0}", 7}, Case{"f32[M]{0:T(P}", 13},
        Case{"f32[Rows,Columns]{1,0:T(8,128)X}", 31}, Case{"f32[a_name_of_19_letters]", 5}, Case{"f32[M-1]", 5}}) {
    const auto layout = ParseSymbolicLayout(c.text);
    ASSERT_FALSE(layout.has_value()) << c.text;
    EXPECT_EQ(layout.error().column, c.column) << c.text << ": " << layout.error().ToString();
  }
  // These texts are well-formed, but denote no layout of an array.
  for (const char* text : {"(f32[M])", "f32[?]{0}", "f32[M]{1}", "f32[M]{0:T(0)}", "f32[M]{0:T(*)}", "token[]"}) {
    EXPECT_FALSE(ParseSymbolicLayout(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace layoutcheck
