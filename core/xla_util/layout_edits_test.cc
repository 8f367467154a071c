// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/layout_edits.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

Layout Parse(const char* text) { return *ParseLayout(text); }
Shape ParseS(const char* text) { return *ParseShape(text); }

TEST(LayoutEdits, MovesAndPositionsOnEveryOrder) {
  int64_t layouts = 0;
  for (size_t rank = 1; rank <= 5; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      Layout layout(order, {{{8, 128}}});
      layout.memory_space = 1;
      layout.element_size_in_bits = 4;
      const Numbers positions = *MakeLogicalToPhysical(layout);
      for (size_t d = 0; d < rank; ++d) {
        ++layouts;
        const auto dimension = static_cast<int64_t>(d);
        EXPECT_EQ(layout.Major(positions[d]), dimension);
        const Layout major = *MoveDimToMajor(layout, dimension);
        const Layout minor = *MoveDimToMinor(layout, dimension);
        EXPECT_EQ(major.Major(0), dimension);
        EXPECT_EQ(minor.Minor(0), dimension);
        EXPECT_EQ(*MoveDimToMajor(major, dimension), major);
        EXPECT_EQ(*MoveDimToMinor(minor, dimension), minor);
        EXPECT_EQ(*MoveDimToMajor(layout, layout.Major(0)), layout);
        EXPECT_EQ(*MoveDimToMinor(layout, layout.Minor(0)), layout);
        // The other dimensions keep their order, and the other fields stay.
        for (const Layout& moved : {major, minor}) {
          Numbers rest = order;
          Numbers moved_rest = moved.minor_to_major;
          std::erase(rest, dimension);
          std::erase(moved_rest, dimension);
          EXPECT_EQ(rest, moved_rest);
          Layout same = moved;
          same.minor_to_major = order;
          EXPECT_EQ(same, layout);
        }
        // The other dimensions keep their order, and larger numbers decrease by one.
        const Layout deleted = *DeleteDimension(layout, dimension);
        Numbers expected = order;
        std::erase(expected, dimension);
        for (int64_t& other : expected) other -= other > dimension;
        EXPECT_EQ(deleted.minor_to_major, expected);
        EXPECT_EQ(deleted.tiles, layout.tiles);
      }
    }
  }
  std::printf("%lld layout and dimension pairs\n", static_cast<long long>(layouts));
}

TEST(LayoutEdits, KnownAnswers) {
  EXPECT_EQ(ToString(*MoveDimToMajor(Parse("{2,1,0}"), 0)), "{2,1,0}");
  EXPECT_EQ(ToString(*MoveDimToMajor(Parse("{2,1,0}"), 2)), "{1,0,2}");
  EXPECT_EQ(ToString(*MoveDimToMinor(Parse("{2,0,3,1}"), 2)), "{2,0,3,1}");
  EXPECT_EQ(ToString(*MoveDimToMinor(Parse("{2,0,3,1}"), 3)), "{3,2,0,1}");
  EXPECT_EQ(ToString(*DeleteDimension(Parse("{1,0}"), 0)), "{0}");
  EXPECT_TRUE(IsMonotonicWithDim0Major(Parse("{2,1,0}")));
  EXPECT_FALSE(IsMonotonicWithDim0Major(Parse("{1,2,0}")));
  EXPECT_TRUE(IsMonotonicWithDim0Minor(Parse("{0,1,2}")));
  EXPECT_FALSE(IsMonotonicWithDim0Minor(Parse("{1,0}")));
  EXPECT_TRUE(*AreDimensionsConsecutive(Parse("{3,0,2,1}"), Numbers{2, 0}));
  EXPECT_TRUE(*AreDimensionsConsecutive(Parse("{3,0,2,1}"), Numbers{}));
  EXPECT_FALSE(*AreDimensionsConsecutive(Parse("{3,0,2,1}"), Numbers{3, 2}));
  EXPECT_FALSE(*AreDimensionsConsecutive(Parse("{3,0,2,1}"), Numbers{2, 2}));
}

TEST(LayoutEdits, SplitConfigsFollowTheirDimension) {
  const Layout layout = Parse("{0,1,2:SC(0:30)(1:40,130)}");  // cuts dimension 2 at 30, dimension 1 at 40 and 130
  EXPECT_EQ(ToString(*DeleteDimension(layout, 0)), "{0,1:SC(0:30)(1:40,130)}");
  EXPECT_EQ(ToString(*DeleteDimension(layout, 1)), "{0,1:SC(0:30)}");
  EXPECT_EQ(ToString(*DeleteDimension(layout, 2)), "{0,1:SC(0:40,130)}");
  EXPECT_EQ(ToString(*MoveDimToMajor(layout, 0)), "{1,2,0:SC(1:30)(2:40,130)}");
  EXPECT_EQ(ToString(*MoveDimToMinor(layout, 2)), "{2,0,1:SC(2:30)(0:40,130)}");
  const Shape shape = Shape::Array(ElementType::kF32, {150, 200, 100}, layout);
  for (int64_t d = 0; d < 3; ++d) {
    for (int64_t other = 0; other < 3; ++other) {
      Shape moved = shape;
      moved.layout = *MoveDimToMajor(layout, d);
      EXPECT_EQ(*MaxSplitSize(moved, other), *MaxSplitSize(shape, other));
      moved.layout = *MoveDimToMinor(layout, d);
      EXPECT_EQ(*MaxSplitSize(moved, other), *MaxSplitSize(shape, other));
    }
  }
}

TEST(LayoutEdits, Splits) {
  const Shape shape = ParseS("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
  EXPECT_EQ(*MaxSplitSize(shape, 0), 150);
  EXPECT_EQ(*MaxSplitSize(shape, 1), 90);
  EXPECT_EQ(*MaxSplitSize(shape, 2), 70);
  EXPECT_EQ(*MaxElementsInPerSplit(shape), 945000);
  EXPECT_EQ(*MaxElementsInPerSplit(ParseS("f32[150,200,100]{0,1,2}")), 3000000);
  EXPECT_EQ(*MaxElementsInPerSplit(ParseS("f32[]")), 1);
  EXPECT_EQ(*MaxElementsInPerSplit(ParseS("f32[0,3]")), 0);
  EXPECT_FALSE(MaxSplitSize(shape, 3).has_value());
  EXPECT_FALSE(MaxSplitSize(ParseS("token[]"), 0).has_value());
  EXPECT_FALSE(MaxElementsInPerSplit(ParseS("token[]")).has_value());
  EXPECT_EQ(MaxSplitSize(ParseS("f32[?]"), 0).error().kind, ErrorKind::kUnsupported);
}

TEST(LayoutEdits, EqualLeavesOutWhatTheOptionsSay) {
  struct Case {
    const char* lhs;
    const char* rhs;
    bool LayoutEqualOptions::* ignore;
  };
  const Case cases[] = {
      {"{0,1,2:T(42,44)}", "{0,1,2:T(42,45)}", &LayoutEqualOptions::ignore_tiles},
      {"{0,1,2:T(42,44)}", "{0,1,2}", &LayoutEqualOptions::ignore_tiles},
      {"{0,1,2:L(8)}", "{0,1,2}", &LayoutEqualOptions::ignore_tail_padding},
      {"{0,1,2:#(u32)}", "{0,1,2}", &LayoutEqualOptions::ignore_index_primitive_type},
      {"{0,1,2:*(u32)}", "{0,1,2:*(u64)}", &LayoutEqualOptions::ignore_pointer_primitive_type},
      {"{0,1,2:S(1)}", "{0,1,2:S(3)}", &LayoutEqualOptions::ignore_memory_space},
      {"{0,1,2:SC(0:3)}", "{0,1,2}", &LayoutEqualOptions::ignore_split_configs},
      {"{0,1,2:E(32)}", "{0,1,2:E(1)}", &LayoutEqualOptions::ignore_element_size},
  };
  for (const Case& c : cases) {
    const Layout lhs = Parse(c.lhs);
    const Layout rhs = Parse(c.rhs);
    EXPECT_TRUE(Equal(lhs, lhs));
    EXPECT_FALSE(Equal(lhs, rhs)) << c.lhs;
    LayoutEqualOptions options;
    options.*c.ignore = true;
    EXPECT_TRUE(Equal(lhs, rhs, options)) << c.lhs;
    EXPECT_TRUE(Equal(lhs, rhs, LayoutEqualOptions::MinorToMajorOnly()));
    LayoutEqualOptions others = LayoutEqualOptions::MinorToMajorOnly();
    others.*c.ignore = false;
    EXPECT_FALSE(Equal(lhs, rhs, others)) << c.lhs;
  }
  EXPECT_FALSE(Equal(Parse("{0,1,2,3}"), Parse("{0,1,2}"), LayoutEqualOptions::MinorToMajorOnly()));
  EXPECT_FALSE(Equal(Parse("{0,1}"), Parse("{1,0}"), LayoutEqualOptions::MinorToMajorOnly()));
  EXPECT_TRUE(Equal(Parse("{0:M(8)}"), Parse("{0}")));
  Layout sparse = Parse("{0}");
  sparse.physical_shape.push_back(ParseS("f32[2]"));
  EXPECT_FALSE(Equal(sparse, Parse("{0}")));
  EXPECT_TRUE(Equal(sparse, Parse("{0}"), {.ignore_physical_shape = true}));
}

// Evaluates the definition: every element is at its row-major position, and there is no padding.
bool IsUntiledByTable(const std::vector<Tile>& tiles, const Numbers& sizes) {
  Layout layout = MakeDescendingLayout(static_cast<int64_t>(sizes.size()));
  layout.tiles = tiles;
  const TiledIndex index = *MakeTiledIndex(Shape::Array(ElementType::kS8, sizes, layout));
  int64_t elements = 1;
  for (const int64_t size : sizes) elements *= size;
  if (index.padded_elements() != elements) return false;
  for (int64_t n = 0; n < elements; ++n) {
    Numbers at(sizes.size());
    int64_t rest = n;
    for (size_t d = at.size(); d-- > 0;) {
      at[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    if (index(at) != n) return false;
  }
  return true;
}

TEST(LayoutEdits, IsUntiledLayoutIsSoundAndComplete) {
  constexpr int64_t kStar = Tile::kCombineDimension;
  const std::vector<Tile> tiles = {{{1}},        {{2}},           {{3}},          {{4}},       {{6}},
                                   {{2, 2}},     {{1, 3}},        {{2, 1}},       {{4, 3}},    {{kStar, 2}},
                                   {{kStar, 3}}, {{2, kStar, 3}}, {{1, 1, 1, 2}}, {{2, 2, 2}}, {{kStar, kStar, 6}},
                                   {{1, 2, 1}},  {{1, 1, 4, 3}},  {{kStar, 4, 1}}};
  int64_t cases = 0;
  int64_t untiled = 0;
  for (size_t rank = 0; rank <= 3; ++rank) {
    ForEachTuple(rank, {0, 1, 2, 3, 4, 6}, [&](const Numbers& sizes) {
      const auto check = [&](const std::vector<Tile>& list) {
        const auto answer = IsUntiledLayout(list, sizes);
        ASSERT_TRUE(answer.has_value()) << answer.error().message;
        ASSERT_EQ(*answer, IsUntiledByTable(list, sizes))
            << testing::PrintToString(sizes) << ToString(list[0]) << ToString(list.back());
        ++cases;
        untiled += *answer;
      };
      EXPECT_TRUE(*IsUntiledLayout({}, sizes));
      for (const Tile& first : tiles) {
        check({first});
        for (const Tile& second : tiles) check({first, second});
      }
    });
  }
  EXPECT_GT(untiled, 1000);
  std::printf("%lld cases, %lld untiled\n", static_cast<long long>(cases), static_cast<long long>(untiled));
  // Four transposes of 2x3 to 3x2 cancel: the tiles split combined digits and combine them again.
  const Tile transpose{{2, 1}};
  const Tile again{{kStar, kStar, kStar, 3}};
  const std::vector<Tile> full_turn = {transpose, again, transpose, again, transpose, again, transpose};
  EXPECT_TRUE(IsUntiledByTable(full_turn, {2, 3}));
  EXPECT_TRUE(*IsUntiledLayout(full_turn, Numbers{2, 3}));
}

TEST(LayoutEdits, IsUntiledLayoutKnownAnswers) {
  const std::vector<Tile> tiles = {{{8, 128}}};
  EXPECT_FALSE(*IsUntiledLayout(tiles, Numbers{2, 3, 4}));
  EXPECT_FALSE(*IsUntiledLayout(tiles, Numbers{16, 256}));
  EXPECT_TRUE(*IsUntiledLayout(tiles, Numbers{1'000'003, 8, 128}));
  EXPECT_TRUE(*IsUntiledLayout(tiles, Numbers{16, 128}));
  EXPECT_FALSE(*IsUntiledLayout(tiles, Numbers{}));
  EXPECT_EQ(IsUntiledLayout(std::vector<Tile>{{{0}}}, Numbers{2}).error().kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(IsUntiledLayout(std::vector<Tile>{{{}}}, Numbers{2}).error().kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(IsUntiledLayout(std::vector<Tile>{{{2, Tile::kCombineDimension}}}, Numbers{2}).error().kind,
            ErrorKind::kInvalidLayout);
  EXPECT_FALSE(IsUntiledLayout(tiles, Numbers{-1}).has_value());
  EXPECT_FALSE(IsUntiledLayout(std::vector<Tile>{{{int64_t{1} << 40, int64_t{1} << 40}}}, Numbers{2}).has_value());
}

TEST(LayoutEdits, LayoutsInShapes) {
  const Shape shape = ParseS("((f32[1,2]{0,1}, f32[1,2]{1,0:E(32)}), f32[1,2], token[])");
  EXPECT_TRUE(HasCustomElementSizeInBits(shape));
  EXPECT_FALSE(HasCustomElementSizeInBits(SetToDefaultLayout(shape)));
  EXPECT_TRUE(HasLayout(shape));
  const Shape bare = ClearLayout(shape);
  EXPECT_FALSE(HasLayout(bare));
  EXPECT_FALSE(HasAnyLayout(bare));
  EXPECT_TRUE(HasAnyLayout(shape));
  EXPECT_EQ(*CopyLayoutBetweenShapes(shape, bare), shape);
  EXPECT_TRUE(LayoutsInShapesEqual(shape, shape));
  EXPECT_FALSE(LayoutsInShapesEqual(shape, bare));
  EXPECT_FALSE(LayoutsInShapesEqual(shape, SetToDefaultLayout(shape)));
  EXPECT_FALSE(CopyLayoutBetweenShapes(ParseS("f32[2]"), ParseS("f32[2,3]")).has_value());
  EXPECT_FALSE(CopyLayoutBetweenShapes(ParseS("(f32[2])"), ParseS("f32[2]")).has_value());
  EXPECT_EQ(ToString(ClearTiles(ParseS("(f32[3]{0:T(2)S(1)})"))), "(f32[3]{0:S(1)})");
  EXPECT_EQ(ToString(ClearTiles(Parse("{0:T(2)S(1)}"))), "{0:S(1)}");
  EXPECT_EQ(*GetDefaultLayoutForShape(ParseS("f32[1,2,3]{0,1,2}")), MakeDescendingLayout(3));
  EXPECT_FALSE(GetDefaultLayoutForShape(ParseS("()")).has_value());
  EXPECT_TRUE(*ByteStridesIsMajorToMinor(Numbers{24, 4}, Numbers{3, 6}, ElementType::kF32));
  EXPECT_FALSE(*ByteStridesIsMajorToMinor(Numbers{4, 12}, Numbers{3, 6}, ElementType::kF32));
  EXPECT_FALSE(ByteStridesIsMajorToMinor(Numbers{4}, Numbers{3, 6}, ElementType::kF32).has_value());
  EXPECT_FALSE(ByteStridesIsMajorToMinor(Numbers{4}, Numbers{3}, ElementType::kToken).has_value());
}

TEST(LayoutEdits, BadInputIsAnError) {
  for (const Layout& bad : {Layout({0, 0}), Layout({1, 2}), Layout({-1, 0})}) {
    EXPECT_EQ(MakeLogicalToPhysical(bad).error().kind, ErrorKind::kInvalidLayout);
    EXPECT_EQ(MoveDimToMajor(bad, 0).error().kind, ErrorKind::kInvalidLayout);
    EXPECT_EQ(DeleteDimension(bad, 0).error().kind, ErrorKind::kInvalidLayout);
    EXPECT_FALSE(IsMonotonicWithDim0Major(bad));
  }
  for (const int64_t dimension : {int64_t{-1}, int64_t{2}, int64_t{1} << 40}) {
    EXPECT_EQ(MoveDimToMajor(Parse("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_EQ(MoveDimToMinor(Parse("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_EQ(DeleteDimension(Parse("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_FALSE(AreDimensionsConsecutive(Parse("{1,0}"), Numbers{dimension}).has_value());
  }
  EXPECT_FALSE(MoveDimToMajor(Layout(), 0).has_value());
}

}  // namespace
}  // namespace layoutcheck
