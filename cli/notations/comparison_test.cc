// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/comparison.h"
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include "layoutcheck/cli/testing/picture_text.h"
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Returns the relation and what goes with it as one text, or the error.
std::string Compared(std::string_view a, std::string_view b, const std::optional<Integers>& transpose = std::nullopt) {
  const auto layout_a = ReadValid(a);
  const auto layout_b = ReadValid(b);
  if (layout_a == nullptr || layout_b == nullptr) return "unreadable";
  const auto comparison = Compare(*layout_a, *layout_b, transpose);
  if (!comparison) return comparison.error().ToString();
  std::string text(RelationName(comparison->relation));
  if (!comparison->reason.empty()) StrAppend(text, ": ", comparison->reason);
  if (const auto& moved = comparison->moved) {
    StrAppend(text, "; (", StrJoin(moved->a, ","), ") at ", layout_a->Index(moved->a), " to (", StrJoin(moved->b, ","),
              ") at ", layout_b->Index(moved->b));
  }
  if (const auto& slice = comparison->slice) {
    StrAppend(text, "; ", slice->of_a ? "B of A" : "A of B", " at (", StrJoin(slice->start, ","), ")");
  }
  return text;
}

TEST(Compare, ArraysOfXla) {
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[2,3]"), "identical");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[2,3]{1,0:T(1)}"), "identical");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[6]{0}"), "bitcast");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "s32[2,3]{1,0}"), "bitcast");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[2,3]{0,1}"), "permuted; (0,1) at 1 to (0,1) at 2");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[3,2]{0,1}"), "permuted; (0,1) at 1 to (0,1) at 3");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[3,2]{0,1}", Integers{1, 0}), "bitcast");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[3,2]{1,0}", Integers{1, 0}), "permuted; (1,0) at 3 to (0,1) at 1");
  EXPECT_EQ(Compared("f32[3,5]{1,0}", "f32[3,5]{1,0:T(2,2)}"),
            "different size: 60 and 96 bytes allocated; (0,2) at 2 to (0,2) at 4");
  EXPECT_EQ(Compared("f32[4]{0}", "bf16[4]{0}"), "different size: 32 and 16 bits per element");
  EXPECT_EQ(Compared("f32[4]{0}", "f32[4]{0:S(1)}"), "different memory: memory spaces 0 and 1");
  EXPECT_EQ(Compared("f32[4]{0}", "f32[4]{0:M(8)}"), "different memory: 0 and 8 bytes of metadata");
  EXPECT_EQ(Compared("f32[0,4]{1,0}", "f32[0]{0}"), "bitcast");
}

TEST(Compare, BigArraysAreComparedWithoutTheirElements) {
  EXPECT_EQ(Compared("f32[1000000,1000000]{1,0:T(8,128)}", "f32[1000000,1000000]{1,0:T(8,128)(1)}"), "identical");
  EXPECT_EQ(Compared("s8[4294967296,8]{1,0:T(8)}", "s8[34359738368]{0}"), "bitcast");
  EXPECT_EQ(Compared("s8[8589934592]{0:T(4)(2)}", "s8[8589934592]{0}"), "identical");
  EXPECT_EQ(Compared("s8[4,4294967296]{1,0}", "s8[2,2,4294967296]{2,0,1}"),
            "permuted; (1,0) at 4294967296 to (0,1,0) at 8589934592");
  EXPECT_EQ(Compared("(1000000,1000000):(1,1000000)", "1000000000000:1"), "bitcast");
}

TEST(Compare, OtherNotations) {
  EXPECT_EQ(Compared("zN:f16[20,40]", "((16,2),(16,3)):((16,256),(1,512))"),
            "different size: 800 and 1536 elements; A of B at (0,0)");
  EXPECT_EQ(Compared("zN:f16[32,48]", "((16,2),(16,3)):((16,256),(1,512))"), "identical");
  EXPECT_EQ(Compared("zN:f16[20,40]", "zN:f16[20,40]"), "identical");
  EXPECT_EQ(Compared("zN:f16[32,32]", "zZ:f16[32,32]"), "permuted; (0,16) at 512 to (0,16) at 256");
  EXPECT_EQ(Compared("f32[2,3]{0,1}pad[3,5]=0", "f32[2,3]{0,1:T(5,3)}"), "identical");
  // Two shape:stride layouts correspond colexicographically, an array and a layout by row-major number.
  EXPECT_EQ(Compared("(2,3):(1,2)", "6:1"), "bitcast");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "6:1"), "bitcast");
  EXPECT_EQ(Compared("(2,3):(3,1)", "6:1"), "permuted; (1,0) at 3 to (1) at 1");
  EXPECT_EQ(Compared("Sw<2,0,3> o 0 o (8,8):(8,1)", "Sw<2,0,3> o 0 o (8,8):(8,1)"), "identical");
  EXPECT_EQ(Compared("Sw<2,0,3> o 0 o (8,8):(8,1)", "(8,8):(8,1)"), "permuted; (1,0) at 9 to (1,0) at 8");
  EXPECT_EQ(Compared("(2,2):(1,0)", "(2,2):(1,0)"), "identical");
}

TEST(Compare, Slices) {
  EXPECT_EQ(Compared("f32[8,4]{1,0}", "f32[3,4]{1,0}"), "different size: 32 and 12 elements; B of A at (0,0)");
  EXPECT_EQ(Compared("f32[3,4]{1,0}", "f32[8,4]{1,0}"), "different size: 12 and 32 elements; A of B at (0,0)");
  EXPECT_EQ(Compared("f32[8,4]{1,0}", "f32[8,3]{1,0}"), "different size: 32 and 24 elements");
  EXPECT_EQ(Compared("(8,8):(8,1)", "(3,4):(8,1)"), "different size: 64 and 12 elements; B of A at (0,0)");
  EXPECT_EQ(Compared("(8,8):(8,1)", "18 o (3,4):(8,1)"), "different size: 64 and 12 elements; B of A at (2,2)");
  EXPECT_EQ(Compared("(8,8):(8,1)", "22 o (3,4):(8,1)"), "different size: 64 and 12 elements");
  EXPECT_EQ(Compared("(1000000,1000000):(1000000,1)", "(3000,400000):(1000000,1)"),
            "different size: 1000000000000 and 1200000000 elements; B of A at (0,0)");
}

TEST(Compare, RefusesATransposeThatDoesNotFit) {
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[2,3]{1,0}", Integers{1, 0}),
            "dimension 0 of B has 2 elements: expected 3, as dimension 1 of A");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[6]{0}", Integers{1, 0}),
            "A has 2 dimensions and B has 1: expected equally many");
  EXPECT_EQ(Compared("f32[2,3]{1,0}", "f32[3,2]{1,0}", Integers{1, 1}), "the permutation {1,1} contains 1 twice");
}

TEST(Compare, UndecidedIsAnError) {
  const auto padded = ReadValid("s8[3003,5,3005,5]{3,2,1,0:T(2,2)(*,*,2,2)(*,*,3)}");
  const auto same = Compare(*padded, *padded, std::nullopt);
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().kind, ErrorKind::kUnsupported);
}

TEST(Compare, Contiguity) {
  EXPECT_EQ(IsContiguous(*ReadValid("f32[2,3]{0,1}")), true);
  EXPECT_EQ(IsContiguous(*ReadValid("f32[3,5]{1,0:T(2,2)}")), false);
  EXPECT_EQ(IsContiguous(*ReadValid("(2,3):(-1,2)")), true);
  EXPECT_EQ(IsContiguous(*ReadValid("(2,3):(1,1)")), false);
  EXPECT_EQ(IsContiguous(*ReadValid("(2,2):(1,0)")), false);
  EXPECT_EQ(IsContiguous(*ReadValid("Sw<2,0,3> o 0 o (8,8):(8,1)")), true);
  EXPECT_EQ(IsContiguous(*ReadValid("(5000000,3):(-1,5000000)")), std::nullopt);
}

// Returns the first element of A, counted in row-major order of B, that moves, by looking at each.
std::optional<Integers> FirstMoved(const AnyLayout& a, const AnyLayout& b, const Integers& transpose) {
  std::optional<Integers> moved;
  ForEachIndex(b.Dimensions(), [&](std::span<const int64_t> index) {
    Integers at(index.size());
    for (size_t k = 0; k < at.size(); ++k) at[static_cast<size_t>(transpose[k])] = index[k];
    if (a.Index(at) != b.Index(index)) moved = at;
    return !moved;
  });
  return moved;
}

TEST(Compare, FindsTheFirstElementThatMoves) {
  const std::vector<std::string> tilings = {"", ":T(2)", ":T(2,3)", ":T(4,2)(2,1)", ":T(2,4)(2,2)", ":T(*,4)"};
  const std::vector<std::string> orders = {"2,1,0", "0,1,2", "1,2,0"};
  int moved_late = 0;
  for (const std::string& tiling_a : tilings) {
    for (const std::string& tiling_b : tilings) {
      for (const std::string& order : orders) {
        const auto a = ReadValid("f32[4,6,8]{2,1,0" + tiling_a + "}");
        const auto b = ReadValid("f32[6,8,4]{" + order + tiling_b + "}");
        const Integers transpose = {1, 2, 0};
        const auto comparison = Compare(*a, *b, transpose);
        ASSERT_TRUE(comparison) << a->Text() << " " << b->Text() << ": " << comparison.error().ToString();
        const auto expected = FirstMoved(*a, *b, transpose);
        ASSERT_EQ(comparison->moved.has_value(), expected.has_value()) << a->Text() << " " << b->Text();
        if (!expected) continue;
        EXPECT_EQ(comparison->moved->a, *expected) << a->Text() << " " << b->Text();
        if (a->Index(*expected) > 4) ++moved_late;
      }
    }
  }
  EXPECT_GT(moved_late, 3);
}

}  // namespace
}  // namespace layoutcheck
