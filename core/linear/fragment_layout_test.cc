// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/fragment_layout.h"
#include <gtest/gtest.h>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/scale_factors.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

using Element = std::vector<int64_t>;  // row and column

LinearLayout Fragment(std::string_view name) {
  const Expected<FragmentLayout> layout = ParseFragmentName(name);
  EXPECT_TRUE(layout) << name << ": " << (layout ? "" : layout.error().ToString());
  const auto* const linear = layout ? std::get_if<LinearLayout>(&*layout) : nullptr;
  EXPECT_NE(linear, nullptr) << name;
  return linear != nullptr ? *linear : LinearLayout();
}

// Checks the element of every register and lane against the formula of the PTX ISA.
void ExpectElements(std::string_view name, const std::function<Element(int64_t i, int64_t lane)>& formula) {
  const LinearLayout layout = Fragment(name);
  const std::vector<int64_t> sizes = layout.InputSizes();
  ASSERT_EQ(sizes.size(), 2u) << name;
  ASSERT_EQ(sizes[1], 32) << name;
  for (int64_t i = 0; i < sizes[0]; ++i) {
    for (int64_t lane = 0; lane < 32; ++lane) {
      const auto index = static_cast<uint64_t>(layout.Index(Element{i, lane}));
      EXPECT_EQ(layout.OutputParts(index), formula(i, lane)) << name << " element " << i << " of lane " << lane;
    }
  }
}

TEST(FragmentLayout, IsThatOfThePtxIsa) {
  ExpectElements("mma.m16n8k16.f16.A", [](int64_t i, int64_t lane) {
    const bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
    return Element{lane / 4 + (upper ? 0 : 8), lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
  });
  ExpectElements("mma.m16n8k16.bf16.B",
                 [](int64_t i, int64_t lane) { return Element{lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4}; });
  const auto accumulator = [](int64_t i, int64_t lane) {
    return Element{lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
  };
  ExpectElements("mma.m16n8k16.f16.C", accumulator);
  ExpectElements("mma.m16n8k256.b1.D", accumulator);
  ExpectElements("mma.m8n8k4.f64.A", [](int64_t, int64_t lane) { return Element{lane / 4, lane % 4}; });
  ExpectElements("mma.m8n8k4.f64.B", [](int64_t, int64_t lane) { return Element{lane % 4, lane / 4}; });
  ExpectElements("mma.m8n8k4.f64.C", [](int64_t i, int64_t lane) { return Element{lane / 4, lane % 4 * 2 + i}; });
  ExpectElements("mma.m16n8k8.tf32.A", [](int64_t i, int64_t lane) {
    return Element{lane / 4 + (i == 0 || i == 2 ? 0 : 8), lane % 4 + (i < 2 ? 0 : 4)};
  });
  ExpectElements("mma.m16n8k16.f64.A", [](int64_t i, int64_t lane) {
    return Element{lane / 4 + (i % 2 == 0 ? 0 : 8), (i % 2 == 0 ? i * 2 : i * 2 - 2) + lane % 4};
  });
  ExpectElements("mma.m16n8k16.f64.B", [](int64_t i, int64_t lane) { return Element{lane % 4 + i * 4, lane / 4}; });
  ExpectElements("mma.m16n8k32.e4m3.A", [](int64_t i, int64_t lane) {
    const bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
    return Element{lane / 4 + (upper ? 0 : 8), lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  });
  ExpectElements("mma.m16n8k64.e2m1.B",
                 [](int64_t i, int64_t lane) { return Element{lane % 4 * 8 + (i & 7) + (i < 8 ? 0 : 32), lane / 4}; });
  ExpectElements("mma.m16n8k256.b1.A", [](int64_t i, int64_t lane) {
    const bool upper = (0 <= i && i < 32) || (64 <= i && i < 96);
    return Element{lane / 4 + (upper ? 0 : 8), lane % 4 * 32 + (i & 31) + (i < 64 ? 0 : 128)};
  });
  ExpectElements("ldmatrix.x2",
                 [](int64_t i, int64_t lane) { return Element{i / 2 * 8 + lane / 4, lane % 4 * 2 + (i & 1)}; });
  ExpectElements("ldmatrix.x4.trans",
                 [](int64_t i, int64_t lane) { return Element{i / 2 * 8 + lane % 4 * 2 + (i & 1), lane / 4}; });
}

TEST(FragmentLayout, EveryOneHoldsItsMatrixOnce) {
  size_t fragments = 0;
  for (const std::string shape : {"m8n8k4", "m8n8k16", "m8n8k32", "m8n8k128", "m16n8k4", "m16n8k8", "m16n8k16",
                                  "m16n8k32", "m16n8k64", "m16n8k128", "m16n8k256"}) {
    for (const std::string type : {"f16", "bf16", "tf32", "f64", "s8", "u8", "e4m3", "e2m1", "s4", "b1"}) {
      for (const std::string operand : {"A", "B", "C", "D"}) {
        const std::string name = StrCat("mma.", shape, ".", type, ".", operand);
        if (!ParseFragmentName(name)) continue;
        ++fragments;
        const LinearLayout layout = Fragment(name);
        EXPECT_TRUE(layout.IsInjective() && layout.IsOnto()) << name;
      }
    }
  }
  EXPECT_EQ(fragments, 4u * 25);
}

// Loading 8 x 8 matrices in the order in which kernels name them gives the fragments of mma: ldmatrix.x4 that of A, and
// ldmatrix.x2.trans that of B from rows of B.
TEST(FragmentLayout, LdmatrixLoadsFragmentsOfMma) {
  const auto arranged = [](std::string_view load, std::string_view arrangement) {
    const auto layout = ReadLinearLayout(arrangement);
    const auto result = layout ? Compose(Fragment(load), *layout) : layout;
    return result.value_or(LinearLayout());
  };
  EXPECT_EQ(arranged("ldmatrix.x4", "ll{dim0:[(1,0),(2,0),(4,0),(8,0),(0,8)],dim1:[(0,1),(0,2),(0,4)]} -> [16,16]"),
            Fragment("mma.m16n8k16.f16.A"));
  EXPECT_EQ(arranged("ldmatrix.x2.trans", "ll{dim0:[(1,0),(2,0),(4,0),(8,0)],dim1:[(0,1),(0,2),(0,4)]} -> [16,8]"),
            Fragment("mma.m16n8k16.f16.B"));
}

// stmatrix stores what ldmatrix loads.
TEST(FragmentLayout, StmatrixHasTheFragmentsOfLdmatrix) {
  for (const std::string count : {"x1", "x2", "x4"}) {
    for (const std::string what : {"", ".trans", ".addresses"}) {
      EXPECT_EQ(Fragment(StrCat("stmatrix.", count, what)), Fragment(StrCat("ldmatrix.", count, what)));
    }
  }
  // The columns of an accumulator of mma are stored as rows of bytes.
  const LinearLayout bytes = Fragment("stmatrix.m16n8.x1.trans");
  const LinearLayout accumulator = Fragment("mma.m16n8k32.s8.C");
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t lane = 0; lane < 32; ++lane) {
      const Element element{i, lane};
      const std::vector<int64_t> stored = bytes.OutputParts(static_cast<uint64_t>(bytes.Index(element)));
      EXPECT_EQ((Element{stored[1], stored[0]}),
                accumulator.OutputParts(static_cast<uint64_t>(accumulator.Index(element))));
    }
  }
  ExpectElements("stmatrix.m16n8.x4.trans", [](int64_t i, int64_t lane) {
    return Element{i / 4 * 8 + lane % 4 * 2 + i % 2, lane / 4 + i / 2 % 2 * 8};
  });
  EXPECT_EQ(Fragment("stmatrix.m16n8.x2.addresses").outputs()[1].size(), 16u);
}

// Returns row and column of an element of D, from its linear index in the row-major matrix.
Element ElementOfD(const FragmentLayout& layout, int64_t n, int64_t i, int64_t lane, int64_t warp) {
  const auto* const linear = std::get_if<LinearLayout>(&layout);
  const int64_t index =
      linear != nullptr ? linear->Index(std::vector<int64_t>{i, lane, warp})
                        : Crd2Idx(IntTuple::Tuple({i, lane, warp}), std::get<ShapeStrideLayout>(layout)).value_or(-1);
  return {index / n, index % n};
}

// The formulas of the PTX ISA for every n: row 16 warp + lane / 4, of the upper half 8 more, and two columns from
// 8 j + 2 (lane % 4) on.
TEST(FragmentLayout, AccumulatorsOfWgmma) {
  for (int64_t n = 8; n <= 256; n += 8) {
    const Expected<FragmentLayout> layout = ParseFragmentName(StrCat("wgmma.m64n", n, "k16.f16.D"));
    ASSERT_TRUE(layout) << n;
    // Strides and bits are the same map wherever both are possible.
    EXPECT_EQ(std::holds_alternative<LinearLayout>(*layout), (n & (n - 1)) == 0) << n;
    for (int64_t i = 0; i < n / 2; ++i) {
      for (int64_t thread = 0; thread < 128; ++thread) {
        const int64_t warp = thread / 32;
        const int64_t lane = thread % 32;
        const int64_t j = i / 4;
        EXPECT_EQ(ElementOfD(*layout, n, i, lane, warp),
                  (Element{16 * warp + lane / 4 + 8 * (i / 2 % 2), 8 * j + 2 * (lane % 4) + i % 2}))
            << n;
      }
    }
    const bool has_integers = n == 8 || n == 24 || n % 16 == 0;
    const Expected<FragmentLayout> of_integers = ParseFragmentName(StrCat("wgmma.m64n", n, "k32.u8.D"));
    ASSERT_EQ(of_integers.has_value(), has_integers) << n;
    if (has_integers) {
      EXPECT_EQ(*of_integers, *layout) << n;
    }
    EXPECT_EQ(ParseFragmentName(StrCat("wgmma.m64n", n, "k8.tf32.D")).value(), *layout) << n;
  }
}

// Fragments of wgmma are those of mma, per warp, and D is one accumulator beside the other.
TEST(FragmentLayout, WgmmaIsMmaPerWarp) {
  const LinearLayout warps = ReadLinearLayout("ll{warp:[(1,0),(2,0)]} -> [4,1]").value_or(LinearLayout());
  for (const auto& [wgmma, mma] : std::vector<std::pair<std::string, std::string>>{
           {"wgmma.m64n8k16.f16.A", "mma.m16n8k16.f16.A"},
           {"wgmma.m64n24k16.bf16.A", "mma.m16n8k16.bf16.A"},
           {"wgmma.m64n256k8.tf32.A", "mma.m16n8k8.tf32.A"},
           {"wgmma.m64n8k32.e4m3.A", "mma.m16n8k32.e4m3.A"},
           {"wgmma.m64n8k32.s8.A", "mma.m16n8k32.s8.A"},
           {"wgmma.m64n8k32.s8.D", "mma.m16n8k32.s8.D"},
       }) {
    EXPECT_EQ(Fragment(wgmma), Product(Fragment(mma), warps).value_or(LinearLayout())) << wgmma;
  }
  const LinearLayout tiles = ReadLinearLayout("ll{register:[(0,1),(0,2)]} -> [1,4]").value_or(LinearLayout());
  EXPECT_EQ(
      Fragment("wgmma.m64n32k8.tf32.D"),
      Product(Product(Fragment("mma.m16n8k8.tf32.D"), tiles).value_or(LinearLayout()), warps).value_or(LinearLayout()));
}

// Returns lane and column of tensor memory by the figures of the PTX ISA, written as formulas.
TEST(FragmentLayout, TensorMemory) {
  for (const std::string instruction : {"ld", "st"}) {
    const auto name = [&](std::string_view rest) { return StrCat("tcgen05.", instruction, ".", rest); };
    ExpectElements(name("32x32b.x128"), [](int64_t r, int64_t lane) { return Element{lane, r}; });
    for (const std::string count : {"x1", "x2", "x32"}) {
      ExpectElements(name("16x64b." + count),
                     [](int64_t r, int64_t lane) { return Element{lane / 4 + lane % 2 * 8, lane / 2 % 2 + 2 * r}; });
      ExpectElements(name("16x128b." + count),
                     [](int64_t r, int64_t lane) { return Element{lane / 4 + r % 2 * 8, lane % 4 + r / 2 * 4}; });
      ExpectElements(name("16x256b." + count), [](int64_t r, int64_t lane) {
        return Element{lane / 4 + r / 2 % 2 * 8, lane % 4 * 2 + r % 2 + r / 4 * 8};
      });
    }
  }
  const std::pair<std::string, int> most_repeats[] = {
      {"32x32b", 128}, {"16x64b", 128}, {"16x128b", 64}, {"16x256b", 32}};
  for (const auto& [shape, most] : most_repeats) {
    const LinearLayout layout = Fragment(StrCat("tcgen05.ld.", shape, ".x", most));
    EXPECT_TRUE(layout.IsInjective() && layout.IsOnto()) << shape;
    EXPECT_EQ(layout.inputs()[0].size(), 128u) << shape;  // registers of a lane
    EXPECT_FALSE(ParseFragmentName(StrCat("tcgen05.ld.", shape, ".x", 2 * most)));
  }
}

TEST(FragmentLayout, WrongNamesAreErrorsWithTheirPlace) {
  constexpr std::pair<std::string_view, std::string_view> kWrong[] = {
      {"mma.m16n8k17.f16.A", "column 5: expected one of the shapes m8n8k4, m8n8k16"},
      {"mma.", "column 5: expected one of the shapes"},
      {"mma.m16n8k16", "column 13: expected '.' and a type and an operand, as in mma.m16n8k16.f16.A"},
      {"mma.m16n8k16.f32.A", "column 14: expected one of the types f16 bf16 f64 s8 u8 of A and B of m16n8k16"},
      {"mma.m16n8k16..A", "column 14: expected one of the types"},
      {"mma.m16n8k16.f16", "column 17: expected '.' and one of the operands A, B, C, D"},
      {"mma.m16n8k16.f16.a", "column 18: expected one of the operands A, B, C, D, found 'a'"},
      {"mma.m16n8k16.f16.A.x", "column 19: expected the end of the name"},
      {"ldmatrix.x3", "column 10: expected one of x1, x2, x4, found 'x3'"},
      {"ldmatrix.x4.row", "column 13: expected 'trans' or 'addresses', found 'row'"},
      {"ldmatrix.x4.trans.b16", "column 18: expected '.trans', '.addresses' or the end of the name"},
      {"stmatrix.x8", "column 10: expected one of x1, x2, x4, found 'x8'"},
      {"stmatrix.m16n8.x1", "column 18: expected '.trans', without which m16n8 does not exist, or '.addresses'"},
      {"ldmatrix.m16n8.x1.trans", "column 10: expected one of x1, x2, x4, found 'm16n8'"},
      {"wgmma.m128n8k16.f16.D", "column 7: expected 'm64n' and the number of columns"},
      {"wgmma.m64n12k16.f16.D", "column 11: expected a multiple of 8 from 8 to 256 columns, found '12'"},
      {"wgmma.m64n264k16.f16.D", "column 11: expected a multiple of 8 from 8 to 256 columns, found '264'"},
      {"wgmma.m64n08k16.f16.D", "column 11: expected a multiple of 8 from 8 to 256 columns, found '08'"},
      {"wgmma.m64n18446744073709551624k16.f16.D", "column 11: expected a multiple of 8"},
      {"wgmma.m64n8", "column 12: expected one of k8, k16, k32, found none"},
      {"wgmma.m64n8k64.f16.D", "column 12: expected one of k8, k16, k32, found 'k64'"},
      {"wgmma.m64n8k16.s8.D", "column 16: expected one of f16, bf16, found 's8'"},
      {"wgmma.m64n40k32.s8.D",
       "column 17: expected a type other than integers, which have 8, 24 or a multiple of 16 columns and not 40, "
       "found 's8'"},
      {"wgmma.m64n8k16.f16.B", "column 20: expected one of the operands A, D, as B is in shared memory, found 'B'"},
      {"wgmma.m64n8k16.f16.D.x", "column 21: expected the end of the name"},
      {"tcgen05.cp", "column 9: expected one of ld, st, found 'cp'"},
      {"tcgen05.ld.16x32bx2.x1", "column 12: expected one of 32x32b, 16x64b, 16x128b, 16x256b, found '16x32bx2'"},
      {"tcgen05.ld.16x256b.x64", "column 20: expected one of x1, x2, x4, x8, x16, x32, found 'x64'"},
      {"tcgen05.st.32x32b", "column 18: expected '.' and the number of repetitions, such as x1"},
      {"wmma.m16", "column 1: expected 'mma.', 'ldmatrix.', 'stmatrix.', 'wgmma.' or 'tcgen05.'"},
  };
  for (const auto& [text, message] : kWrong) {
    const Expected<FragmentLayout> layout = ParseFragmentName(text);
    ASSERT_FALSE(layout) << text;
    EXPECT_EQ(layout.error().ToString().substr(0, message.size()), message) << text;
  }
}

TEST(ScaleFactors, TilesOf128x4) {
  const Expected<ShapeStrideLayout> layout = ParseScaleFactors(" sf128x4[ 256, 12 ] ");
  ASSERT_TRUE(layout);
  for (int64_t r = 0; r < 256; ++r) {
    for (int64_t c = 0; c < 12; ++c) {
      const int64_t tile = r / 128 * 3 + c / 4;
      const auto offset = Crd2Idx(IntTuple::Tuple({IntTuple(r), IntTuple(c)}), *layout);
      ASSERT_TRUE(offset);
      EXPECT_EQ(*offset, tile * 512 + r % 32 * 16 + r % 128 / 32 * 4 + c % 4) << r << "," << c;
    }
  }
  // It is linear over bits if the numbers of tiles are powers of two.
  EXPECT_TRUE(ReadLinearLayout("sf128x4[256,8]"));
  EXPECT_FALSE(ReadLinearLayout("sf128x4[256,12]"));
}

TEST(ScaleFactors, WrongSizesAreErrorsWithTheirPlace) {
  constexpr std::pair<std::string_view, std::string_view> kWrong[] = {
      {"sf128x4", "column 8: expected '['"},
      {"sf128x4[200,8]", "column 9: expected a positive multiple of 128 rows, found 200"},
      {"sf128x4[0,8]", "column 9: expected a positive multiple of 128 rows, found 0"},
      {"sf128x4[-128,8]", "column 9: expected a positive multiple of 128 rows, found -128"},
      {"sf128x4[128,6]", "column 13: expected a positive multiple of 4 columns, found 6"},
      {"sf128x4[128]", "column 12: expected ','"},
      {"sf128x4[128,4", "column 14: expected ']'"},
      {"sf128x4[128,4] x", "column 16: expected the end of the text"},
      {"sf128x4[9223372036854775680,8]", "the number of scale factors"},
  };
  for (const auto& [text, message] : kWrong) {
    const Expected<ShapeStrideLayout> layout = ParseScaleFactors(text);
    ASSERT_FALSE(layout) << text;
    EXPECT_EQ(layout.error().ToString().substr(0, message.size()), message) << text;
  }
}

}  // namespace
}  // namespace layoutcheck
