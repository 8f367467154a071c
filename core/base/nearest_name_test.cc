// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/nearest_name.h"
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace layoutcheck {
namespace {

TEST(EditDistance, KnownDistances) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("relayout", "relayuot"), 1u);
  EXPECT_EQ(EditDistance("zN", "ZN"), 0u);
  // The optimal string alignment edits no part twice: without that rule, 2 would do.
  EXPECT_EQ(EditDistance("ca", "abc"), 3u);
}

// The distance is symmetric, 0 for the same text, and grows by at most 1 with each edit.
TEST(EditDistance, Laws) {
  std::mt19937 random(1);
  const auto letter = [&] { return static_cast<char>('a' + random() % 3); };
  for (int round = 0; round < 500; ++round) {
    std::string a;
    for (size_t k = random() % 8; k > 0; --k) a += letter();
    std::string b;
    for (size_t k = random() % 8; k > 0; --k) b += letter();
    const size_t distance = EditDistance(a, b);
    EXPECT_EQ(EditDistance(b, a), distance) << a << " " << b;
    EXPECT_EQ(EditDistance(a, a), 0u);
    std::string edited = b;
    edited.insert(random() % (b.size() + 1), 1, letter());
    const size_t longer = EditDistance(a, edited);
    EXPECT_LE(longer, distance + 1) << a << " " << b << " " << edited;
    EXPECT_GE(longer + 1, distance) << a << " " << b << " " << edited;
  }
}

TEST(NearestName, IsAtMostAThirdOfTheLengthAway) {
  const std::vector<std::string_view> names = {"relayout", "linear-index", "onto", "zN", "f32"};
  EXPECT_EQ(NearestName("relayuot", names), "relayout");
  EXPECT_EQ(NearestName("linear", names), "");
  EXPECT_EQ(NearestName("ontoo", names), "onto");
  EXPECT_EQ(NearestName("zn", names), "zN");
  EXPECT_EQ(NearestName("zM", names), "");
  EXPECT_EQ(NearestName("f23", names), "f32");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName("g", {"h", ""}), "");
  EXPECT_EQ(NearestName(std::string(100000, 'x'), names), "");
  EXPECT_EQ(NearestName("ab", {}), "");
  EXPECT_EQ(DidYouMean("relayuot", names), " (did you mean 'relayout'?)");
  EXPECT_EQ(DidYouMean("nothing like it", names), "");
}

}  // namespace
}  // namespace layoutcheck
