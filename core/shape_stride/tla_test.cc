// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/tla.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

ShapeStrideLayout L(std::string_view text) { return *ParseShapeStrideLayout(text); }
IntTuple C(int64_t i, int64_t j) { return IntTuple::Tuple({i, j}); }

constexpr TlaTag kMatrixTags[] = {TlaTag::kRowMajor, TlaTag::kColumnMajor, TlaTag::kZN,  TlaTag::kNZ,
                                  TlaTag::kZZ,       TlaTag::kNN,          TlaTag::kL0C, TlaTag::kWeight4BitnZ};
constexpr int64_t kSizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 65};

// A fractal tag is the blocked product of the two orders that its letters name.
TEST(Tla, FractalTagIsABlockedProduct) {
  int64_t layouts = 0;
  for (const int64_t bits : {4, 8, 16, 32, 64}) {
    const int64_t c0 = *FractalColumns(bits);
    for (const int64_t rows : kSizes) {
      for (const int64_t columns : kSizes) {
        for (const TlaTag tag : {TlaTag::kZN, TlaTag::kNZ, TlaTag::kZZ, TlaTag::kNN}) {
          const std::string_view name = TlaTagName(tag);
          const bool inner_row_major = name[0] == 'z';
          const int64_t height = inner_row_major ? 16 : c0;
          const int64_t width = inner_row_major ? c0 : 16;
          const ShapeStrideLayout inner{C(height, width), inner_row_major ? C(width, 1) : C(1, height)};
          const int64_t down = CeilDiv(rows, height);
          const int64_t across = CeilDiv(columns, width);
          const ShapeStrideLayout outer{C(down, across), name[1] == 'Z' ? C(across, 1) : C(1, down)};
          ShapeStrideLayout expected = *BlockedProduct(inner, outer);
          const ShapeStrideLayout layout = *MakeTlaLayout(tag, bits, rows, columns);
          EXPECT_EQ(layout.shape, expected.shape);
          EXPECT_EQ(StridedOffsetTable(layout, 1 << 20).value(), StridedOffsetTable(expected, 1 << 20).value())
              << name << " " << bits << " " << rows << "x" << columns;
          ++layouts;
        }
      }
    }
  }
  std::printf("%lld layouts\n", static_cast<long long>(layouts));
}

// Layouts are bijective onto 0..cosize-1 with less padding than one fractal per direction (pitch: one element), and the
// origin shape is the requested size.
TEST(Tla, BijectiveAndPaddedByLessThanAFractal) {
  int64_t layouts = 0;
  for (const TlaTag tag : kMatrixTags) {
    for (const int64_t bits : {4, 8, 16, 32, 64}) {
      for (const int64_t rows : kSizes) {
        for (const int64_t columns : kSizes) {
          const ShapeStrideLayout layout = *MakeTlaLayout(tag, bits, rows, columns);
          ASSERT_TRUE(ValidateLayout(layout).has_value());
          EXPECT_EQ(*layout.origin_shape, C(rows, columns));
          std::vector<int64_t> table = *StridedOffsetTable(layout, 1 << 20);
          std::ranges::sort(table);
          const bool pitched = bits == 4 && (tag == TlaTag::kRowMajor || tag == TlaTag::kColumnMajor);
          if (pitched) {
            EXPECT_EQ(std::ranges::adjacent_find(table), table.end());
          } else {
            for (size_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i], static_cast<int64_t>(i));
          }
          const int64_t padded_rows = *Product(layout.shape.elements()[0]);
          const int64_t padded_columns = *Product(layout.shape.elements()[1]);
          EXPECT_GE(padded_rows, rows);
          EXPECT_GE(padded_columns, columns);
          EXPECT_LT(padded_rows - rows, 64);
          EXPECT_LT(padded_columns - columns, 64);
          ++layouts;
        }
      }
    }
  }
  std::printf("%lld layouts\n", static_cast<long long>(layouts));
}

// nZ of a matrix is zN of its transpose, and nN is zZ of it.
TEST(Tla, Duality) {
  const std::pair<TlaTag, TlaTag> duals[] = {
      {TlaTag::kNZ, TlaTag::kZN}, {TlaTag::kNN, TlaTag::kZZ}, {TlaTag::kColumnMajor, TlaTag::kRowMajor}};
  for (const auto& [a, b] : duals) {
    for (const int64_t bits : {4, 16, 64}) {
      for (const int64_t rows : {1, 5, 33}) {
        for (const int64_t columns : {1, 17, 40}) {
          const ShapeStrideLayout one = *MakeTlaLayout(a, bits, rows, columns);
          const ShapeStrideLayout other = *MakeTlaLayout(b, bits, columns, rows);
          for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j) EXPECT_EQ(*Crd2Idx(C(i, j), one), *Crd2Idx(C(j, i), other));
          }
        }
      }
    }
  }
}

TEST(Tla, MxScales) {
  EXPECT_EQ(ToString(*MakeMxScaleLayout(TlaTag::kRowMajor, false, 3, 5)), "(3,(2,3)):(6,(1,2))");
  EXPECT_EQ(ToString(*MakeMxScaleLayout(TlaTag::kColumnMajor, false, 3, 5)), "(3,(2,3)):(2,(1,6))");
  EXPECT_EQ(ToString(*MakeMxScaleLayout(TlaTag::kZZ, false, 20, 5)), "((16,2),(2,3)):((2,96),(1,32))");
  EXPECT_EQ(ToString(*MakeMxScaleLayout(TlaTag::kNN, true, 5, 20)), "((2,3),(16,2)):((1,32),(2,96))");
  EXPECT_FALSE(MakeMxScaleLayout(TlaTag::kZN, true, 5, 20).has_value());
  for (const TlaTag tag : {TlaTag::kRowMajor, TlaTag::kColumnMajor, TlaTag::kZZ, TlaTag::kNN}) {
    for (const bool is_b : {false, true}) {
      for (const int64_t rows : kSizes) {
        for (const int64_t columns : kSizes) {
          std::vector<int64_t> table = *StridedOffsetTable(*MakeMxScaleLayout(tag, is_b, rows, columns), 1 << 20);
          std::ranges::sort(table);
          for (size_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i], static_cast<int64_t>(i));
        }
      }
    }
  }
}

TEST(Tla, DocumentedTile) {
  ShapeStrideLayout parent = L("((4,2),(4,3)):((4,16),(1,32))");
  parent.origin_shape = C(8, 12);
  const ShapeStrideLayout tile = *GetTileLayout(parent, C(4, 4), C(6, 10));
  EXPECT_EQ(ToString(tile), "((4,1),(4,1)):((4,16),(1,32))");
  EXPECT_EQ(*tile.origin_shape, C(2, 2));
  EXPECT_FALSE(GetTileLayout(parent, IntTuple(4), C(0, 0)).has_value());
  EXPECT_FALSE(GetTileLayout(parent, C(4, 4), C(0, -1)).has_value());
  EXPECT_FALSE(GetTileLayout(L("((4,(2,2)),3):((1,(4,8)),16)"), C(4, 3), C(0, 0)).has_value());
}

// Each tile that starts an inner block has its parent's offsets relative to its start, and its origin shape holds the
// elements of the parent that the tile reaches.
TEST(Tla, TilesHaveTheirParentsOffsets) {
  int64_t points = 0;
  for (const TlaTag tag : kMatrixTags) {
    const ShapeStrideLayout whole = *MakeTlaLayout(tag, 16, 65, 37);
    for (const int64_t i : {0, 32, 64}) {
      for (const int64_t j : {0, 16, 32}) {
        const ShapeStrideLayout tile = *GetTileLayout(whole, C(33, 7), C(i, j));
        EXPECT_EQ(*tile.origin_shape, C(std::min<int64_t>(33, 65 - i), std::min<int64_t>(7, 37 - j)));
        const int64_t start = *Crd2Idx(C(i, j), whole);
        for (int64_t y = 0; y < 33 && i + y < 65; ++y) {
          for (int64_t x = 0; x < 7 && j + x < 37; ++x, ++points) {
            EXPECT_EQ(start + *Crd2Idx(C(y, x), tile), *Crd2Idx(C(i + y, j + x), whole)) << TlaTagName(tag);
          }
        }
      }
    }
  }
  std::printf("%lld points\n", static_cast<long long>(points));
}

bool OffsetWraps(const ShapeStrideLayout& layout, int64_t row, int64_t column) {
  const auto narrow = ConvertStridedLayout<WrappingInt32>(*StridedLayoutOf(layout));
  return StridedOffset<WrappingInt32>(narrow, std::vector{WrappingInt32(row), WrappingInt32(column)}).overflow;
}

// The first shape that FirstWrappingRows finds is wrong in 32-bit arithmetic, and the next smaller one is right.
TEST(Tla, FirstShapeThatWraps) {
  for (const TlaTag tag : kMatrixTags) {
    const int64_t rows = **FirstWrappingRows<int32_t>(tag, 16, 65536);
    const ShapeStrideLayout wrong = *MakeTlaLayout(tag, 16, rows, 65536);
    const ShapeStrideLayout right = *MakeTlaLayout(tag, 16, rows - 1, 65536);
    // The last element of the layout has the largest offset, unless an extent or a stride wraps.
    const bool offset_wraps = OffsetWraps(wrong, rows - 1, 65535);
    EXPECT_FALSE(OffsetWraps(right, rows - 2, 65535));
    std::printf("%s f16[M,65536]: int32 wraps from M=%lld (%s), uint32 from M=%lld\n",
                std::string(TlaTagName(tag)).c_str(), static_cast<long long>(rows),
                offset_wraps ? "an offset" : "a stride",
                static_cast<long long>(**FirstWrappingRows<uint32_t>(tag, 16, 65536)));
    EXPECT_GT(*Cosize(wrong), int64_t{1} << 31) << "nothing smaller can wrap";
  }
  EXPECT_FALSE(FirstWrappingRows<int32_t>(TlaTag::kZN, 16, 0).has_value());
}

TEST(Tla, FractalNotation) {
  for (const char* const text : {"zN:f16[20,40]", "RowMajor:s4[3,5]", "L0C:f32[0,7]", "Weight4BitnZ:s8[1,1]"}) {
    const Expected<FractalLayout> fractal = ParseFractalLayout(text);
    ASSERT_TRUE(fractal.has_value()) << fractal.error().ToString();
    EXPECT_EQ(ToString(*fractal), text);
  }
  EXPECT_EQ(ToString(*ShapeStrideOf(*ParseFractalLayout("zN:f16[20,40]"))), "((16,2),(16,3)):((16,256),(1,512))");
  EXPECT_EQ(ToString(*ShapeStrideOf(*ParseFractalLayout("VectorLayout:f16[1,40]"))), "(40):(1)");
  const std::pair<const char*, int64_t> wrong[] = {{"zn:f16[20,40]", 1},
                                                   {"zN", 3},
                                                   {"zN:f17[2,3]", 4},
                                                   {"zN:f6e3m2fn[2,3]", 4},
                                                   {"zN:f16", 7},
                                                   {"zN:f16[,3]", 8},
                                                   {"zN:f16[2]", 9},
                                                   {"zN:f16[2,-3]", 10},
                                                   {"zN:f16[2,3", 11},
                                                   {"zN:f16[2,3]x", 12},
                                                   {"zN:f16[99999999999999999999,3]", 8},
                                                   {"", 1}};
  EXPECT_EQ(ParseFractalLayout("zN:f17[2,3]").error().message, "expected an element type, found 'f17'");
  for (const auto& [text, column] : wrong) {
    const Expected<FractalLayout> fractal = ParseFractalLayout(text);
    ASSERT_FALSE(fractal.has_value()) << text;
    EXPECT_EQ(fractal.error().column, column) << text << ": " << fractal.error().ToString();
  }
}

TEST(Tla, SizesThatDoNotFitAreErrors) {
  EXPECT_EQ(MakeTlaLayout(TlaTag::kZN, 16, int64_t{1} << 60, 5).error().kind, ErrorKind::kOverflow);
  EXPECT_FALSE(MakeTlaLayout(TlaTag::kZN, 16, -1, 5).has_value());
  EXPECT_FALSE(MakeTlaLayout(TlaTag::kZN, 6, 1, 5).has_value());
  EXPECT_TRUE(MakeTlaLayout(TlaTag::kL0C, 6, 1, 5).has_value());
  EXPECT_EQ(*Size(*MakeTlaLayout(TlaTag::kZN, 16, 0, 5)), 0);
}

}  // namespace
}  // namespace layoutcheck
