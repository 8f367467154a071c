// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/name_ranges.h"
#include <gtest/gtest.h>
#include <vector>

namespace layoutcheck {
namespace {

std::string Text(const std::vector<std::string>& names, const NameRanges& ranges) { return ForAllText(names, ranges); }

TEST(ForAllText, HasEachRangeOnce) {
  EXPECT_EQ(Text({}, {}), "for every index");
  EXPECT_EQ(Text({"N"}, {}), "for all N >= 0 and every index");
  const NameRanges tiles = {{"P", kPositiveRange}, {"Q", kPositiveRange}};
  EXPECT_EQ(Text({"M", "P", "N", "Q"}, tiles), "for all M, N >= 0, all P, Q >= 1 and every index");
}

TEST(ForAllText, NamesTypesAndBounds) {
  const NameRanges ranges = {
      {"B", "int32"}, {"C", "int32"}, {"x", kIntegerRange}, {"y", kIntegerRange}, {"n", "0 to 127"}};
  EXPECT_EQ(Text({"M", "B"}, ranges), "for all M >= 0, every int32 B and every index");
  EXPECT_EQ(Text({"B", "C"}, ranges), "for all int32 B, C and every index");
  EXPECT_EQ(Text({"x"}, ranges), "for every integer x and every index");
  EXPECT_EQ(Text({"x", "y", "n"}, ranges), "for all integers x, y, every n from 0 to 127 and every index");
}

}  // namespace
}  // namespace layoutcheck
