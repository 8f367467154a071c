// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tiled_index.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/offset_table.h"

namespace layoutcheck {
namespace {

TiledIndex IndexOf(const char* text) {
  const auto shape = ParseShape(text);
  EXPECT_TRUE(shape.has_value()) << text;
  auto index = MakeTiledIndex(*shape);
  EXPECT_TRUE(index.has_value()) << text << ": " << index.error().message;
  return *index;
}

int64_t At(const char* text, std::vector<int64_t> index) { return IndexOf(text)(index); }

std::vector<std::vector<size_t>> GroupsOf(const char* text) {
  const TiledIndex index = IndexOf(text);
  return GroupCombinedDimensions({&index}, ParseShape(text)->layout->minor_to_major);
}

Error ErrorOf(const char* text) {
  const auto shape = ParseShape(text);
  EXPECT_TRUE(shape.has_value()) << text;
  const auto index = MakeTiledIndex(*shape);
  EXPECT_FALSE(index.has_value()) << text;
  return index.has_value() ? Error{} : index.error();
}

TEST(TiledIndex, ExamplesOfTheDocument) {
  EXPECT_EQ(At("f32[3,5]{1,0:T(2,2)}", {2, 3}), 17);
  EXPECT_EQ(IndexOf("f32[3,5]{1,0:T(2,2)}").padded_elements(), 24);
  EXPECT_EQ(At("bf16[2048]{0:T(1024)(128)(2,1)}", {128}), 1);
  EXPECT_EQ(At("f32[8]{0:T(2,2)}", {5}), 9);
  EXPECT_EQ(At("u32[]{:T(128)}", {}), 0);
  EXPECT_EQ(IndexOf("u32[]{:T(128)}").padded_elements(), 128);
}

TEST(TiledIndex, RepeatedTilingOfTheDocument) {
  const TiledIndex index = IndexOf("f32[4,8]{1,0:T(2,4)(2,1)}");
  const int64_t expected[4][8] = {{0, 2, 4, 6, 8, 10, 12, 14},
                                  {1, 3, 5, 7, 9, 11, 13, 15},
                                  {16, 18, 20, 22, 24, 26, 28, 30},
                                  {17, 19, 21, 23, 25, 27, 29, 31}};
  for (int64_t y = 0; y < 4; ++y) {
    for (int64_t x = 0; x < 8; ++x) EXPECT_EQ(index(std::vector{y, x}), expected[y][x]) << y << "," << x;
  }
}

TEST(TiledIndex, CombinedDimensionsAreTheReshapedArrayElementByElement) {
  const TiledIndex combined = IndexOf("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
  const TiledIndex reshaped = IndexOf("f32[112,110]{1,0:T(2,3)}");
  EXPECT_EQ(combined.expanded_sizes(), (std::vector<int64_t>{56, 37, 2, 3}));
  EXPECT_EQ(combined.padded_elements(), 12432);
  for (int64_t a = 0; a < 2; ++a)
    for (int64_t b = 0; b < 7; ++b)
      for (int64_t c = 0; c < 8; ++c)
        for (int64_t d = 0; d < 11; ++d)
          for (int64_t e = 0; e < 10; ++e) {
            ASSERT_EQ(combined(std::vector{a, b, c, d, e}), reshaped(std::vector{(a * 7 + b) * 8 + c, d * 10 + e}));
          }
}

TEST(TiledIndex, DigitsAreTheRowMajorDecompositionOfTheIndex) {
  const TiledIndex index = IndexOf("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}");
  const std::vector<int64_t> element = {4, 0, 1085, 950};
  const std::vector<int64_t> values = EvaluateProgram<int64_t>(index.program(), element);
  int64_t linear = 0;
  for (const auto& [value, size] : index.program().digits) {
    EXPECT_LT(values[value], size);
    linear = linear * size + values[value];
  }
  EXPECT_EQ(linear, index(element));
  EXPECT_EQ(linear, 101588589);
}

TEST(TiledIndex, ErrorsNameWhatIsWrong) {
  EXPECT_EQ(ErrorOf("f32[?,3]{1,0}").kind, ErrorKind::kUnsupported);
  EXPECT_EQ(ErrorOf("token[]").kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(ErrorOf("(f32[2]{0})").kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(ErrorOf("f32[2]{0:T(*)}").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(ErrorOf("f32[2]{0:T(2)(4,*)}").kind, ErrorKind::kInvalidLayout);
  EXPECT_EQ(ErrorOf("f32[3,3]{1,0:T(9223372036854775807,2)}").kind, ErrorKind::kOverflow);
  Shape many = Shape::Array(ElementType::kF32, {2}, Layout({0}, std::vector<Tile>(2000, Tile{{1}})));
  EXPECT_EQ(MakeTiledIndex(many).error().kind, ErrorKind::kUnsupported);
}

TEST(TiledIndex, AnEmptyArrayHasSizesButNoOverflow) {
  EXPECT_EQ(IndexOf("f32[0,3]{1,0:T(8,128)}").expanded_sizes(), (std::vector<int64_t>{0, 1, 8, 128}));
  EXPECT_EQ(IndexOf("s8[0,4611686018427387904,8]{2,1,0:T(8,128)}").padded_elements(), 0);
}

TEST(TiledIndex, CheckIndexNamesTheCoordinate) {
  const std::vector<int64_t> sizes = {3, 5};
  EXPECT_TRUE(CheckIndex(std::vector<int64_t>{2, 4}, sizes).has_value());
  EXPECT_EQ(CheckIndex(std::vector<int64_t>{2, 5}, sizes).error().message,
            "coordinate 1 is 5: expected 0 <= coordinate < 5, the size of the dimension");
  EXPECT_FALSE(CheckIndex(std::vector<int64_t>{-1, 0}, sizes).has_value());
  EXPECT_FALSE(CheckIndex(std::vector<int64_t>{1}, sizes).has_value());
}

TEST(GroupCombinedDimensions, GroupsAreWhatStarsCombine) {
  using Groups = std::vector<std::vector<size_t>>;
  EXPECT_EQ(GroupsOf("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"), (Groups{{0, 1, 2}, {3, 4}}));
  EXPECT_EQ(GroupsOf("f32[3,4,5]{0,2,1:T(2,2)(2,1)}"), (Groups{{1}, {2}, {0}}));
  EXPECT_EQ(GroupsOf("f32[4,4]{1,0:T(2,2)(*,*,2,1)}"), (Groups{{0, 1}}));
  EXPECT_EQ(GroupsOf("f32[4]{0:T(*,2)}"), (Groups{{0}}));
  const TiledIndex first = IndexOf("f32[3,4,5]{2,1,0:T(*,2,1)}");
  const TiledIndex second = IndexOf("f32[3,4,5]{2,1,0:T(1,*,2)}");
  EXPECT_EQ(GroupCombinedDimensions({&first, &second}, std::vector<int64_t>{2, 1, 0}), (Groups{{0, 1, 2}}));
}

TEST(Divisor, MultiplicationAndShiftDivideExactly) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random(1);
  std::vector<int64_t> divisors = {1,    2,       3, 5, 7, 8, 10, 127, 128, 641, int64_t{1} << 31, int64_t{1} << 62,
                                   kMax, kMax - 1};
  for (int k = 0; k < 1000; ++k) divisors.push_back(1 + static_cast<int64_t>((random() >> 1) >> (random() % 63)));
  int64_t checked = 0;
  for (const int64_t divisor : divisors) {
    const Divisor<int64_t> by(std::max<int64_t>(divisor, 1));
    for (int k = 0; k < 300; ++k) {
      int64_t dividend = static_cast<int64_t>((random() >> 1) >> (random() % 63));
      if (k < 3) dividend = kMax - k;
      if (k >= 3 && k < 9) {  // around the largest multiple of the divisor
        const int64_t multiple = kMax / divisor * divisor;
        dividend = std::max<int64_t>(0, k == 3 ? std::min(multiple, kMax - 1) + 1 : multiple - (k - 4));
      }
      const int64_t quotient = by.Quotient(dividend);
      ASSERT_EQ(quotient, dividend / divisor) << dividend << " / " << divisor;
      ASSERT_EQ(by.Remainder(dividend, quotient), dividend % divisor);
      ++checked;
    }
  }
  std::printf("%lld divisions\n", static_cast<long long>(checked));
}

TEST(OffsetTable, IsTheFormulaAtEveryElementForLongAndShortRowsAndCombinedDimensions) {
  const char* layouts[] = {"f32[]",
                           "f32[]{:T(8)}",
                           "f32[7,9]{0,1:T(2,4)}",
                           "f32[3,0,2]{2,1,0}",
                           "f32[5,2,3,2,2]{1,4,0,2,3:T(2,3)(2,1)}",
                           "f32[2,9001]{1,0:T(8,128)}",
                           "f32[40,3,50]{2,1,0:T(8,*,128)}",
                           "f32[4,6,700]{2,1,0:T(*,*,128)}",
                           "f32[6,4,4]{0,2,1:T(2,2)(*,*,2,1)}",
                           "f32[9001,2,2]{0,1,2:T(*,2)}"};
  for (const char* text : layouts) {
    const Shape shape = *ParseShape(text);
    const TiledIndex index = IndexOf(text);
    const auto offsets = AllOffsets(shape);
    ASSERT_TRUE(offsets.has_value()) << text;
    std::vector<int64_t> element(shape.dimensions.size(), 0);
    for (const int64_t offset : *offsets) {
      ASSERT_EQ(offset, index(element)) << text;
      NextIndex(element, shape.dimensions);
    }
    EXPECT_TRUE(std::ranges::all_of(element, [](int64_t i) { return i == 0; })) << text;
  }
}

}  // namespace
}  // namespace layoutcheck
