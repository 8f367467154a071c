// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/find/find_layout.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"

namespace layoutcheck {
namespace {

// Returns the text of random tiles of XLA: up to two, the second one within the first, which may combine dimensions.
std::string RandomTiles(std::mt19937_64& random, size_t rank) {
  std::vector<int64_t> tile(1 + random() % rank);
  for (int64_t& entry : tile) entry = int64_t{1} << random() % 4;
  std::string text = StrCat(":T(", StrJoin(tile, ","), ")");
  if (tile.size() > 1 && random() % 3 == 0) {
    tile.erase(tile.begin());
    text = StrCat(":T(*,", StrJoin(tile, ","), ")");
  }
  if (random() % 2 == 0) return text;
  for (int64_t& entry : tile) entry = std::min<int64_t>(entry, int64_t{1} << random() % 3);
  return StrCat(text, "(", StrJoin(tile, ","), ")");
}

// Whatever layout gave the offsets, one with the same offsets is found.
TEST(FindLayout, FindsTilesOfRandomArrays) {
  std::mt19937_64 random(1);
  int64_t not_found = 0;
  const auto arrays = static_cast<int64_t>(100 / EveryNth(2, 10));
  for (int64_t n = 0; n < arrays; ++n) {
    const size_t rank = 1 + random() % 3;
    std::vector<int64_t> sizes(rank);
    std::vector<int64_t> order(rank);
    for (size_t d = 0; d < rank; ++d) {
      sizes[d] = static_cast<int64_t>(1 + random() % 12);
      order[d] = static_cast<int64_t>(d);
    }
    std::ranges::shuffle(order, random);
    const std::string shape = StrCat("f32[", StrJoin(sizes, ","), "]");
    const std::string text = StrCat(shape, "{", StrJoin(order, ","), RandomTiles(random, rank), "}");
    const auto layout = ReadLayout(text);
    ASSERT_TRUE(layout) << text;
    std::string table;
    ForEachIndex(sizes, [&](std::span<const int64_t> i) { StrAppend(table, (*layout)->Index(i), " "); });
    FindRequest request{
        .array = ReadUnplacedArray(shape).value(), .table = table, .memory = {}, .formula = {}, .code = {}};
    const FoundLayout found = FindLayout(request, {}).value();
    if (found.layout.empty()) {
      ++not_found;
      ADD_FAILURE() << text;
      continue;
    }
    const auto read = ReadLayout(found.layout);
    ASSERT_TRUE(read) << found.layout;
    ForEachIndex(sizes, [&](std::span<const int64_t> i) {
      EXPECT_EQ((*read)->Index(i), (*layout)->Index(i)) << text << " " << found.layout;
    });
  }
  EXPECT_EQ(not_found, 0) << "of " << arrays;
}

TEST(FindLayout, BadInputIsNamed) {
  const auto message = [](const char* shape, FindRequest request) -> std::string {
    const auto array = ReadUnplacedArray(shape);
    if (!array) return array.error().ToString();
    request.array = *array;
    const auto found = FindLayout(request, {});
    return found ? "found " + found->layout : found.error().ToString();
  };
  const auto table = [&](const char* shape, const char* text) { return message(shape, {.array = {}, .table = text}); };
  const auto memory = [&](const char* shape, const char* text) {
    return message(shape, {.array = {}, .memory = text});
  };
  const auto formula = [&](const char* shape, const char* text, std::vector<std::string> assumptions = {}) {
    return message(shape, {.array = {}, .formula = text, .assumptions = std::move(assumptions)});
  };
  EXPECT_EQ(table("f32[2]{0}", "0 1"), "expected a shape without a layout, which is looked for: f32[2]{0}");
  EXPECT_EQ(table("f32[0]", ""), "expected sizes of at least 1: f32[0]");
  EXPECT_EQ(table("zN:f16[2,2]", "0"), "expected a shape of XLA, such as f32[M,N]: zN:f16[2,2]");
  EXPECT_EQ(table("f32[M]", "0 1"), "expected numbers as sizes, found the name M");
  EXPECT_EQ(table("f32[2]", "0"), "expected an offset for each of the 2 elements of f32[2], found 1 integers");
  EXPECT_EQ(table("f32[2]", "0 x"), "column 3: expected an integer, found 'x'");
  EXPECT_EQ(table("f32[2]", "0 9223372036854775808"), "column 3: the integer 9223372036854775808 does not fit int64");
  EXPECT_EQ(table("f32[2000000]", "0"),
            "expected an array of at most 1048576 elements, or names for its sizes: f32[2000000]");
  EXPECT_EQ(memory("f32[2]", "0 0"), "offset 1: element 0 is at offset 0, too");
  EXPECT_EQ(memory("f32[2]", "0 -1"), "element 1 of 2 is at none of the 2 offsets");
  EXPECT_EQ(memory("f32[2]", "0 2"),
            "offset 1: expected the number of an element, 0 to 1, or a negative one for padding, found 2");
  EXPECT_EQ(formula("f32[N]", "i0/0"), "--formula: at N=300 and element (0): i0 / 0: division by zero");
  EXPECT_EQ(formula("f32[N]", "i0 + i1"), "--formula: f32[N] has no dimension for i1");
  EXPECT_EQ(
      formula("f32[N]", "i0", {"N < 0"}),
      "expected other assumptions or sizes: of those tried, none has at most 1048576 elements and fulfills --assume");
}

}  // namespace
}  // namespace layoutcheck
