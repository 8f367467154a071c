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

// Returns the layout of a text as shape and stride, or the message of the error.
std::string Made(std::string_view text) {
  const Expected<FractalLayout> fractal = ParseFractalLayout(text);
  if (!fractal) return fractal.error().ToString();
  const Expected<ShapeStrideLayout> layout = ShapeStrideOf(*fractal);
  return layout ? ToString(*layout) : layout.error().ToString();
}

TEST(Tla, OtherTags) {
  const std::pair<const char*, const char*> made[] = {
      {"MxScaleRowMajorA:f8e8m0fnu[3,5]", "(3,(2,3)):(6,(1,2))"},
      {"MxScaleColumnMajorA:f8e8m0fnu[3,5]", "(3,(2,3)):(2,(1,6))"},
      {"MxScaleRowMajorB:f8e8m0fnu[5,3]", "((2,3),3):((1,6),2)"},
      {"MxScaleColumnMajorB:f8e8m0fnu[5,3]", "((2,3),3):((1,2),6)"},
      {"MxScalezZ:f8e8m0fnu[20,5]", "((16,2),(2,3)):((2,96),(1,32))"},
      {"MxScalenN:f8e8m0fnu[5,20]", "((2,3),(16,2)):((1,32),(2,96))"},
      {"PaddingRowMajor<4,8>:f16[10,20]", "((4,3),(8,3)):((8,96),(1,32))"},
      {"PaddingColumnMajor<4,8>:f16[10,20]", "((4,3),(8,3)):((1,32),(4,96))"},
      {"NC1HWC0:f16[2,20,5,7]", "(2,(16,2),5,7):(1120,(1,560),112,16)"},
      {"NC1HWC0<4>:f16[2,20,5,7]", "(2,(4,5),5,7):(700,(1,140),28,4)"},
      {"NDC1HWC0:f16[2,20,3,5,7]", "(2,(16,2),3,5,7):(3360,(1,560),1120,112,16)"},
      {"CI1KHKWCOCI0:f16[20,33,3,5]", "(20,(16,3),3,5):(16,(1,4800),1600,320)"},
      {"FractalZ:f16[20,33,3,5]", "((16,2),(16,3),3,5):((16,256),(1,7680),2560,512)"},
      {"KDC1KHKWN1N0C0:s8[20,33,2,3,5]", "((16,2),(32,2),2,3,5):((32,512),(1,15360),30720,5120,1024)"},
      {"VectorLayout:f16[40]", "(40):(1)"},
      {"zN<8,4>:f16[20,40]", "((8,3),(4,10)):((4,32),(1,96))"},
  };
  for (const auto& [text, layout] : made) EXPECT_EQ(Made(text), layout) << text;
  EXPECT_EQ(Made("zN<16,32>:s8[20,40]"), Made("zN:s8[20,40]"));
  EXPECT_EQ(ToString(*ParseFractalLayout("zN<16,32>:s8[20,40]")), "zN:s8[20,40]");
  EXPECT_EQ(ToString(*ParseFractalLayout("zN<8,4>:s8[20,40]")), "zN<8,4>:s8[20,40]");
}

// Every layout whose pitch is not rounded up has each offset below the product of its padded sizes once, and pads each
// dimension to whole blocks.
TEST(Tla, EveryTagIsOntoItsPaddedBox) {
  for (const TagOrder& order : kTagOrders) {
    const std::optional<TlaTag> tag = TlaTagFromName(order.name);
    ASSERT_TRUE(tag.has_value()) << order.name;
    const std::vector<int64_t> blocks(order.cuts(), 3);
    for (const int64_t first : {1, 2, 3, 4, 7}) {
      for (const int64_t other : {1, 3, 5}) {
        std::vector<int64_t> sizes(order.rank(), other);
        sizes[0] = first;
        const auto layout = MakeTagLayout(*tag, 16, sizes, blocks);
        ASSERT_TRUE(layout.has_value()) << order.name << ": " << layout.error().ToString();
        std::vector<int64_t> table = *StridedOffsetTable(*layout, 1 << 20);
        std::ranges::sort(table);
        for (size_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i], static_cast<int64_t>(i)) << order.name;
        for (size_t d = 0; d < sizes.size(); ++d) {
          const int64_t block = order.CutOf(d) ? 3 : 1;
          EXPECT_EQ(*Product(layout->shape.elements()[d]), CeilDiv(sizes[d], block) * block) << order.name;
        }
      }
    }
  }
}

TEST(Tla, DocumentedTile) {
  ShapeStrideLayout parent = *ParseShapeStrideLayout("((4,2),(4,3)):((4,16),(1,32))");
  parent.origin_shape = C(8, 12);
  const ShapeStrideLayout tile = *GetTileLayout(parent, C(4, 4), C(6, 10));
  EXPECT_EQ(ToString(tile), "((4,1),(4,1)):((4,16),(1,32))");
  EXPECT_EQ(*tile.origin_shape, C(2, 2));
  EXPECT_FALSE(GetTileLayout(parent, IntTuple(4), C(0, 0)).has_value());
  EXPECT_FALSE(GetTileLayout(parent, C(4, 4), C(0, -1)).has_value());
  EXPECT_FALSE(GetTileLayout(*ParseShapeStrideLayout("((4,(2,2)),3):((1,(4,8)),16)"), C(4, 3), C(0, 0)).has_value());
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
  // A row of five columns takes a block's 128, so the last element of 2^24 rows is below 2^31.
  const std::vector<int64_t> blocks = {64, 128};
  EXPECT_EQ(**FirstWrappingRows<int32_t>(TlaTag::kPaddingRowMajor, 16, 5, blocks), (1 << 24) + 1);
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
                                                   {"zN:f16[2]", 7},
                                                   {"zN:f16[2;3]", 9},
                                                   {"zN:f16[]", 8},
                                                   {"zN:f16[2,3,4]", 7},
                                                   {"zN<4>:f16[2,3]", 3},
                                                   {"zN<0,4>:f16[2,3]", 3},
                                                   {"zN<4,-4>:f16[2,3]", 6},
                                                   {"zN<4,4:f16[2,3]", 7},
                                                   {"RowMajor<4>:f16[2,3]", 9},
                                                   {"PaddingRowMajor:f16[2,3]", 16},
                                                   {"NC1HWC0:f16[2,3]", 12},
                                                   {"VectorLayout:f16[2,3,4]", 17},
                                                   {"zN:f16[2,-3]", 10},
                                                   {"zN:f16[2,3", 11},
                                                   {"zN:f16[2,3]x", 12},
                                                   {"zN:f16[99999999999999999999,3]", 8},
                                                   {"", 1}};
  EXPECT_EQ(ParseFractalLayout("zN:f17[2,3]").error().message,
            "expected an element type, found 'f17' (did you mean 'f16'?)");
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
  EXPECT_FALSE(MakeTlaLayout(TlaTag::kPaddingRowMajor, 16, 1, 5).has_value());
  EXPECT_FALSE(MakeTlaLayout(TlaTag::kNC1HWC0, 16, 1, 5).has_value());
  EXPECT_FALSE(FirstWrappingRows<int32_t>(TlaTag::kNC1HWC0, 16, 5).has_value());
  const auto overflow = ParseFractalLayout("zN<4611686018427387904,8>:f16[1,9]");
  ASSERT_TRUE(overflow.has_value());
  EXPECT_EQ(ShapeStrideOf(*overflow).error().kind, ErrorKind::kOverflow);
}

}  // namespace
}  // namespace layoutcheck
