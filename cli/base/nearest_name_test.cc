// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/nearest_name.h"
#include <gtest/gtest.h>
#include <vector>

namespace layoutcheck {
namespace {

TEST(NearestName, IsNamedWithinAThirdOfTheLength) {
  const std::vector<std::string> names = {"formula", "function", "law", "layout", "layouts"};
  EXPECT_EQ(DidYouMean("fromula", names), "; did you mean 'formula'?");  // a swap is one edit
  EXPECT_EQ(DidYouMean("funktion", names), "; did you mean 'function'?");
  EXPECT_EQ(DidYouMean("lw", names), "; did you mean 'law'?");  // a short word may have one
  EXPECT_EQ(DidYouMean("layout", names), "; did you mean 'layout'?");
  EXPECT_EQ(DidYouMean("fOrMulA", names), "");  // 3 of 7
  EXPECT_EQ(DidYouMean("", names), "");
  EXPECT_EQ(DidYouMean("x", {}), "");
  EXPECT_EQ(DidYouMean(std::string(1'000'000, 'l'), names), "");
}

}  // namespace
}  // namespace layoutcheck
