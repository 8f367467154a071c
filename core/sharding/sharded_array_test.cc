// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/sharded_array.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

TEST(ShardedArray, EachDeviceHasTheLayoutWithItsSizes) {
  const auto text = ParseSharded("f32[5,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}");
  ASSERT_TRUE(text) << text.error().ToString();
  EXPECT_EQ(text->Text(), "f32[5,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}");
  const ShardedArray& array = text->array;
  // Parts of 3 x 2; each is padded to 4 x 2.
  EXPECT_EQ(ToString(array.LocalOf(4)->shape), "f32[3,2]{0,1:T(2,2)}");
  EXPECT_EQ(array.LocalOf(4)->sizes.padded_elements, 8);
  EXPECT_EQ(array.LocalOf(6), nullptr);
  const ShardedArray::Place place = array.Find(Integers{4, 3});
  EXPECT_EQ(place.devices, Integers{4});
  EXPECT_EQ(array.CoordinateAt(4, place.offset).value(), (Integers{4, 3}));
  int64_t elements = 0;
  for (const int64_t device : array.sharding().devices()) {
    for (int64_t offset = 0; offset < 8; ++offset) elements += *array.CoordinateAt(device, offset) ? 1 : 0;
  }
  EXPECT_EQ(elements, 30);
}

TEST(ShardedArray, DTensorsHaveNoPadding) {
  const auto text = ParseSharded("f32[5] mesh[3] S(0)");
  ASSERT_TRUE(text) << text.error().ToString();
  EXPECT_EQ(text->Text(), "f32[5]{0} mesh[3] S(0)");
  EXPECT_EQ(text->array.LocalOf(2)->sizes.bytes, 4);
  EXPECT_EQ(text->array.Find(Integers{4}).offset, 0);
}

TEST(ShardedArray, TailPaddingHoldsNoElement) {
  const auto text = ParseSharded("f32[6]{0:L(4)} sharding={devices=[2]<=[2]}");
  ASSERT_TRUE(text) << text.error().ToString();
  EXPECT_EQ(text->array.LocalOf(0)->sizes.padded_elements, 4);
  EXPECT_EQ(text->array.CoordinateAt(0, 3).value(), std::nullopt);
}

TEST(ShardedArray, ErrorsNameTheColumn) {
  const auto error = [](std::string_view text) { return ParseSharded(text).error().ToString(); };
  EXPECT_EQ(error("f32[5]{0}"),
            "column 10: expected a sharding behind the shape: 'sharding={...}', 'mesh[...] ...', "
            "'#sdy.sharding<...>' or 'MemoryConfig(...)'");
  EXPECT_EQ(error("f32[5]{1} sharding={devices=[2]<=[2]}").substr(0, 8), "column 7");
  EXPECT_EQ(error("f32[5]{0} sharding={devices=[2,1]<=[2]}"),
            "column 11: the sharding has 2 dimensions, and the array has 1");
  EXPECT_EQ(error("f32[<=5]{0} sharding={devices=[2]<=[2]}"), "column 1: a sharded array with a dynamic dimension");
  EXPECT_EQ(error("(f32[5]{0}) sharding={{replicated}}"),
            "column 1: expected the shape of an array, found that of a tuple: give the shape and the sharding of one "
            "of its arrays");
}

}  // namespace
}  // namespace layoutcheck
