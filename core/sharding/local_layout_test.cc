// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/local_layout.h"
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Every element comes back from its offset, and every other offset of the allocation is padding.
TEST(LocalLayout, CoordinatesAndOffsetsAreInverses) {
  const std::pair<std::string_view, Integers> cases[] = {
      {"(4,6):(8,1)", {4, 6}},
      {"(4,6):(8,1)", {3, 5}},
      {"((2,3),(2,4)):((1,4),(2,12))", {5, 7}},
      {"Sw<2,0,3> o 0 o (8,8):(8,1)", {8, 7}},
      {"5 o (3,2):(-1,3)", {3, 2}},
      {"ll{y:[1,4],x:[2,8]} -> [16]", {3, 4}},
      {"8:3", {7}},
      {"():()", {}},
      {"(0,4):(4,1)", {0, 4}},
      // Coordinate (3,0), which no array of this size has, shares an offset with (0,1).
      {"((2,2),2):((1,2),3)", {3, 2}},
  };
  for (const auto& [text, sizes] : cases) {
    const auto layout = LocalLayout::Parse(text, 1);
    ASSERT_TRUE(layout) << text << ": " << layout.error().ToString();
    ASSERT_TRUE(layout->RequireRoomFor(sizes)) << text;
    std::map<int64_t, Integers> elements;
    ForEachIndex(sizes, [&](std::span<const int64_t> index) {
      const bool is_new = elements.emplace(layout->OffsetOf(index), Integers(index.begin(), index.end())).second;
      EXPECT_TRUE(is_new) << text;
    });
    for (int64_t offset = 0; offset < layout->allocation(); ++offset) {
      const auto found = layout->CoordinateOf(offset, sizes);
      ASSERT_TRUE(found) << text << ": " << found.error().ToString();
      const auto element = elements.find(offset);
      EXPECT_EQ(*found, element == elements.end() ? std::nullopt : std::optional(element->second)) << text;
      elements.erase(offset);
    }
    EXPECT_TRUE(elements.empty()) << text << " has an offset outside its allocation";
  }
}

TEST(LocalLayout, KnownOffsets) {
  EXPECT_EQ(LocalLayout::Parse("(8,128):(136,1)", 1)->OffsetOf(Integers{2, 3}), 275);
  EXPECT_EQ(LocalLayout::Parse("(8,128):(136,1)", 1)->allocation(), 7 * 136 + 128);
  EXPECT_EQ(LocalLayout::Parse("Sw<2,0,3> o 0 o (8,8):(8,1)", 1)->OffsetOf(Integers{3, 1}), 26);  // 25 ^ 3
  EXPECT_EQ(LocalLayout::Parse("ll{y:[1,4],x:[2,8]} -> [16]", 1)->OffsetOf(Integers{3, 2}), 13);
}

TEST(LocalLayout, ADeviceHasTheLocalLayoutAsAView) {
  const auto text = ParseSharded("f32[5,6]  sharding={devices=[2,1]<=[2]}  local=(4, 6):(8, 1) ");
  ASSERT_TRUE(text) << text.error().ToString();
  EXPECT_EQ(text->Text(), "f32[5,6] sharding={devices=[2,1]<=[2]} local=(4,6):(8,1)");
  const ShardedArray& array = text->array;
  EXPECT_EQ(array.LocalOf(1)->LayoutText(), "(4,6):(8,1)@[0:3,0:6]");
  EXPECT_EQ(array.LocalOf(1)->sizes.elements, 18);
  EXPECT_EQ(array.LocalOf(1)->sizes.padded_elements, 30);
  EXPECT_EQ(array.LocalOf(1)->sizes.bytes, 120);
  const ShardedArray::Place place = array.Find(Integers{4, 5});
  EXPECT_EQ(place.devices, Integers{1});
  EXPECT_EQ(place.offset, 13);
  EXPECT_EQ(array.CoordinateAt(1, 13).value(), (Integers{4, 5}));
  EXPECT_EQ(array.CoordinateAt(1, 14).value(), std::nullopt);  // between rows
  EXPECT_EQ(array.CoordinateAt(1, 16).value(), std::nullopt);  // a row that the last shard does not have
}

TEST(LocalLayout, StandsBehindEveryNotation) {
  for (const std::string_view sharding : {"sharding={devices=[2]<=[2]}", "mesh[local=2] P(\"local\")", "mesh[2] S(0)",
                                          "#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}]>"}) {
    const std::string text = StrCat("f32[4] ", sharding, " local=2:3");
    const auto read = ParseSharded(text);
    ASSERT_TRUE(read) << text << ": " << read.error().ToString();
    EXPECT_EQ(read->Text(), text);
    EXPECT_EQ(read->array.Find(Integers{3}).offset, 3) << text;
  }
}

TEST(LocalLayout, ErrorsNameTheColumn) {
  const auto error = [](std::string_view local) {
    const auto read = ParseSharded(StrCat("f32[8,6] mesh[2] S(0) ", local));
    return read ? "none" : read.error().ToString();
  };
  EXPECT_EQ(error("local=(4,4):(6,1)"),
            "column 29: expected room for dimension 1 of the array of a device, which has size 6: the local layout has "
            "size 4");
  EXPECT_EQ(error("local=(4,6,1):(6,1,1)"),
            "column 29: expected a local layout with one mode per dimension of the array, which has 2, found 3");
  EXPECT_EQ(error("local= "), "column 30: expected a layout such as (8,128):(136,1), found end of text");
  EXPECT_EQ(
      error("local=(M,6):(6,1)"),
      "column 29: expected the layout of the array of a device: shape:stride in numbers, such as (8,128):(136,1), "
      "or a layout in bits, ll{...} -> [...]");
  EXPECT_EQ(error("local=(4,6):(6,1").substr(0, 10), "column 39:");
  EXPECT_EQ(error("local=(4,6):(6,-1)"), "column 29: expected offsets from 0 on, found -5 as the smallest one");
  EXPECT_EQ(error("local=(4,6):(1@0,1@1)").substr(0, 10), "column 29:");
  EXPECT_EQ(error("local=ll{y:[1,2],x:[1,4,8]} -> [16]"),
            "column 29: expected a layout in bits that gives each coordinate an offset of its own");
  EXPECT_EQ(error("local=(4,9223372036854775807):(9223372036854775807,1)").substr(0, 10), "column 29:");
  EXPECT_EQ(error("else"), "column 23: expected 'local=' and a layout, or the end of the text, found 'e'");
  // Shards of a given shape may have more elements than the array.
  EXPECT_EQ(ParseSharded("f32[8,6] MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,shard_spec=ShardSpec("
                         "grid={[(x=0,y=0) - (x=1,y=0)]},shape={1099511627776, 1099511627776},orientation="
                         "ShardOrientation::ROW_MAJOR)) local=(1099511627776,1099511627776):(0,0)")
                .error()
                .ToString(),
            "column 209: the size does not fit int64");
  EXPECT_EQ(ParseSharded("f32[8,6]{1,0} mesh[2] S(0) local=(4,6):(6,1)").error().ToString(),
            "column 9: expected a shape without a layout, because 'local=' says where the elements lie");
}

}  // namespace
}  // namespace layoutcheck
