// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/view.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <random>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

ComposedLayout Whole(std::string_view text) {
  if (const auto fractal = ParseFractalLayout(text)) return {std::nullopt, 0, *ShapeStrideOf(*fractal)};
  return *ParseComposedLayout(text);
}

// Returns a view by its text, such as "zN:f16[20,40]@[5:12,7:14]", and its whole.
std::pair<ComposedLayout, View> Viewed(std::string_view text) {
  const size_t at = FindView(text);
  ComposedLayout whole = Whole(text.substr(0, at));
  return {whole, *ParseView(text, at, *LogicalSizes(whole.layout))};
}

std::string StridedText(std::string_view text) {
  const auto [whole, view] = Viewed(text);
  const Expected<StridedView> strided = StridedViewOf(whole, view);
  if (!strided) return strided.error().ToString();
  return strided->is_right() ? ToString(strided->layout) : ToString(*strided->first_wrong);
}

// Returns the first element along each mode, in the order of the modes, that the strided form puts elsewhere.
std::optional<Integers> FirstWrongByEnumeration(const ComposedLayout& whole, const View& view,
                                                const ComposedLayout& strided) {
  const Integers valid = ValidExtents(view);
  if (IsEmpty(view)) return std::nullopt;
  for (size_t d = 0; d < valid.size(); ++d) {
    Integers c(valid.size(), 0);
    for (; c[d] < valid[d]; ++c[d]) {
      if (*OffsetInView(whole, view, c) != *Crd2Idx(IntTuple::Tuple({c.begin(), c.end()}), strided)) return c;
    }
  }
  return std::nullopt;
}

TEST(View, HasWhatIsInsideTileAndArray) {
  const Integers extents = {20, 40};
  EXPECT_EQ(ValidExtents(*MakeView(extents, Integers{5, 7}, Integers{7, 7})), (Integers{7, 7}));
  EXPECT_EQ(ValidExtents(*MakeView(extents, Integers{16, 32}, Integers{16, 16})), (Integers{4, 8}));
  EXPECT_EQ(ValidExtents(*MakeView(extents, Integers{20, 41}, Integers{16, 16})), (Integers{0, 0}));
  EXPECT_TRUE(IsEmpty(*MakeView(extents, Integers{19, 40}, Integers{16, 16})));
  const View slice = *MakeSlice(extents, std::vector<std::optional<int64_t>>{std::nullopt, 3});
  EXPECT_EQ(ValidExtents(slice), (Integers{20}));
  EXPECT_EQ(CoordinateInWhole(slice, Integers{4}), (Integers{4, 3}));
  EXPECT_EQ(CoordinateInView(slice, Integers{4, 3}), (Integers{4}));
  EXPECT_EQ(CoordinateInView(slice, Integers{4, 2}), std::nullopt);
}

TEST(View, TilesBeyond32Bits) {
  const int64_t huge = (int64_t{1} << 33) + 5;
  const View tile = *MakeTileView(Integers{huge, 64}, Integers{(int64_t{1} << 17), 1}, Integers{1 << 16, 48});
  EXPECT_EQ(ToString(tile), "@[8589934592:8590000128,48:96]");
  EXPECT_EQ(ValidExtents(tile), (Integers{5, 16}));
  const auto whole = *MakeTlaLayout(TlaTag::kZN, 16, huge, 64);
  const StridedView strided = *StridedViewOf({std::nullopt, 0, whole}, tile);
  EXPECT_TRUE(strided.is_right());
  EXPECT_EQ(strided.layout.offset, (int64_t{1} << 33) * 16 + 3 * (((int64_t{1} << 33) + 16) * 16));
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(MakeTileView(Integers{most}, Integers{most}, Integers{2}).error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(MakeView(Integers{most}, Integers{most}, Integers{1}).error().kind, ErrorKind::kOverflow);
}

// TLA's known answer (GetTileLayout of the zN layout of the documentation).
TEST(View, StridedFormIsThatOfTla) {
  const ShapeStrideLayout parent = *ParseShapeStrideLayout("((4,2),(4,3)):((4,16),(1,32))");
  const View view = *MakeView(Integers{8, 12}, Integers{6, 8}, Integers{4, 4});
  const StridedView strided = *StridedViewOf({std::nullopt, 0, parent}, view);
  ShapeStrideLayout with_origin = parent;
  with_origin.origin_shape = IntTuple::Tuple({8, 12});
  EXPECT_EQ(strided.layout.layout, *GetTileLayout(with_origin, IntTuple::Tuple({4, 4}), IntTuple::Tuple({6, 8})));
  EXPECT_EQ(ToString(strided.layout), "88 o ((4,1),(4,1)):((4,16),(1,32))");
}

TEST(View, StridedFormNeedsAnAlignedOriginOrATileInsideOfABlock) {
  // The rows of zN go on evenly from block to block; its columns do not.
  EXPECT_EQ(StridedText("zN:f16[20,40]@[5:12,7:14]"), "87 o ((16,1),(16,1)):((16,256),(1,512))");
  EXPECT_EQ(StridedText("zN:f16[20,40]@[5:12,7:17]"), "element (0,9) has offset 592, its strides give 96");
  EXPECT_EQ(StridedText("zN:f16[20,40]@[5:12,16:40]"), "592 o ((16,1),(16,2)):((16,256),(1,512))");
  EXPECT_EQ(StridedText("nZ:f16[20,40]@[5:12,7:17]"), "117 o ((16,1),(16,1)):((1,768),(16,256))");
  EXPECT_EQ(StridedText("nZ:f16[20,40]@[5:20,7:17]"), "element (11,0) has offset 880, its strides give 128");
  EXPECT_EQ(StridedText("(8,16):(16,1)@[_,3]"), "3 o (8):(16)");
  EXPECT_EQ(StridedText("(8,16):(16,1)@[2,3]"), "35 o ():()");
  EXPECT_EQ(StridedText("8:2@[3:9]"), "6 o 6:2");
  EXPECT_EQ(StridedText("Sw<2,0,3> o 1 o (8,8):(8,1)@[4:6,:]"), "Sw<2,0,3> o 33 o (2,8):(8,1)");
  EXPECT_EQ(StridedText("(4,6):(1,4)@[2:2,:]"), "(0,6):(1,4)");
  EXPECT_EQ(StridedText("(4,4):(1@0,1@1)@[:,:]").substr(0, 11), "the strides");
}

// Two carries may cancel each other; the first wrong element then lies behind them.
TEST(View, CarriesMayCancel) {
  EXPECT_EQ(StridedText("((2,2,4)):((1,5,7))@[3:5]"), "6 o ((2,2,1)):((1,5,7))");
  EXPECT_EQ(StridedText("((2,2,4)):((1,5,7))@[3:6]"), "element (2) has offset 8, its strides give 11");
}

TEST(View, FirstWrongElementIsThatOfAnEnumeration) {
  std::mt19937_64 random(1);
  const auto draw = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint64_t>(most)); };
  int64_t right = 0;
  int64_t wrong = 0;
  for (int i = 0; i < 6000; ++i) {
    std::vector<ShapeStrideLayout> modes;
    Integers extents;
    Integers origin;
    Integers tile;
    for (int d = 0; d < 2; ++d) {
      std::vector<StridedMode> leaves;
      int64_t size = 1;
      for (int64_t k = 1 + draw(4); k > 0; --k) {
        leaves.push_back({1 + draw(4), draw(12) - 2});
        size *= leaves.back().extent;
      }
      modes.push_back(LayoutOfModes(leaves));
      extents.push_back(size);
      origin.push_back(draw(size + 1));
      tile.push_back(draw(size + 3));
    }
    const ComposedLayout whole{std::nullopt, draw(3), ConcatenateModes(modes)};
    const View view = *MakeView(extents, origin, tile);
    const StridedView strided = *StridedViewOf(whole, view);
    const auto expected = FirstWrongByEnumeration(whole, view, strided.layout);
    ASSERT_EQ(strided.is_right(), !expected.has_value()) << ToString(whole) << ToString(view);
    if (expected) {
      ASSERT_EQ(strided.first_wrong->coordinate, *expected) << ToString(whole) << ToString(view);
    }
    ++(expected ? wrong : right);
    // A strided form that is right along each mode is right for every element.
    if (expected) continue;
    ForEachIndex(ValidExtents(view), [&](std::span<const int64_t> c) {
      const Integers coordinate(c.begin(), c.end());
      const IntTuple nested = IntTuple::Tuple({coordinate.begin(), coordinate.end()});
      EXPECT_EQ(*OffsetInView(whole, view, coordinate), *Crd2Idx(nested, strided.layout))
          << ToString(whole) << ToString(view);
      return true;
    });
  }
  std::printf("%lld right, %lld wrong\n", static_cast<long long>(right), static_cast<long long>(wrong));
  EXPECT_GT(right, 1000);
  EXPECT_GT(wrong, 1000);
}

TEST(View, OfAViewIsAView) {
  const Integers extents = {20, 40};
  for (const Integers& origin : {Integers{0, 0}, Integers{5, 7}, Integers{16, 32}}) {
    const View outer = *MakeView(extents, origin, Integers{9, 16});
    const Integers valid = ValidExtents(outer);
    for (int64_t begin = 0; begin < 12; ++begin) {
      for (int64_t tile = 0; tile < 12; ++tile) {
        const View inner = *MakeView(valid, Integers{begin, begin}, Integers{tile, tile});
        const View composed = *ComposeViews(outer, inner);
        ASSERT_EQ(ValidExtents(composed), ValidExtents(inner));
        ForEachIndex(ValidExtents(inner), [&](std::span<const int64_t> c) {
          EXPECT_EQ(CoordinateInWhole(composed, c), CoordinateInWhole(outer, CoordinateInWhole(inner, c)));
          return true;
        });
      }
    }
  }
  const View row = *MakeSlice(extents, std::vector<std::optional<int64_t>>{3, std::nullopt});
  const View part = *MakeView(Integers{40}, Integers{8}, Integers{4});
  EXPECT_EQ(ToString(*ComposeViews(row, part)), "@[3,8:12]");
  EXPECT_EQ(ComposeViews(part, row).error().kind, ErrorKind::kInvalidArgument);
}

TEST(View, TextHasAColumnForEachError) {
  const auto error = [](std::string_view text) {
    const auto view = ParseView(text, FindView(text), Integers{20, 40});
    return view ? ToString(*view) : view.error().ToString();
  };
  EXPECT_EQ(error("x@[5:12,7:14]"), "@[5:12,7:14]");
  EXPECT_EQ(error("x @ [ 5 : 12 , : ]"), "@[5:12,0:40]");
  EXPECT_EQ(error("x@[_,3]"), "@[0:20,3]");
  EXPECT_EQ(error("x@[16:,:50]"), "@[16:20,0:50]");
  EXPECT_EQ(error("x@[25:,0]"), "@[25:25,0]");
  EXPECT_EQ(error("x@[5:12]"), "column 2: a view of 1 ranges: expected 2, one per mode");
  EXPECT_EQ(error("x@[1:2,3:4,5:6]"), "column 2: a view of 3 ranges: expected 2, one per mode");
  EXPECT_EQ(error("x@[5:12,40]"), "column 9: index 40 is outside of the mode's 40 elements");
  EXPECT_EQ(error("x@[5:4,_]"), "column 4: range 5:4 ends before it begins");
  EXPECT_EQ(error("x@[-1:4,_]"), "column 4: expected an index from 0 to 9223372036854775807");
  EXPECT_EQ(error("x@[0:9223372036854775808,_]"),
            "column 6: expected the end of the range from 0 to 9223372036854775807");
  EXPECT_EQ(error("x@[5:12,]"), "column 9: expected a range begin:end, an index or '_', found ']'");
  EXPECT_EQ(error("x@[5:12;7:14]"), "column 8: expected ',' or ']', found ';'");
  EXPECT_EQ(error("x@[5:12,7:14"), "column 13: expected ',' or ']', found end of text");
  EXPECT_EQ(error("x@[5:12,7:14]y"), "column 14: expected the end of the text, found 'y'");
  EXPECT_EQ(FindView("(4,4):(1@0,1@1)"), std::string_view::npos);
  EXPECT_EQ(FindView("zN:f16[20,40]"), std::string_view::npos);
  EXPECT_EQ(FindView("a@[1:2]@[3:4]"), 7u);
}

}  // namespace
}  // namespace layoutcheck
