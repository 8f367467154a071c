// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/view_formula.h"
#include <gtest/gtest.h>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/hlo/shape_parser.h"
#include "layoutcheck/core/shape_stride/view.h"

namespace layoutcheck {
namespace {

// Returns "proved", or "refuted" with the condition that was found.
std::string VerdictOn(const std::string& text, const std::vector<std::string>& assumptions = {}) {
  const Expected<ViewProof> proof = ProveStridedForm(text, assumptions);
  if (!proof) return proof.error().ToString();
  const std::string verdict = ProofVerdictName(proof->result.verdict);
  return proof->right_while.empty() ? verdict : StrCat(verdict, "; right while ", proof->right_while);
}

TEST(ViewFormula, FindsTheConditionOnTheOrigin) {
  // The rows of zN are affine: only a view that begins inside of a block of columns has other strides.
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:e,_]"), "proved");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:,c:]"), "refuted; right while c % 16 == 0");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:,c:]", {"c % 16 == 0"}), "proved");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[_,16*c:16*c+16]"), "proved");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[_,c:f]"), "refuted; right while c % 16 == 0 || c % 16 + f - c <= 16");
  EXPECT_EQ(VerdictOn("f32[M,N]{1,0:T(8,128)}@[b:,c:]"), "refuted; right while b % 8 == 0 && c % 128 == 0");
  EXPECT_EQ(VerdictOn("f32[M,N]{1,0:T(8,128)}@[b,128*c:]"), "proved");
  EXPECT_EQ(VerdictOn("f32[M,N]{1,0:T(P,Q)}@[P*b:,_]"), "proved");
  EXPECT_EQ(VerdictOn("f32[M,N]{1,0}@[b:e,c:f]"), "proved");
  EXPECT_EQ(VerdictOn("((4,M),N):((1,4*N),4)@[b:,_]"), "refuted; right while b % 4 == 0");
}

TEST(ViewFormula, TileSizesAreAtLeast1) {
  const Expected<ViewProof> proof = ProveStridedForm("f32[M,N]{1,0:T(P,Q)}@[P*b:,_]", {});
  ASSERT_TRUE(proof.has_value());
  EXPECT_EQ(ForAllText(proof->result.for_all, proof->result.ranges),
            "for all M, N, b >= 0, all P, Q >= 1 and every index");
}

TEST(ViewFormula, ErrorsNameThePlace) {
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:e]"), "column 12: a view of 1 ranges: expected 2, one per dimension");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:e,i0:]"), "column 18: expected another name: i0 is an index or a dimension");
  EXPECT_EQ(VerdictOn("zN:f16[M,N]@[b:,_]@[1:,_]"), "column 12: expected a view of a layout, found a view of a view");
  for (const char* text : {"zN:f16[M,N]@[b:e", "zN:f16[M,N]@[b:e,c:f]x", "zN:f16[M,N]@[b:e:1,_]", "zN:f16[M]@[",
                           "zN:f16[M,N]@[(b:e,_]", "@[1:]", "zN:f16[M,N]@[,_]", "(M,N):(N,1)@[b?]"}) {
    EXPECT_FALSE(ProveStridedForm(text, {}).has_value()) << text;
  }
}

TEST(ViewFormula, ItsCertificateNamesTheView) {
  const auto proof = ProveStridedForm("(M,N):(N,1)@[a:b,c:d]", {}, {.certificates = true});
  ASSERT_TRUE(proof.has_value());
  EXPECT_TRUE(proof->result.certificate.contains("\nsource (M,N):(N,1)@[a:b,c:d]\n")) << proof->result.certificate;
}

// The verdict on a view of numbers is that of StridedViewOf, which decides it from the strides.
TEST(ViewFormula, AgreesWithTheStridedForm) {
  std::mt19937_64 random(20261124);
  const auto below = [&](int64_t bound) { return static_cast<int64_t>(random() % static_cast<uint64_t>(bound)); };
  size_t wrong = 0;
  size_t views = 0;
  for (int round = 0; round < 100; ++round) {
    const std::string whole = StrCat("f32[", 1 + below(20), ",", 1 + below(20), "]{", round % 2 == 0 ? "1,0" : "0,1",
                                     ":T(", 1 + below(4), ",", 1 + below(4), ")}");
    const int64_t b = below(6);
    const int64_t c = below(6);
    const std::string text = StrCat(whole, "@[", b, ":", b + 1 + below(9), ",", c, ":", c + 1 + below(9), "]");
    const Expected<Shape> shape = ParseShape(whole);
    ASSERT_TRUE(shape.has_value()) << whole;
    const Expected<View> view = ParseView(text, FindView(text), shape->dimensions);
    ASSERT_TRUE(view.has_value()) << text;
    if (IsEmpty(*view)) continue;
    const Expected<ShapeStrideLayout> strides = ShapeStrideOfHlo(*shape);
    if (!strides) continue;
    const Expected<StridedView> strided = StridedViewOf({std::nullopt, 0, *strides}, *view);
    ASSERT_TRUE(strided.has_value()) << text;
    EXPECT_EQ(VerdictOn(text), strided->is_right() ? "proved" : "refuted") << text;
    ++views;
    if (!strided->is_right()) ++wrong;
  }
  EXPECT_GT(views, 40U);
  EXPECT_GT(wrong, 5U);
}

}  // namespace
}  // namespace layoutcheck
