// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/local_offsets.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

// Returns "proved", "unknown: why", "refuted: N=2 i0=1" or the error.
std::string LocalOffsets(std::string_view text, const std::vector<std::string>& assumptions = {}) {
  const auto results = ProveSharding(text, {"local-offsets"}, assumptions);
  if (!results) return results.error().ToString();
  const ProofResult& result = results->front();
  if (result.verdict == ProofVerdict::kProved) return "proved";
  if (result.verdict == ProofVerdict::kUnknown) return "unknown: " + result.reason;
  std::string out = "refuted:";
  for (const auto& [name, value] : result.counterexample) StrAppend(out, " ", name, "=", value);
  return out;
}

TEST(LocalOffsets, OfNumbers) {
  EXPECT_EQ(LocalOffsets("f32[16,512] mesh[x=2] P(\"x\") local=(8,512):(520,1)"), "proved");
  EXPECT_EQ(LocalOffsets("f32[16,8] mesh[2] S(0) local=Sw<2,0,3> o 0 o (8,8):(8,1)"), "proved");
  EXPECT_EQ(LocalOffsets("f32[8,4] mesh[2] S(0) local=ll{y:[1,4],x:[2,8]} -> [16]"), "proved");
  EXPECT_EQ(LocalOffsets("f32[16,8] mesh[2] S(0) local=(8,8):(7,1)"), "refuted: i0=1 i1=0 j0=0 j1=7 offset=7");
  EXPECT_EQ(LocalOffsets("f32[4,2] mesh[2] R local=(4,2):(1,0)"), "refuted: i0=0 i1=1 j0=0 j1=0 offset=0");
}

// Coordinates beyond the array may share an offset with an element: they are padding.
TEST(LocalOffsets, OnlyElementsCount) {
  EXPECT_EQ(LocalOffsets("f32[16,8] mesh[2] S(0) local=(8,16):(8,1)"), "proved");
  EXPECT_EQ(LocalOffsets("f32[16,9] mesh[2] S(0) local=(8,16):(8,1)"), "refuted: i0=1 i1=0 j0=0 j1=8 offset=8");
}

TEST(LocalOffsets, OfNames) {
  EXPECT_EQ(LocalOffsets("f32[M,N] mesh[2] S(0) local=(M ceildiv 2,N):(N+8,1)"), "proved");
  EXPECT_EQ(LocalOffsets("f32[M,N] mesh[x=X] P(\"x\") local=(M ceildiv X,N):(N,1)"), "proved");
  EXPECT_EQ(LocalOffsets("f32[M,N] mesh[2] S(0) local=(8,128):(136,1)"), "proved");
  const std::string_view pitch = "f32[M,N] mesh[2] S(0) local=(M ceildiv 2,N):(P,1)";
  EXPECT_EQ(LocalOffsets(pitch, {"N <= P"}), "proved");
  EXPECT_EQ(LocalOffsets(pitch).substr(0, 8), "refuted:");
}

TEST(LocalOffsets, TheArrayFits) {
  EXPECT_EQ(*ShardingConditions("f32[M,N] mesh[x=X] P(\"x\") local=(8,128):(136,1)"),
            (std::vector<std::string>{"M <= 8*X", "N <= 128"}));
  // A size that is written as that of the largest part fits.
  EXPECT_EQ(*ShardingConditions("f32[M,12] mesh[2] S(0) local=(M ceildiv 2,12):(12,1)"), std::vector<std::string>());
  EXPECT_EQ(*ShardingConditions("f32[M,N] mesh[2] S(0) local=(M,2*N):(2*N,1)"),
            (std::vector<std::string>{"M <= M*2", "N <= 2 * N"}));
}

TEST(LocalOffsets, ErrorsNameTheColumn) {
  EXPECT_EQ(LocalOffsets("f32[40,N] mesh[2] S(0) local=(8,128):(136,1)"),
            "column 30: expected room for dimension 0 of the array of a device, but 40 <= 8*2 does not hold");
  EXPECT_EQ(LocalOffsets("f32[16,8] mesh[2] S(0) local=(4,8):(8,1)").substr(0, 10), "column 30:");
  EXPECT_EQ(LocalOffsets("f32[M,N] mesh[2] S(0) local=(M,N,1):(N,1,1)"),
            "column 29: expected a local layout with one mode per dimension of the array, which has 2, found 3");
  EXPECT_EQ(LocalOffsets("f32[M,N] mesh[2] S(0) local=(M,N):(N,").substr(0, 10), "column 38:");
  EXPECT_EQ(LocalOffsets("f32[M,N]{1,0} mesh[2] S(0) local=(M,N):(N,1)").substr(0, 9), "column 9:");
}

// The other laws are about devices and coordinates; a view and a formula are about offsets, too.
TEST(LocalOffsets, OffsetsAreThoseOfTheLocalLayout) {
  const std::string array = "f32[M,N] mesh[2] S(0) local=(8,128):(136,1)";
  const auto prove = [&](const std::string& text, const std::string& formula) {
    const auto results = ProvePlaceFormula(text, "device == i0 / (M ceildiv 2), " + formula);
    return results ? results->back().verdict : ProofVerdict::kUnknown;
  };
  EXPECT_EQ(prove(array, "i0 % (M ceildiv 2) * 136 + i1"), ProofVerdict::kProved);
  EXPECT_EQ(prove(array, "i0 % (M ceildiv 2) * N + i1"), ProofVerdict::kRefuted);
  const std::string named = "f32[M,N] mesh[2] S(0) local=(M ceildiv 2,N):(N+P,1)";
  EXPECT_EQ(prove(named, "i0 % (M ceildiv 2) * (N + P) + i1"), ProofVerdict::kProved);
  EXPECT_EQ(prove(named, "i0 % (M ceildiv 2) * N + i1"), ProofVerdict::kRefuted);
  for (const std::string local : {"ll{row:[5,10],col:[1,2]} -> [16]", "Sw<2,0,2> o 0 o (4,4):(4,1)"}) {
    const std::string swizzled = "f32[M,4] mesh[2] S(0) local=" + local;
    EXPECT_EQ(prove(swizzled, "i0 % (M ceildiv 2) * 4 + (i1 ^ i0 % (M ceildiv 2))"), ProofVerdict::kProved) << local;
    EXPECT_EQ(prove(swizzled, "i0 % (M ceildiv 2) * 4 + i1"), ProofVerdict::kRefuted) << local;
  }
  EXPECT_EQ(ProveReshard("f32[8,4] mesh[2] S(0) local=(4,4):(1,4)", "f32[32] mesh[2] S(0)").error().message,
            "expected row-major arrays of devices for a view, found local=(4,4):(1,4)");
  const auto reshard = ProveReshard(array, "f32[M,N] mesh[x=2] P(\"x\")");
  EXPECT_EQ(reshard->verdict, ProofVerdict::kProved);
}

}  // namespace
}  // namespace layoutcheck
