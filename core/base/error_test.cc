// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/error.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(Error, TheKindOfAnErrorIsThatOfItsFunction) {
  EXPECT_EQ(LayoutError("tile ", 3).error().kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(ArgumentError("tile ", 3).error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(OverflowError("tile ", 3).error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(UnsupportedError("tile ", 3).error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(UnavailableError("tile ", 3).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(SyntaxErrorAt(1, "tile ", 3).error().kind, ErrorKind::kSyntax);
}

TEST(Error, PiecesAreOneText) {
  const std::string name = "d0";
  EXPECT_EQ(LayoutError("dimension ", name, ' ', -3).error().ToString(), "dimension d0 -3");
  EXPECT_EQ(SyntaxErrorAt(7, "expected ", name).error().ToString(), "column 7: expected d0");
}

TEST(Error, AnErrorMovesToAnotherColumn) {
  const Expected<int> failed = ErrorAt(5, OverflowError("the size"));
  EXPECT_EQ(failed.error().ToString(), "column 5: the size");
  const Expected<int> moved = ErrorAt(9, failed.error());
  EXPECT_EQ(moved.error().ToString(), "column 9: the size");
  EXPECT_EQ(moved.error().kind, ErrorKind::kOverflow);
}

TEST(Error, EveryKindHasAName) {
  EXPECT_STREQ(ErrorKindName(ErrorKind::kSyntax), "syntax");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kInvalidLayout), "layout");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kInvalidArgument), "argument");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kOverflow), "overflow");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kUnsupported), "unsupported");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kUnavailable), "unavailable");
}

}  // namespace
}  // namespace layoutcheck
