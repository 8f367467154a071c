// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/layout.h"
#include <gtest/gtest.h>
#include <random>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/verify/layouts/mixed_radix_chain.h"
#include "layoutcheck/verify/layouts/tiling.h"

namespace layoutcheck::verify {
namespace {

TEST(Layout, ReadsNamesOrderAndTiles) {
  const auto layout = ReadLayout("bf16[M, 5,N]{0,2,1:T(8,P)(2,1)(*,M)E(4)S(1)}");
  ASSERT_TRUE(layout.has_value()) << layout.error();
  EXPECT_EQ(layout->names, (std::vector<std::string>{"M", "N", "P"}));
  EXPECT_EQ(layout->dimensions[1].number, 5);
  EXPECT_EQ(layout->major_to_minor, (std::vector<size_t>{1, 2, 0}));
  ASSERT_EQ(layout->tiles.size(), 3u);
  EXPECT_EQ(layout->tiles[0][1].size.name, "P");
  EXPECT_TRUE(layout->tiles[2][0].combine);
  EXPECT_TRUE(layout->IsTileName("M"));
  EXPECT_FALSE(layout->IsTileName("N"));
  EXPECT_TRUE(layout->IsDimensionName("N"));
  EXPECT_FALSE(layout->IsDimensionName("P"));
}

TEST(Layout, TextsThatAreNoLayoutAreRefusedWithTheColumn) {
  const std::pair<const char*, const char*> texts[] = {
      {"", "column 1: "},
      {"g32[2]{0}", "column 1: "},
      {"f32[2", "column 6: "},
      {"f32[-2]{0}", "column 5: "},
      {"f32[?]{0}", "column 5: "},
      {"f32[i0]{0}", "column 5: "},
      {"f32[2,3]{0}", "column 10: "},
      {"f32[2,3]{1,1}", "column 10: "},
      {"f32[2,3]{1,2}", "column 10: "},
      {"f32[2,3]{1,0,0,0,0}", "column 10: "},
      {"f32[2]{0:T()}", "column 12: "},
      {"f32[2]{0:T(0)}", "column 12: "},
      {"f32[2]{0:T(*)}", "column 13: "},
      {"f32[2]{0:T(2)X(1)}", "column 15: "},
      {"f32[2]{0:T(2)} f32", "column 16: "},
      {"f32[99999999999999999999]{0}", "column 5: "},
  };
  for (const auto& [text, start] : texts) {
    const auto layout = ReadLayout(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_TRUE(layout.error().starts_with(start)) << text << ": " << layout.error();
  }
  std::string long_text = "f32[1";
  for (int k = 0; k < 2000; ++k) long_text += ",1";
  EXPECT_FALSE(ReadLayout(long_text + "]").has_value());
}

// The layout with numbers alone, as polynomials.
SizedLayout Sized(Ring& ring, const Layout& layout) {
  return WithSizes(layout, [&](const Size& size) { return ring.Constant(size.number); });
}

std::string RandomLayout(std::mt19937& random) {
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  const int rank = draw(0, 4);
  std::vector<int> sizes;
  std::vector<int> order;
  for (int d = 0; d < rank; ++d) sizes.push_back(draw(1, 5));
  for (int d = 0; d < rank; ++d) order.push_back(d);
  std::ranges::shuffle(order, random);
  const int tiles = draw(rank == 0 ? 1 : 0, 3);
  std::string text = StrCat("f32[", StrJoin(sizes, ","), "]{", StrJoin(order, ","));
  for (int t = 0; t < tiles; ++t) {
    StrAppend(text, t == 0 ? ":T(" : "(");
    for (int k = 0, count = draw(1, 4); k < count; ++k) {
      const bool combine = k + 1 < count && draw(0, 3) == 0;
      StrAppend(text, k > 0 ? "," : "", combine ? "*" : StrCat(draw(1, 4)));
    }
    text += ")";
  }
  return text + "}";
}

// The definitions of this room and those of core are written apart from each other; on numbers they must agree.
TEST(Tiling, DefinitionsAgreeWithCoreOnRandomLayoutsOfNumbers) {
  std::mt19937 random(20261123);
  for (int round = 0; round < 400; ++round) {
    const std::string text = RandomLayout(random);
    const auto shape = ParseShape(text);
    ASSERT_TRUE(shape.has_value()) << text << ": " << shape.error().ToString();
    const auto reference_layout = TiledLayoutOf(*shape);
    ASSERT_TRUE(reference_layout.has_value()) << text;
    const BasicTiledIndex<int64_t> reference(*reference_layout);
    const auto layout = ReadLayout(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error();
    Ring ring;
    const SizedLayout sized = Sized(ring, *layout);
    const MixedRadixChain chain(ring, sized);
    EXPECT_EQ(ring.ConstantValue(ElementsOf(ring, sized)), reference.padded_elements()) << text;
    EXPECT_EQ(ring.ConstantValue(chain.elements()), reference.padded_elements()) << text;
    ForEachIndex(shape->dimensions, [&](std::span<const int64_t> index) {
      std::vector<Polynomial> point;
      for (const int64_t i : index) point.push_back(ring.Constant(i));
      const int64_t expected = reference(std::vector(index.begin(), index.end()));
      EXPECT_EQ(ring.ConstantValue(ClosedFormula(ring, sized, point).index), expected) << text;
      EXPECT_EQ(ring.ConstantValue(PadReshapeTranspose(ring, sized, point)), expected) << text;
      EXPECT_EQ(ring.ConstantValue(chain.Index(point)), expected) << text;
      const auto inverse = chain.InverseOf(ring.Constant(expected));
      for (size_t d = 0; d < index.size(); ++d) {
        EXPECT_EQ(ring.ConstantValue(inverse.coordinate[d]), index[d]) << text;
      }
      for (const auto& [digit, size] : inverse.conditions) {
        EXPECT_LT(*ring.ConstantValue(digit), *ring.ConstantValue(size)) << text;
      }
    });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Tiling, KnownAnswers) {
  Ring ring;
  const SizedLayout layout = Sized(ring, *ReadLayout("f32[3,5]{1,0:T(2,2)}"));
  const std::vector<Polynomial> point = {ring.Constant(2), ring.Constant(3)};
  EXPECT_EQ(ring.ConstantValue(ClosedFormula(ring, layout, point).index), 17);
  EXPECT_EQ(ring.ConstantValue(ElementsOf(ring, layout)), 24);
  // A tile of three entries on two dimensions puts one of size 1 in front.
  const SizedLayout leading =
      WithLeadingDimensions(Sized(ring, *ReadLayout("f32[3,5]{1,0:T(4,2,2)}")), ring.Constant(1));
  ASSERT_EQ(leading.dimensions.size(), 3u);
  EXPECT_EQ(leading.major_to_minor, (std::vector<size_t>{0, 1, 2}));
  std::vector<Int128> box;
  for (const Polynomial size : MixedRadixChain(ring, leading).BoxSizes()) box.push_back(*ring.ConstantValue(size));
  EXPECT_EQ(box, (std::vector<Int128>{4, 4, 6}));
}

}  // namespace
}  // namespace layoutcheck::verify
