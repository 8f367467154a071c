// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/fragment_layout.h"
#include <gtest/gtest.h>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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
  const Expected<LinearLayout> layout = ParseFragmentName(name);
  EXPECT_TRUE(layout) << name << ": " << (layout ? "" : layout.error().ToString());
  return layout.value_or(LinearLayout());
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
        const Expected<LinearLayout> layout = ParseFragmentName(StrCat("mma.", shape, ".", type, ".", operand));
        if (!layout) continue;
        ++fragments;
        EXPECT_TRUE(layout->IsInjective() && layout->IsOnto()) << shape << " " << type << " " << operand;
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

TEST(FragmentLayout, WrongNamesAreErrorsWithTheirPlace) {
  const std::pair<std::string_view, std::string_view> kWrong[] = {
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
      {"wmma.m16", "column 1: expected 'mma.' or 'ldmatrix.'"},
  };
  for (const auto& [text, message] : kWrong) {
    const Expected<LinearLayout> layout = ParseFragmentName(text);
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
  const std::pair<std::string_view, std::string_view> kWrong[] = {
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
