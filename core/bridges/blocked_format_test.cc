// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/blocked_format.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <set>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

std::vector<int64_t> Offsets(const BlockedFormat& format, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < sizes[0]; ++i) {
    for (int64_t j = 0; j < sizes[1]; ++j) {
      const int64_t coordinate[] = {i, j};
      offsets.push_back(OffsetIn(format, sizes, coordinate));
    }
  }
  return offsets;
}

// A digit that a tile moves behind a less significant one of its dimension is no block of oneDNN.
TEST(BlockedFormat, TiledLayoutsThatAreBlockingsHaveTheOffsetsOfTheirBlocks) {
  int64_t accepted = 0;
  int64_t refused = 0;
  ForEachTuple(6, {1, 2, 4}, [&](const std::vector<int64_t>& t) {
    Shape shape = Shape::Array(ElementType::kF32, {8, 8},
                               Layout({1, 0}, {Tile{{t[0], t[1]}}, Tile{{t[2], t[3]}}, Tile{{t[4], t[5], 1}}}));
    const auto format = BlockedFormatOfHlo(shape);
    ++(format ? accepted : refused);
    if (!format) return;
    const TiledIndex index = *MakeTiledIndex(shape);
    for (int64_t i = 0; i < 8; ++i) {
      for (int64_t j = 0; j < 8; ++j) {
        const int64_t coordinate[] = {i, j};
        ASSERT_EQ(OffsetIn(*format, shape.dimensions, coordinate), index(coordinate)) << testing::PrintToString(t);
      }
    }
  });
  std::printf("%lld blockings, %lld none\n", static_cast<long long>(accepted), static_cast<long long>(refused));
  const auto moved = BlockedFormatOfHlo(*ParseShape("f32[32,32]{1,0:T(16,16)(16,4)(4,1,1)}"));
  EXPECT_FALSE(moved.has_value());
}

// BlockedFormatOfShapeStride finds a format for exactly those layouts that a format of up to four blocks gives.
TEST(BlockedFormat, FoundWhereverThereIsOne) {
  const std::vector<int64_t> sizes = {4, 6};
  std::set<std::vector<int64_t>> blockings;
  std::vector<std::pair<int64_t, int64_t>> inner;
  const auto collect = [&](const auto& self) -> void {
    for (const auto& order : AllPermutations(2)) {
      const BlockedFormat format{order, inner};
      if (*PaddedElements(format, sizes) == 24) blockings.insert(Offsets(format, sizes));
    }
    if (inner.size() == 4) return;
    for (const int64_t d : {0, 1}) {
      for (const int64_t block : {2, 3, 4, 6}) {
        inner.emplace_back(d, block);
        self(self);
        inner.pop_back();
      }
    }
  };
  collect(collect);
  int64_t found = 0;
  int64_t none = 0;
  for (const char* shape : {"((2,2),(2,3))", "((2,2),(3,2))", "(4,(2,3))", "(4,(3,2))", "((2,2),6)", "(4,6)"}) {
    const IntTuple tuple = *ParseIntTuple(shape);
    const size_t leaves = Leaves(tuple).size();
    ForEachTuple(leaves, {1, 2, 3, 4, 6, 8, 12}, [&](const std::vector<int64_t>& d) {
      const ShapeStrideLayout layout{tuple, Unflatten(tuple, std::vector<IntTuple>(d.begin(), d.end()))};
      const StridedLayout strided = *StridedLayoutOf(layout);
      std::vector<int64_t> offsets;
      for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 6; ++j) {
          const int64_t coordinate[] = {i, j};
          offsets.push_back(StridedOffset<int64_t>(strided, coordinate));
        }
      }
      const auto format = BlockedFormatOfShapeStride(layout);
      ASSERT_EQ(format.has_value(), blockings.contains(offsets))
          << ToString(layout) << (format ? "" : ": " + format.error().message);
      ++(format ? found : none);
      if (!format) return;
      ASSERT_EQ(Offsets(*format, sizes), offsets) << ToString(layout);
      ASSERT_EQ(*PaddedElements(*format, sizes), 24);
    });
  }
  std::printf("%zu blockings; %lld layouts are one, %lld are none\n", blockings.size(), static_cast<long long>(found),
              static_cast<long long>(none));
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace layoutcheck
