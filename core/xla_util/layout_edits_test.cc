// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

TEST(LayoutEdits, MovesAndDeletionsOnEveryOrder) {
  int64_t layouts = 0;
  for (size_t rank = 1; rank <= 5; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      Layout layout(order, {{{8, 128}}});
      layout.memory_space = 1;
      layout.element_size_in_bits = 4;
      for (size_t d = 0; d < rank; ++d) {
        ++layouts;
        const auto dimension = static_cast<int64_t>(d);
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
  EXPECT_EQ(ToString(*MoveDimToMajor(*ParseLayout("{2,1,0}"), 0)), "{2,1,0}");
  EXPECT_EQ(ToString(*MoveDimToMajor(*ParseLayout("{2,1,0}"), 2)), "{1,0,2}");
  EXPECT_EQ(ToString(*MoveDimToMinor(*ParseLayout("{2,0,3,1}"), 2)), "{2,0,3,1}");
  EXPECT_EQ(ToString(*MoveDimToMinor(*ParseLayout("{2,0,3,1}"), 3)), "{3,2,0,1}");
  EXPECT_EQ(ToString(*DeleteDimension(*ParseLayout("{1,0}"), 0)), "{0}");
}

TEST(LayoutEdits, SplitConfigsFollowTheirDimension) {
  // Cuts dimension 2 at 30, and dimension 1 at 40 and 130.
  const Layout layout = *ParseLayout("{0,1,2:SC(0:30)(1:40,130)}");
  EXPECT_EQ(ToString(*DeleteDimension(layout, 0)), "{0,1:SC(0:30)(1:40,130)}");
  EXPECT_EQ(ToString(*DeleteDimension(layout, 1)), "{0,1:SC(0:30)}");
  EXPECT_EQ(ToString(*DeleteDimension(layout, 2)), "{0,1:SC(0:40,130)}");
  EXPECT_EQ(ToString(*MoveDimToMajor(layout, 0)), "{1,2,0:SC(1:30)(2:40,130)}");
  EXPECT_EQ(ToString(*MoveDimToMinor(layout, 2)), "{2,0,1:SC(2:30)(0:40,130)}");
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
    const Layout lhs = *ParseLayout(c.lhs);
    const Layout rhs = *ParseLayout(c.rhs);
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
  EXPECT_FALSE(Equal(*ParseLayout("{0,1,2,3}"), *ParseLayout("{0,1,2}"), LayoutEqualOptions::MinorToMajorOnly()));
  EXPECT_FALSE(Equal(*ParseLayout("{0,1}"), *ParseLayout("{1,0}"), LayoutEqualOptions::MinorToMajorOnly()));
  EXPECT_TRUE(Equal(*ParseLayout("{0:M(8)}"), *ParseLayout("{0}")));
  Layout sparse = *ParseLayout("{0}");
  sparse.physical_shape.push_back(*ParseShape("f32[2]"));
  EXPECT_FALSE(Equal(sparse, *ParseLayout("{0}")));
  EXPECT_TRUE(Equal(sparse, *ParseLayout("{0}"), {.ignore_physical_shape = true}));
}

TEST(LayoutEdits, ClearingTilesLeavesTheRest) {
  EXPECT_EQ(ToString(ClearTiles(*ParseShape("(f32[3]{0:T(2)S(1)})"))), "(f32[3]{0:S(1)})");
}

TEST(LayoutEdits, BadInputIsAnError) {
  for (const Layout& bad : {Layout({0, 0}), Layout({1, 2}), Layout({-1, 0})}) {
    EXPECT_EQ(MoveDimToMajor(bad, 0).error().kind, ErrorKind::kInvalidLayout);
    EXPECT_EQ(DeleteDimension(bad, 0).error().kind, ErrorKind::kInvalidLayout);
  }
  for (const int64_t dimension : {int64_t{-1}, int64_t{2}, int64_t{1} << 40}) {
    EXPECT_EQ(MoveDimToMajor(*ParseLayout("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_EQ(MoveDimToMinor(*ParseLayout("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
    EXPECT_EQ(DeleteDimension(*ParseLayout("{1,0}"), dimension).error().kind, ErrorKind::kInvalidArgument);
  }
  EXPECT_FALSE(MoveDimToMajor(Layout(), 0).has_value());
}

}  // namespace
}  // namespace layoutcheck
