// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>
#include <cstdio>
#include <string>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

ShapeStrideLayout L(std::string_view text) { return *ParseShapeStrideLayout(text); }

// Returns the offsets of the elements in the origin shape, in the order of AllOffsets.
std::vector<int64_t> OffsetsOfOrigin(const ShapeStrideLayout& layout) {
  const std::vector<int64_t> sizes = *LogicalSizes(layout);
  const StridedLayout strided = *StridedLayoutOf(layout);
  std::vector<int64_t> offsets;
  std::vector<int64_t> index(sizes.size(), 0);
  do {
    offsets.push_back(StridedOffset<int64_t>(strided, index));
  } while (NextIndex(index, sizes));
  return offsets;
}

constexpr ElementType kTypes[] = {ElementType::kS4, ElementType::kS8, ElementType::kF16, ElementType::kF32,
                                  ElementType::kF64};
constexpr TlaTag kTags[] = {TlaTag::kRowMajor, TlaTag::kColumnMajor, TlaTag::kVectorLayout,
                            TlaTag::kZN,       TlaTag::kNZ,          TlaTag::kZZ,
                            TlaTag::kNN,       TlaTag::kL0C,         TlaTag::kWeight4BitnZ};

// The XLA layout of every tag has the offsets of its shape:stride layout and allocates as much.
TEST(Bridges, FractalTagsAreXlaLayouts) {
  int64_t layouts = 0;
  int64_t points = 0;
  for (const TlaTag tag : kTags) {
    for (const ElementType type : kTypes) {
      for (const int64_t rows : {1, 2, 3, 15, 16, 17, 33, 64, 65}) {
        for (const int64_t columns : {1, 2, 3, 15, 16, 17, 33, 64, 65}) {
          const FractalLayout fractal{tag, type, {rows, columns}, {}};
          const ShapeStrideLayout expected = *ShapeStrideOf(fractal);
          const Expected<Shape> hlo = HloOfFractal(fractal);
          ASSERT_TRUE(hlo.has_value()) << ToString(fractal);
          ASSERT_TRUE(ValidateShape(*hlo, MissingLayout::kRejected).has_value()) << ToString(*hlo);
          const std::vector<int64_t> offsets = OffsetsOfOrigin(expected);
          ASSERT_EQ(AllOffsets(*hlo).value(), offsets) << ToString(fractal) << " " << ToString(*hlo);
          const bool pitched = BitWidth(type) == 4 && (tag == TlaTag::kRowMajor || tag == TlaTag::kColumnMajor);
          if (pitched) {  // the pitch pads the last row, too
            EXPECT_EQ(SizesOf(*hlo)->padded_elements,
                      *Cosize(expected) + (tag == TlaTag::kRowMajor ? columns : rows) % 2);
          } else {
            EXPECT_EQ(SizesOf(*hlo)->padded_elements, *Cosize(expected)) << ToString(fractal);
          }
          // The XLA layout translates back.
          const Expected<ShapeStrideLayout> back = ShapeStrideOfHlo(*hlo);
          ASSERT_TRUE(back.has_value()) << ToString(*hlo) << ": " << back.error().ToString();
          ASSERT_EQ(OffsetsOfOrigin(*back), offsets);
          ++layouts;
          points += static_cast<int64_t>(offsets.size());
        }
      }
    }
  }
  std::printf("%lld layouts, %lld points\n", static_cast<long long>(layouts), static_cast<long long>(points));
}

// The XLA layout of every tag has the tag's offsets in blocks of the tag's own sizes and of others, and translates
// back.
TEST(Bridges, TagsWithAnyBlocksAreXlaLayouts) {
  int64_t layouts = 0;
  for (size_t t = 0; t < kTagOrders.size(); ++t) {
    const TagOrder& order = kTagOrders[t];
    const auto blocks_of = [&](int64_t first, int64_t second) {
      std::vector<int64_t> blocks = {first, second};
      blocks.resize(order.cuts());
      return blocks;
    };
    for (const std::vector<int64_t>& blocks : {blocks_of(2, 3), blocks_of(3, 2), blocks_of(1, 4), {}}) {
      if (blocks.empty() && order.cuts() > 0 && order.blocks[0] == kGivenBlock) continue;
      for (const int64_t first : {1, 2, 3, 7}) {
        for (const int64_t second : {1, 4, 5, 17}) {
          std::vector<int64_t> sizes(order.rank(), 3);
          sizes[0] = first;
          if (sizes.size() > 1) sizes[1] = second;
          const FractalLayout fractal{static_cast<TlaTag>(t), ElementType::kF16, sizes, blocks};
          const Expected<Shape> hlo = HloOfFractal(fractal);
          ASSERT_TRUE(hlo.has_value()) << ToString(fractal) << ": " << hlo.error().ToString();
          ASSERT_TRUE(ValidateShape(*hlo, MissingLayout::kRejected).has_value()) << ToString(*hlo);
          const ShapeStrideLayout expected = *ShapeStrideOf(fractal);
          ASSERT_EQ(AllOffsets(*hlo).value(), OffsetsOfOrigin(expected)) << ToString(fractal) << " " << ToString(*hlo);
          EXPECT_EQ(SizesOf(*hlo)->padded_elements, *Cosize(expected)) << ToString(fractal);
          const Expected<ShapeStrideLayout> back = ShapeStrideOfHlo(*hlo);
          ASSERT_TRUE(back.has_value()) << ToString(*hlo) << ": " << back.error().ToString();
          ASSERT_EQ(OffsetsOfOrigin(*back), OffsetsOfOrigin(expected));
          ++layouts;
        }
      }
    }
  }
  std::printf("%lld layouts\n", static_cast<long long>(layouts));
}

// Returns true if f(0), f(1), ... begin a layout of one mode: they repeat their first run in equal steps.
bool StartsALayout(const std::vector<int64_t>& f) {
  size_t run = 1;
  while (run < f.size() && f[run] == static_cast<int64_t>(run) * f[1]) ++run;
  if (run >= f.size()) return true;
  std::vector<int64_t> starts;
  for (size_t i = 0; i < f.size(); ++i) {
    if (i % run == 0) starts.push_back(f[i]);
    if (f[i] != starts.back() + f[i % run]) return false;
  }
  return StartsALayout(starts);
}

// Returns true if the offsets of a matrix, row after row, are the sum of a layout of the rows and one of the columns.
bool IsSumOfLayouts(const std::vector<int64_t>& offsets, int64_t rows, int64_t columns) {
  const auto at = [&](int64_t i, int64_t j) { return offsets[static_cast<size_t>(i * columns + j)]; };
  std::vector<int64_t> down;
  std::vector<int64_t> across;
  for (int64_t i = 0; i < rows; ++i) down.push_back(at(i, 0));
  for (int64_t j = 0; j < columns; ++j) across.push_back(at(0, j));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      if (at(i, j) != at(i, 0) + at(0, j)) return false;
    }
  }
  return StartsALayout(down) && StartsALayout(across);
}

// A translated XLA layout of a small array has the same offsets and size, and its translation finds it again.
TEST(Bridges, HloToShapeStrideAndBack) {
  const char* const tilings[] = {
      "",          ":T(2)",        ":T(4)",        ":T(2,2)",      ":T(2,3)",  ":T(4,2)",
      ":T(8,128)", ":T(2,4)(2,1)", ":T(4,4)(2,2)", ":T(6)(3)",     ":T(4)(3)", ":T(2,2)(4,1)",
      ":T(*,4)",   ":T(*,3)",      ":T(2,*,2)",    ":T(3,2)(2,1)", ":L(16)",   ":T(2,2,2)"};
  int64_t shapes = 0;
  int64_t translated = 0;
  int64_t found_again = 0;
  int64_t other_size = 0;
  for (const char* const tiling : tilings) {
    for (const char* const order : {"1,0", "0,1"}) {
      for (int64_t rows = 1; rows <= 9; ++rows) {
        for (int64_t columns = 1; columns <= 9; ++columns) {
          const std::string text =
              "f32[" + std::to_string(rows) + "," + std::to_string(columns) + "]{" + order + tiling + "}";
          const Expected<Shape> hlo = ParseShape(text);
          if (!hlo) continue;
          ++shapes;
          const Expected<ShapeStrideLayout> layout = ShapeStrideOfHlo(*hlo);
          if (!layout) {
            EXPECT_EQ(layout.error().kind, ErrorKind::kUnsupported) << text << ": " << layout.error().ToString();
            const bool sizes_differ = layout.error().message.find(" takes ") != std::string::npos;
            other_size += sizes_differ ? 1 : 0;
            EXPECT_EQ(sizes_differ, IsSumOfLayouts(AllOffsets(*hlo).value(), rows, columns))
                << text << ": " << layout.error().ToString();
            continue;
          }
          ++translated;
          ASSERT_TRUE(ValidateLayout(*layout).has_value());
          ASSERT_EQ(OffsetsOfOrigin(*layout), AllOffsets(*hlo).value()) << text << " " << ToString(*layout);
          EXPECT_EQ(*Cosize(*layout), SizesOf(*hlo)->padded_elements) << text;
          const Expected<Shape> again = HloOfShapeStride(*layout, ElementType::kF32);
          if (!again) {
            EXPECT_NE(again.error().message.find("at most two tiles"), std::string::npos) << again.error().ToString();
            continue;
          }
          ++found_again;
          ASSERT_EQ(AllOffsets(*again).value(), AllOffsets(*hlo).value()) << text << " " << ToString(*again);
          EXPECT_EQ(SizesOf(*again)->padded_elements, SizesOf(*hlo)->padded_elements);
        }
      }
    }
  }
  std::printf("%lld shapes, %lld are shape:stride layouts, %lld found again, %lld of another size\n",
              static_cast<long long>(shapes), static_cast<long long>(translated), static_cast<long long>(found_again),
              static_cast<long long>(other_size));
  EXPECT_EQ(found_again, translated);
  EXPECT_GT(translated, shapes / 3);
}

TEST(Bridges, KnownTranslations) {
  const std::pair<const char*, const char*> cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", "((2,2),(2,3)):((2,12),(1,4))"},
      {"f32[3,5]{1,0}", "(3,5):(5,1)"},
      {"f32[3,5]{0,1}", "(3,5):(1,3)"},
      {"f32[]", "():()"},
      {"f32[6]{0:T(4)}", "(8):(1)"},
      {"bf16[8,12]{0,1:T(4,4)(4,1)}", "(8,(4,3)):(4,(1,32))"},
      {"f32[2,6]{1,0:T(*,4)}", "(2,6):(6,1)"},
      {"f32[4,3]{1,0:T(*,4)(2)}", "(4,3):(3,1)"},  // no cut divides another, but nothing moves
  };
  for (const auto& [hlo, layout] : cases) {
    const Expected<ShapeStrideLayout> result = ShapeStrideOfHlo(*ParseShape(hlo));
    ASSERT_TRUE(result.has_value()) << hlo << ": " << result.error().ToString();
    EXPECT_EQ(ToString(*result), layout) << hlo;
  }
  EXPECT_EQ(ToString(*HloOfShapeStride(L("((4,2),(4,3)):((4,16),(1,32))"), ElementType::kF16)),
            "f16[8,12]{0,1:T(4,1)}");
  EXPECT_EQ(ToString(*HloOfShapeStride(L("(3,5):(1,3)"), ElementType::kF32)), "f32[3,5]{0,1}");
  EXPECT_EQ(ToString(*HloOfShapeStride(L("96:1"), ElementType::kF32)), "f32[96]{0}");
  ShapeStrideLayout padded = L("((2,2),(2,3)):((2,12),(1,4))");
  padded.origin_shape = IntTuple::Tuple({3, 5});
  EXPECT_EQ(ToString(*HloOfShapeStride(padded, ElementType::kF32)), "f32[3,5]{1,0:T(2,2)}");
}

TEST(Bridges, NotExpressible) {
  const std::pair<const char*, const char*> layouts[] = {
      {"(4,8):(1,0)", "stride 0"},   {"(3,5):(8,1)", "gap"},      {"(4,4):(1,2)", "overlap"},
      {"(4,8):(-1,4)", "stride -1"}, {"(0,8):(1,1)", "no coord"}, {"(4,8):(1@0,1@1)", "axes"},
  };
  for (const auto& [text, why] : layouts) {
    const Expected<Shape> hlo = HloOfShapeStride(L(text), ElementType::kF32);
    ASSERT_FALSE(hlo.has_value()) << text;
    EXPECT_NE(hlo.error().message.find(why), std::string::npos) << text << ": " << hlo.error().message;
  }
  const std::pair<const char*, const char*> shapes[] = {{"f32[8,2]{1,0:T(4,2)(3,1)}", "neither divides"},
                                                        {"f32[9]{0:T(4)(3)}", "takes 18"},
                                                        {"f32[0,3]{1,0}", "no element"},
                                                        {"f32[3,5]{1,0:L(16)}", "takes 16"},
                                                        {"f32[300]{0:T(8,128)}", "takes 3072"}};
  for (const auto& [text, why] : shapes) {
    const Expected<ShapeStrideLayout> layout = ShapeStrideOfHlo(*ParseShape(text));
    ASSERT_FALSE(layout.has_value()) << text << " " << ToString(*layout);
    EXPECT_NE(layout.error().message.find(why), std::string::npos) << text << ": " << layout.error().message;
  }
}

}  // namespace
}  // namespace layoutcheck
