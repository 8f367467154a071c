// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <limits>
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

ShapeStrideLayout L(std::string_view text) {
  const Expected<ShapeStrideLayout> layout = ParseShapeStrideLayout(text);
  EXPECT_TRUE(layout.has_value()) << text << ": " << layout.error().ToString();
  return layout.value_or(ShapeStrideLayout{});
}
IntTuple C(std::string_view text) { return *ParseIntTuple(text); }

const char* const kLayouts[] = {"((4,2),(4,3)):((4,16),(1,32))",
                                "(3,5):(-2,7)",
                                "(2,(2,2)):(4,(2,1))",
                                "((2,2),(3,(2,1))):((0,-5),(1,(100,7)))",
                                "6:3",
                                "(1,(2,4)):(0,(-1,512))",
                                "():()",
                                "((3)):((2))"};

// The documented 8x12 zN layout has the known values and is a bijection onto 0..95.
TEST(ShapeStrideLayout, DocumentedZn) {
  const ShapeStrideLayout zn = L("((4,2),(4,3)):((4,16),(1,32))");
  EXPECT_EQ(*Crd2Idx(C("(1,5)"), zn), 37);
  EXPECT_EQ(*Crd2Idx(13, zn), 21);
  EXPECT_EQ(*Crd2Idx(C("((1,1),(2,2))"), zn), 86);
  EXPECT_EQ(*Crd2Idx(C("(7,11)"), zn), 95);
  EXPECT_EQ(*Size(zn), 96);
  EXPECT_EQ(*Cosize(zn), 96);
  std::vector<int64_t> table = *StridedOffsetTable(zn, 96);
  std::ranges::sort(table);
  for (int64_t i = 0; i < 96; ++i) EXPECT_EQ(table[static_cast<size_t>(i)], i);
}

// All forms of one coordinate give the same value, and the table has the values of the integral coordinates.
TEST(ShapeStrideLayout, SpellingsOfACoordinateAgree) {
  int64_t coordinates = 0;
  for (const char* const text : kLayouts) {
    const ShapeStrideLayout layout = L(text);
    const std::vector<int64_t> table = *StridedOffsetTable(layout, 1000);
    const StridedLayout strided = *StridedLayoutOf(layout);
    ASSERT_EQ(static_cast<int64_t>(table.size()), *Size(layout));
    for (int64_t i = 0; i < *Size(layout); ++i, ++coordinates) {
      EXPECT_EQ(*Crd2Idx(i, layout), table[static_cast<size_t>(i)]) << text;
      const IntTuple nested = *Idx2Crd(i, layout.shape);
      EXPECT_TRUE(Congruent(nested, layout.shape));
      EXPECT_EQ(*Crd2Idx(nested, layout), table[static_cast<size_t>(i)]) << text;
      EXPECT_EQ(*Crd2Integral(nested, layout.shape), i);
      EXPECT_TRUE(CheckCoordinate(nested, layout.shape).has_value());
      std::vector<IntTuple> flat;
      std::vector<CheckedInt64> numbers;
      for (int64_t m = 0; m < Rank(layout); ++m) {
        numbers.push_back(*Crd2Integral(*Get(nested, m), *Get(layout.shape, m)));
        flat.push_back(numbers.back().value);
      }
      const IntTuple spelled = layout.shape.is_leaf() ? flat[0] : IntTuple::Tuple(flat);
      EXPECT_EQ(*Crd2Idx(spelled, layout), table[static_cast<size_t>(i)]) << text;
      const CheckedInt64 offset = StridedOffset<CheckedInt64>(ConvertStridedLayout<CheckedInt64>(strided), numbers);
      EXPECT_FALSE(offset.overflow);
      EXPECT_EQ(offset.value, table[static_cast<size_t>(i)]);
    }
    EXPECT_FALSE(CheckCoordinate(*Size(layout), layout.shape).has_value());
    EXPECT_FALSE(CheckCoordinate(-1, layout.shape).has_value());
  }
  std::printf("%zu layouts, %lld coordinates\n", std::size(kLayouts), static_cast<long long>(coordinates));
}

TEST(ShapeStrideLayout, PastTheEndAndBelowZero) {
  const ShapeStrideLayout layout = L("(4,3):(1,100)");
  EXPECT_EQ(*Crd2Idx(14, layout), 302);        // the last mode takes the whole rest
  EXPECT_EQ(*Crd2Idx(C("(9,0)"), layout), 9);  // the last integer of each mode takes its whole rest
  EXPECT_EQ(*Crd2Idx(-1, layout), -1);         // truncated as in C++, not -97
  EXPECT_EQ(*Crd2Idx(-5, layout), -101);
  EXPECT_EQ(*Crd2Idx(C("(-1,0)"), L("((4,2),3):((4,16),32)")), -4);
}

TEST(ShapeStrideLayout, SpanAndRange) {
  EXPECT_EQ(*Cosize(L("(4,8):(1,0)")), 4);
  EXPECT_EQ(*Cosize(L("1:0")), 1);
  EXPECT_EQ(*Cosize(L("(3,5):(-2,7)")), 33);
  EXPECT_EQ(RangeOfOffsets(L("(3,5):(-2,7)"))->smallest, -4);
  EXPECT_EQ(RangeOfOffsets(L("(3,5):(-2,7)"))->largest, 28);
  EXPECT_EQ(*Coshape(L("(4,8):(1@0,1@1)")), C("(4,8)"));
  EXPECT_EQ(*Coshape(L("(4,8):(2@1@1,1@0)")), C("(8,(1,7))"));
  EXPECT_EQ(*Evaluate(C("(3,7)"), L("(4,8):(2@1@1,1@0)")), C("(7,(0,6))"));
  EXPECT_FALSE(Coshape(L("(4,8):(1@0,1@1@0)")).has_value());
  EXPECT_EQ(Crd2Idx(0, L("(4,8):(1@0,1@1)")).error().kind, ErrorKind::kUnsupported);
}

TEST(ShapeStrideLayout, NoCoordinate) {
  const ShapeStrideLayout layout = L("(0,4):(1,2)");
  EXPECT_EQ(*Size(layout), 0);
  EXPECT_EQ(*Cosize(layout), 0);
  EXPECT_TRUE(StridedOffsetTable(layout, 10)->empty());
  EXPECT_FALSE(*FindCoordinate(layout, 0));
  EXPECT_FALSE(Crd2Idx(1, layout).has_value());  // would divide by an extent of 0
  EXPECT_FALSE(Idx2Crd(1, layout.shape).has_value());
  EXPECT_FALSE(StridedLayoutOf(layout).has_value());
}

TEST(ShapeStrideLayout, RejectsWhatIsNoLayoutOrNoCoordinate) {
  EXPECT_FALSE(ParseShapeStrideLayout("(4,2):(1,(2))").has_value());
  EXPECT_FALSE(ParseShapeStrideLayout("(-4):(1)").has_value());
  EXPECT_FALSE(ParseShapeStrideLayout("4:1@99999").has_value());
  ShapeStrideLayout layout = L("(4,2):(1,4)");
  layout.origin_shape = C("(3,(2))");
  EXPECT_FALSE(ValidateLayout(layout).has_value());
  layout.origin_shape = C("(3,-1)");
  EXPECT_FALSE(ValidateLayout(layout).has_value());
  EXPECT_FALSE(Crd2Idx(C("(1,2,3)"), L("(4,2):(1,4)")).has_value());
  EXPECT_FALSE(Crd2Idx(C("(1,(1))"), L("(4,2):(1,4)")).has_value());
}

TEST(ShapeStrideLayout, OverflowIsAnError) {
  const int64_t max = std::numeric_limits<int64_t>::max();
  const int64_t min = std::numeric_limits<int64_t>::min();
  const ShapeStrideLayout big{IntTuple::Tuple({4, 4}), IntTuple::Tuple({max, 1})};
  EXPECT_EQ(Crd2Idx(C("(2,0)"), big).error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(*Crd2Idx(C("(1,0)"), big), max);
  EXPECT_EQ(Cosize(big).error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(RangeOfOffsets(big).error().kind, ErrorKind::kOverflow);
  EXPECT_FALSE(StridedOffsetTable(big, 100).has_value());
  EXPECT_EQ(Size({IntTuple::Tuple({max, 2}), IntTuple::Tuple({1, 1})}).error().kind, ErrorKind::kOverflow);
  EXPECT_EQ(Crd2Idx(min, {IntTuple::Tuple({2, 2}), IntTuple::Tuple({1, 1})}).error().kind, ErrorKind::kOverflow);
  const ShapeStrideLayout unit{IntTuple::Tuple({1, 2}), IntTuple::Tuple({min, 1})};
  EXPECT_EQ(**FindCoordinate(unit, 1), C("(0,1)"));
}

// Every coordinate is found at its offset, and nothing is found at other offsets.
TEST(ShapeStrideLayout, FindCoordinateInverts) {
  for (const char* const text : kLayouts) {
    const ShapeStrideLayout layout = L(text);
    const std::vector<int64_t> table = *StridedOffsetTable(layout, 1000);
    const OffsetRange range = *RangeOfOffsets(layout);
    for (int64_t offset = range.smallest - 2; offset <= range.largest + 2; ++offset) {
      const Expected<std::optional<IntTuple>> found = FindCoordinate(layout, offset);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->has_value(), std::ranges::count(table, offset) > 0) << text << " at " << offset;
      if (*found) {
        EXPECT_EQ(*Crd2Idx(**found, layout), offset) << text;
      }
    }
  }
}

TEST(ShapeStrideLayout, OriginShapeMarksPadding) {
  ShapeStrideLayout layout = L("((4,2),(4,3)):((4,16),(1,32))");
  layout.origin_shape = C("(7,9)");
  EXPECT_TRUE(ValidateLayout(layout).has_value());
  int64_t elements = 0;
  for (int64_t i = 0; i < 96; ++i) elements += *IsInOrigin(layout, i) ? 1 : 0;
  EXPECT_EQ(elements, 63);
  EXPECT_TRUE(*IsInOrigin(layout, C("(6,(0,2))")));
  EXPECT_FALSE(*IsInOrigin(layout, C("((3,1),0)")));
}

template <class T>
WrappingInt<T> NarrowOffset(std::string_view layout, int64_t row, int64_t column) {
  using Int = WrappingInt<T>;
  return StridedOffset<Int>(ConvertStridedLayout<Int>(*StridedLayoutOf(L(layout))), std::vector{Int(row), Int(column)});
}

// A 32-bit evaluation gives the exact offset modulo 2^32, and says if a number wrapped.
TEST(ShapeStrideLayout, ThirtyTwoBitEvaluation) {
  for (const char* const text : {"((4,2),(4,3)):((4,16),(1,32))", "(65536,65536):(65536,1)", "(3,5):(-2,7)"}) {
    for (const auto& [row, column] : {std::pair{0, 0}, {1, 2}, {3, 11}, {65535, 65535}, {32768, 0}}) {
      const int64_t exact = *Crd2Idx(IntTuple::Tuple({row, column}), L(text));
      const WrappingInt32 narrow = NarrowOffset<int32_t>(text, row, column);
      if (!narrow.overflow) {
        EXPECT_EQ(narrow.value, exact);
      }
      EXPECT_EQ(narrow.value, static_cast<int32_t>(exact));
    }
  }
  EXPECT_TRUE(NarrowOffset<int32_t>("(65536,65536):(65536,1)", 32768, 0).overflow);
  EXPECT_FALSE(NarrowOffset<uint32_t>("(65536,65536):(65536,1)", 32768, 0).overflow);
  EXPECT_TRUE(NarrowOffset<uint32_t>("(65537,65536):(65536,1)", 65536, 0).overflow);
}

}  // namespace
}  // namespace layoutcheck
