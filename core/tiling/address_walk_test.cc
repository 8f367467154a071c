// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mixed_radix_test.cc walks through all addresses of many layouts in order. This file jumps.
#include "layoutcheck/core/tiling/address_walk.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>
#include "layoutcheck/core/hlo/parser.h"

namespace layoutcheck {
namespace {

TEST(AddressWalk, JumpsAgreeWithTheChain) {
  for (const char* text : {
           "f32[]",
           "f32[]{:T(2)(3)}",
           "f32[3,5]{1,0:T(2,2)}",
           "bf16[8,3,1280,1001]{3,2,0,1:T(8,128)(2,1)}",
           "f32[7,5,9,4]{0,2,3,1:T(2,*,3)(*,2,5)}",
           "f32[2,3,1004]{2,1,0:T(*,*,128)(4,32)(*,7)}",
           "s8[3037000499,3037000499]{0,1}",
           "s8[2147483647,1,2147483647]{2,0,1:T(*,3,2)}",
       }) {
    const auto chain = MakeMixedRadix(*TiledLayoutOf(*ParseShape(text)));
    ASSERT_TRUE(chain.has_value()) << text;
    AddressWalk walk(*chain);
    ASSERT_EQ(walk.padded_elements(), chain->padded_elements());
    std::mt19937_64 random(7);
    std::vector<int64_t> index(walk.index().size());
    int64_t address = 0;
    for (int jump = 0; jump < 2000; ++jump) {
      // Every other move is to the next address.
      const bool is_next = jump % 2 == 1 && address + 1 < chain->padded_elements();
      address =
          is_next ? address + 1 : static_cast<int64_t>(random() % static_cast<uint64_t>(chain->padded_elements()));
      walk.MoveTo(address);
      const bool is_element = chain->Coordinate(address, index);
      ASSERT_EQ(walk.is_padding(), !is_element) << text << " at " << address;
      if (!is_element) continue;
      ASSERT_TRUE(std::ranges::equal(walk.index(), index)) << text << " at " << address;
    }
  }
}

}  // namespace
}  // namespace layoutcheck
