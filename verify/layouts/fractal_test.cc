// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/fractal.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

std::vector<Polynomial> Constants(Ring& ring, const std::vector<int64_t>& numbers) {
  std::vector<Polynomial> result;
  for (const int64_t number : numbers) result.push_back(ring.Constant(number));
  return result;
}

// Compares with the text that the reference gives for the XLA layout, and with its offsets.
void ExpectTheReference(const std::string& text, int64_t rows, int64_t columns) {
  const auto fractal = ParseFractalLayout(text);
  ASSERT_TRUE(fractal.has_value()) << text;
  const auto read = ReadTiledOrFractal(text);
  ASSERT_TRUE(read.has_value()) << text << read.error();
  const auto xla = ReadTiledOrFractal(ToString(*HloOfFractal(*fractal)));
  ASSERT_TRUE(xla.has_value()) << text;
  const auto texts = [](const Layout& layout) {
    std::string sizes = StrCat(layout.element_bits);
    for (const Size& size : layout.dimensions) StrAppend(sizes, " ", size.number);
    for (const size_t d : layout.major_to_minor) StrAppend(sizes, ",", d);
    for (const auto& tile : layout.tiles) {
      for (const TileEntry& entry : tile) StrAppend(sizes, entry.combine ? "*" : ":", entry.size.number);
      sizes += ";";
    }
    return sizes;
  };
  EXPECT_EQ(texts(*read), texts(*xla)) << text;
  const auto reference = ShapeStrideOf(*fractal);
  ASSERT_TRUE(reference.has_value()) << text;
  Ring ring;
  const bool is_vector = read->dimensions.size() == 1;
  const auto sizes = Constants(ring, is_vector ? std::vector{columns} : std::vector{rows, columns});
  for (int64_t i = 0; i < (is_vector ? 1 : rows); ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      const auto point = is_vector ? std::vector{j} : std::vector{i, j};
      IntTuple coordinate = is_vector ? IntTuple::Tuple({j}) : IntTuple::Tuple({i, j});
      const Placed placed = PlaceInFractal(ring, *read->fractal, sizes, Constants(ring, point));
      ASSERT_EQ(ring.ConstantValue(placed.index), *Crd2Idx(coordinate, *reference)) << text << i << "," << j;
    }
  }
}

TEST(Fractal, OffsetsAndXlaLayoutsAreThoseOfTheReference) {
  for (const char* tag : {"RowMajor", "ColumnMajor", "VectorLayout", "zN", "nZ", "zZ", "nN", "L0C", "Weight4BitnZ"}) {
    for (const char* type : {"s4", "f4e2m1fn", "pred", "f8e4m3fn", "bf16", "f32", "c64"}) {
      for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{1, 1}, {17, 5}, {33, 65}}) {
        ExpectTheReference(StrCat(tag, ":", type, "[", rows, ",", columns, "]"), rows, columns);
      }
    }
  }
}

TEST(Fractal, NumberOfPlaces) {
  const auto places = [](std::string_view text) {
    const Layout layout = *ReadTiledOrFractal(text);
    Ring ring;
    std::vector<int64_t> numbers;
    for (const Size& size : layout.dimensions) numbers.push_back(size.number);
    const auto sizes = Constants(ring, numbers);
    return ring.ConstantValue(PlaceInFractal(ring, *layout.fractal, sizes, sizes).elements);
  };
  EXPECT_EQ(places("zN:f16[20,40]"), 32 * 48);
  EXPECT_EQ(places("nZ:s8[20,40]"), 32 * 48);
  EXPECT_EQ(places("RowMajor:f16[3,5]"), 15);
  EXPECT_EQ(places("RowMajor:s4[3,5]"), 18);
  EXPECT_EQ(places("ColumnMajor:s4[3,5]"), 20);
  EXPECT_EQ(places("VectorLayout:s4[3,5]"), 5);
}

TEST(Fractal, OtherTextsAreRefused) {
  for (const char* text : {"",
                           ":",
                           "zN:",
                           "zN:f16",
                           "zN:f16[M]",
                           "zN:f16[M,N,K]",
                           "zN:f16[M,N]{1,0}",
                           "zn:f16[M,N]",
                           "zN:f16[M,]",
                           "zN:f16[,N]",
                           "zN:f15[M,N]",
                           "zN:c128[M,N]",
                           "zN:s2[M,N]",
                           "zN:f6e2m3fn[M,N]",
                           "zN:f16[i0,N]",
                           "zN:f16[-1,N]",
                           "VectorLayout:f16[1M,N]",
                           "zN: f16[M,N]",
                           "zN :f16[M,N]",
                           "zN:f16[<=M,N]",
                           "zN:f16[M,N] ",
                           "zN:f16[M, N]",
                           "f16:zN[M,N]",
                           "[:,]"}) {
    EXPECT_FALSE(ReadTiledOrFractal(text).has_value()) << text;
  }
}

Verdict CheckFractal(std::string_view law, std::string_view layout, std::string_view body) {
  const std::string text = StrCat("layoutcheck certificate 1\nlaw ", law, "\nlayout ", layout, "\n", body, "end\n");
  return VerifyCertificates(text)->front();
}

constexpr std::string_view kEqual =
    "sequent every index of the fractal layout\ngoal\nsequent allocation of the fractal layout\ngoal\n"
    "sequent N = 0\ngoal\ngoal\n";

TEST(Fractal, ItIsShownToBeTheXlaLayoutBeforeAnyOtherLaw) {
  constexpr std::string_view kVector = "VectorLayout:s8[M,N]";
  const std::string in_bounds = "sequent every index\ngoal 3\ngoal 2\n";
  EXPECT_EQ(CheckFractal("equals-hlo", kVector, kEqual).reason, "");
  EXPECT_EQ(CheckFractal("in-bounds", kVector, StrCat(kEqual, in_bounds)).reason, "");
  EXPECT_EQ(CheckFractal("in-bounds", kVector, in_bounds).reason,
            "expected 'sequent every index of the fractal layout', found 'sequent every index'");
  EXPECT_EQ(CheckFractal("in-bounds", kVector, kEqual).reason, "expected 'sequent every index', found 'end'");
  EXPECT_EQ(CheckFractal("formula", kVector, StrCat("formula i0\n", kEqual, "path\ngoal\n")).reason, "");
  EXPECT_EQ(CheckFractal("formula", kVector, "formula i0\npath\ngoal\n").reason,
            "expected 'sequent every index of the fractal layout', found 'path'");
  EXPECT_FALSE(CheckFractal("formula", kVector, StrCat("formula i0 + 1\n", kEqual, "path\ngoal\n")).proved);
  EXPECT_EQ(CheckFractal("equals-hlo", "VectorLayout:s8[M,0]", "sequent no element, as a dimension is 0\ngoal\ngoal\n")
                .reason,
            "");
}

TEST(Fractal, WrongClaimsAndSequentsAreRefused) {
  // The law is about fractal layouts alone.
  EXPECT_EQ(CheckFractal("equals-hlo", "s8[N]{0}", kEqual).reason,
            "expected a law of tiled layouts, found 'equals-hlo'");
  EXPECT_FALSE(CheckFractal("equals-everything", "VectorLayout:s8[M,N]", kEqual).proved);
  EXPECT_FALSE(CheckFractal("formula", "RowMajor:s4[1,N]", "formula i1\nby enumeration\n").proved);
  // Rows of an odd number of elements of 4 bits end with an unused half of a byte.
  EXPECT_EQ(
      CheckFractal("equals-hlo", "RowMajor:s8[1,3]",
                   "sequent every index of the fractal layout\ngoal\nsequent allocation of the fractal layout\ngoal\n")
          .reason,
      "");
  EXPECT_FALSE(
      CheckFractal("equals-hlo", "RowMajor:s4[1,3]",
                   "sequent every index of the fractal layout\ngoal\nsequent allocation of the fractal layout\ngoal\n")
          .proved);
  EXPECT_FALSE(
      CheckFractal("equals-hlo", "zN:f16[M,N]",
                   "sequent every index of the fractal layout\ngoal\nsequent allocation of the fractal layout\ngoal\n"
                   "sequent M = 0\ngoal\ngoal\nsequent N = 0\ngoal\ngoal\n")
          .proved);
}

}  // namespace
}  // namespace layoutcheck::verify
