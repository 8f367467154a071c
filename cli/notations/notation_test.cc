// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/notation.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/cli/notations/coordinate.h"
#include "layoutcheck/cli/pictures/draw_text.h"
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Injective layouts in every notation.
constexpr const char* kLayouts[] = {
    "f32[3,5]{1,0:T(2,2)}",
    "f32[]{:T(4)}",
    "bf16[2,3,9]{0,2,1:T(4,4)(2,1)}",
    "f32[2,3,4]{2,1,0:T(2,*,3)(2,1)}",
    "s4[5]{0:T(2)L(8)E(4)}",
    "f32[2,<=3]{1,0}",
    "f32[2,3]{0,1}pad[3,5]=0",
    "f32[4]pad[]",
    "((4,2),(4,3)):((4,16),(1,32))",
    "(3,4):(5,1)",
    "7:3",
    "(4,(2,2)):(-1,(8,16))",
    "Sw<2,0,3> o 0 o (8,8):(8,1)",
    "Sw<1,0,1> o 0 o 3:1",
    "16 o (3,4):(5,1)",
    "3 o 5:2",
    "zN:f16[20,40]",
    "nZ:s8[3,5]",
    "RowMajor:f32[3,5]",
    "VectorLayout:f32[1,9]",
    "VectorLayout:f32[9]",
    "zN<2,3>:f16[3,5]",
    "MxScalezZ:f8e8m0fnu[3,5]",
    "PaddingRowMajor<2,3>:f16[3,5]",
    "NC1HWC0<2>:f16[2,3,2,2]",
    "FractalZ<2,3>:s4[3,5,1,2]",
    "ll{register:[1,2],lane:[4,8,16],warp:[]} -> [32]",
    "ll{a:[(1,1),(0,2)],b:[(1,0)]} -> [4,4]",
    "ll{} -> [2]",
    "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}> [4,8]",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16}> [16,8]",
    ("#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
     "instrShape = [16, 8]}>, kWidth = 2}> [16,8]"),
};

TEST(Notation, EveryAddressIsPaddingOrAnElementThatIsThere) {
  for (const char* text : kLayouts) {
    SCOPED_TRACE(text);
    const auto layout = ReadValid(text);
    ASSERT_NE(layout, nullptr);
    const AllocationSizes sizes = layout->Sizes();
    int64_t elements = 0;
    for (int64_t k = 0; k < sizes.padded_elements; ++k) {
      const int64_t offset = sizes.first_offset + k;
      const auto element = layout->ElementAt(offset);
      ASSERT_TRUE(element.has_value());
      if (!*element) continue;
      ++elements;
      EXPECT_EQ(layout->IndexOf(CoordinateText(**element)), offset);
    }
    EXPECT_EQ(elements, sizes.elements);
    EXPECT_DOUBLE_EQ(layout->Waste(), static_cast<double>(sizes.padded_elements - elements) /
                                          static_cast<double>(sizes.padded_elements));
    EXPECT_FALSE(layout->ElementAt(sizes.first_offset - 1).has_value());
    EXPECT_FALSE(layout->ElementAt(sizes.first_offset + sizes.padded_elements).has_value());
  }
}

TEST(Notation, CanonicalTextReadsBack) {
  for (const char* text : kLayouts) {
    const auto layout = ReadValid(text);
    ASSERT_NE(layout, nullptr);
    const auto again = ReadValid(layout->Text());
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->Text(), layout->Text());
    EXPECT_EQ(again->Sizes().padded_elements, layout->Sizes().padded_elements);
  }
}

TEST(Notation, BytesWhereThereIsAnElementType) {
  EXPECT_EQ(ReadValid("zN:f16[20,40]")->Sizes().bytes, 3072);
  EXPECT_EQ(ReadValid("f32[2,3]{0,1}pad[3,5]=0")->Sizes().bytes, 60);
  EXPECT_EQ(ReadValid("s4[5]{0:T(2)L(8)E(4)}")->Sizes().bytes, 4);
  EXPECT_EQ(ReadValid("(3,4):(5,1)")->Sizes().bytes, std::nullopt);
}

TEST(Notation, SharedAddresses) {
  const auto layout = ReadValid("(4,4):(1,2)");
  EXPECT_EQ(layout->Sizes().elements, 16);
  EXPECT_EQ(layout->Sizes().padded_elements, 10);
  EXPECT_EQ(layout->Waste(), 0);
  EXPECT_TRUE(layout->Boxes()->shared);
}

// Damaged texts are rejected, or read as layouts that answer questions and can be drawn.
TEST(Notation, DamagedTexts) {
  constexpr unsigned kSeed = 17;
  std::mt19937 random(kSeed);
  const auto below = [&random](size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random); };
  constexpr std::string_view kAlphabet = "0123456789,:()[]{}*-_?<= TLESMCpadzNf\n@";
  int64_t accepted = 0;
  int64_t rejected = 0;
  for (int k = 0; k < 60000; ++k) {
    std::string text = kLayouts[below(std::size(kLayouts))];
    for (size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const size_t at = below(text.size());
      switch (below(4)) {
        case 0: text.erase(at, 1); break;
        case 1: text[at] = kAlphabet[below(kAlphabet.size())]; break;
        case 2: text.insert(at, 1, kAlphabet[below(kAlphabet.size())]); break;
        default: {
          const size_t from = below(text.size());
          text.insert(at, text.substr(from, below(6)));
        }
      }
    }
    const auto layout = ReadLayout(text);
    if (!layout) {
      ++rejected;
      EXPECT_FALSE(layout.error().message.empty()) << text;
      EXPECT_LE(layout.error().column, static_cast<int64_t>(text.size()) + 1) << text;
      continue;
    }
    ++accepted;
    const AllocationSizes sizes = (*layout)->Sizes();
    EXPECT_GE(sizes.padded_elements, 0) << text;
    if (sizes.padded_elements == 0) continue;
    const auto last = (*layout)->ElementAt(sizes.first_offset + (sizes.padded_elements - 1));
    if (last && *last) {
      EXPECT_EQ((*layout)->IndexOf(CoordinateText(**last)), sizes.first_offset + (sizes.padded_elements - 1)) << text;
    }
    if (const auto boxes = (*layout)->Boxes()) {
      EXPECT_FALSE(DrawText(*boxes, {}).empty()) << text;
    }
  }
  std::printf("%lld texts accepted, %lld rejected, seed %u\n", static_cast<long long>(accepted),
              static_cast<long long>(rejected), kSeed);
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace layoutcheck
