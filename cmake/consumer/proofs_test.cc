// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <layoutcheck/solver/formula_proof/prove_function.h>
#include <cstdint>
#include <span>

// For int64_t in the program, and for any other integer.
template <class Int>
Int TileOffset(std::span<const Int> index, std::span<const Int> sizes) {
  const Int tiles_per_row = (sizes[1] + 127) / 128;
  const Int tile = index[0] / 8 * tiles_per_row + index[1] / 128;
  return tile * 1024 + index[0] % 8 * 128 + index[1] % 128;
}

TEST(TileOffset, IsTheTilingForEveryShape) {
  EXPECT_TRUE(
      layoutcheck::Prove("f32[M,N]{1,0:T(8,128)}", [](auto index, auto sizes) { return TileOffset(index, sizes); }));
}

TEST(TileOffset, NeverOverflowsInt32WhereTheArrayFits) {
  EXPECT_TRUE(layoutcheck::ProveNoOverflow(
      "f32[M,N]{1,0:T(8,128)}", [](auto index, auto sizes) { return TileOffset(index, sizes); }, "int32"));
}
