// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/text_cursor.h"
#include <gtest/gtest.h>
#include <limits>

namespace layoutcheck {
namespace {

TEST(TextCursor, TakesLiteralsAndIntegersBetweenBlanks) {
  TextCursor cursor(" ( 12,\t-3 )x");
  EXPECT_TRUE(cursor.Take("("));
  EXPECT_TRUE(cursor.AtBlank());
  EXPECT_EQ(cursor.TakeInteger(), 12);
  EXPECT_FALSE(cursor.Take(";"));
  EXPECT_TRUE(cursor.Sees(","));
  EXPECT_TRUE(cursor.Take(","));
  EXPECT_EQ(cursor.TakeInteger(), -3);
  EXPECT_TRUE(cursor.Take(")"));
  EXPECT_FALSE(cursor.AtEnd());
  EXPECT_EQ(cursor.byte(), 'x');
  EXPECT_EQ(cursor.rest(), "x");
  cursor.MoveTo(12);
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.byte(), '\0');
}

TEST(TextCursor, TakesRunsOfBytes) {
  TextCursor cursor("abc7");
  EXPECT_EQ(cursor.TakeWhile([](char c) { return c >= 'a'; }), "abc");
  EXPECT_EQ(cursor.TakeWhile([](char c) { return c >= 'a'; }), "");
  EXPECT_EQ(cursor.Since(1), "bc");
  EXPECT_EQ(cursor.TakeInteger(), 7);
}

TEST(TextCursor, SkipsOnlyTheBlanksItWasGiven) {
  TextCursor cursor(" \n7", " ");
  EXPECT_FALSE(cursor.Take("7"));
  EXPECT_EQ(cursor.Describe(), "byte 10");
  EXPECT_EQ(TextCursor(" \n7", " \n").TakeInteger(), 7);
}

TEST(TextCursor, ReadsEveryInt64AndNothingBeyond) {
  EXPECT_EQ(TextCursor("9223372036854775807").TakeInteger(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(TextCursor("-9223372036854775808").TakeInteger(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(TextCursor("7fffffffffffffff").TakeInteger(16), std::numeric_limits<int64_t>::max());
  TextCursor cursor(" 9223372036854775808");
  const Expected<int64_t> beyond = cursor.TakeInteger();
  ASSERT_FALSE(beyond.has_value());
  EXPECT_EQ(beyond.error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(beyond.error().ToString(), "column 2: the integer 9223372036854775808 does not fit int64");
  EXPECT_EQ(cursor.position(), 1u);
}

TEST(TextCursor, ErrorsNameTheColumnAndWhatWasExpected) {
  TextCursor cursor("4 x");
  EXPECT_EQ(cursor.TakeInteger(), 4);
  const Expected<int64_t> missing = cursor.TakeInteger();
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, ErrorKind::kSyntax);
  EXPECT_EQ(missing.error().ToString(), "column 3: expected an integer, found 'x'");
  EXPECT_EQ(TextCursor("").Unexpected("')'").error().ToString(), "column 1: expected ')', found end of text");
  EXPECT_EQ(TextCursor("\x80").Fail("no digits").error().ToString(), "column 1: no digits");
}

}  // namespace
}  // namespace layoutcheck
