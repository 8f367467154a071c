// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/coordinate.h"
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

TEST(Coordinate, Integers) {
  EXPECT_EQ(ReadInteger("17"), 17);
  EXPECT_EQ(ReadInteger(" -3 "), -3);
  EXPECT_EQ(ReadInteger("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ReadInteger("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  for (const char* text : {"", "-", "+1", "1.0", "0x1", "1 2", "9223372036854775808", "ten"}) {
    EXPECT_FALSE(ReadInteger(text).has_value()) << text;
  }
}

TEST(Coordinate, FlatTexts) {
  using Flat = std::vector<int64_t>;
  EXPECT_EQ(ReadFlatCoordinate("2,3"), (Flat{2, 3}));
  EXPECT_EQ(ReadFlatCoordinate("(2,3)"), (Flat{2, 3}));
  EXPECT_EQ(ReadFlatCoordinate("5"), (Flat{5}));
  EXPECT_EQ(ReadFlatCoordinate("()"), Flat{});
  EXPECT_EQ(ReadFlatCoordinate("( )"), Flat{});
  for (const char* text : {"", "(", ")", "2,", ",2", "(2,3", "2,3)", "((2),3)", "2 3", "(2,3),4"}) {
    const auto coordinate = ReadFlatCoordinate(text);
    ASSERT_FALSE(coordinate.has_value()) << text;
    EXPECT_GE(coordinate.error().column, 1) << text;
    EXPECT_LE(coordinate.error().column, static_cast<int64_t>(std::string(text).size()) + 1) << text;
  }
}

TEST(Coordinate, TextOfJson) {
  EXPECT_EQ(CoordinateText(Json::Parse("[2,3]").value()), "2,3");
  EXPECT_EQ(CoordinateText(Json::Parse("[5]").value()), "5");
  EXPECT_EQ(CoordinateText(Json::Parse("[]").value()), "()");
  EXPECT_EQ(CoordinateText(Json::Parse("13").value()), "13");
  EXPECT_EQ(CoordinateText(Json::Parse("[[1,1],[2,2]]").value()), "((1,1),(2,2))");
  EXPECT_EQ(CoordinateText(Json::Parse("[0,[1,2]]").value()), "(0,(1,2))");
}

TEST(Coordinate, TextReadsBack) {
  for (const std::vector<int64_t>& coordinate : {std::vector<int64_t>{}, {7}, {0, -1}, {1, 2, 3, 4, 5}}) {
    EXPECT_EQ(ReadFlatCoordinate(CoordinateText(Json(coordinate))), coordinate);
  }
}

}  // namespace
}  // namespace layoutcheck
