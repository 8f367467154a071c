// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/hash.h"
#include <gtest/gtest.h>
#include <vector>

namespace layoutcheck {
namespace {

TEST(Hash, TextsHaveTheirFnv1aHash) {
  // From the test suite of the reference implementation (isthe.com/chongo/tech/comp/fnv).
  EXPECT_EQ(HashDigits(HashText("")), "cbf29ce484222325");
  EXPECT_EQ(HashDigits(HashText("a")), "af63dc4c8601ec8c");
  EXPECT_EQ(HashDigits(HashText("foobar")), "85944171f73967e8");
  EXPECT_EQ(HashText("bar", HashText("foo")), HashText("foobar"));
  EXPECT_EQ(HashDigits(0x12), "0000000000000012");
}

TEST(Hash, CombinedHashesAreTheSameOnEveryPlatform) {
  EXPECT_EQ(HashDigits(HashCombineRange(0, std::vector<int64_t>{1, 0, -1})), "6a433124ac1ff2bf");
  EXPECT_NE(HashCombine(HashCombine(0, 1), 2), HashCombine(HashCombine(0, 2), 1));
  EXPECT_NE(HashCombineRange(0, std::vector<int64_t>{}), HashCombineRange(0, std::vector<int64_t>{0}));
}

}  // namespace
}  // namespace layoutcheck
