// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

// Returns "proved", "unknown: why" or "refuted: M=2 i0=1".
std::string VerdictText(const ProofResult& result) {
  if (result.verdict == ProofVerdict::kProved) return "proved";
  if (result.verdict == ProofVerdict::kUnknown) return "unknown: " + result.reason;
  std::string text = "refuted:";
  for (const auto& [name, value] : result.counterexample) StrAppend(text, " ", name, "=", value);
  return text;
}

// Returns the verdicts on both formulas.
std::string Place(std::string_view text, std::string_view formula, const std::vector<std::string>& assumptions = {}) {
  const auto results = ProvePlaceFormula(text, formula, assumptions);
  if (!results) return results.error().ToString();
  std::string verdicts;
  for (const ProofResult& result : *results) StrAppend(verdicts, verdicts.empty() ? "" : "; ", VerdictText(result));
  return verdicts;
}

TEST(PlaceFormula, TheDeviceOfAnElement) {
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)", "device == i0 / ((N + T - 1) / T)"), "proved");
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)", "device == i0 / (N / T)", {"N mod T == 0"}), "proved");
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)", "i0 % T == device"), "refuted: N=3 T=2 i0=1 expected=0 actual=1");
  // The last axis of a mesh counts fastest.
  const std::string_view mesh = "f32[M,N] mesh[D,T] S(1),S(0)";
  EXPECT_EQ(Place(mesh, "device == i1 / (N ceildiv D) * T + i0 / (M ceildiv T)"), "proved");
  EXPECT_EQ(Place(mesh, "device == i1 / (N ceildiv D) + i0 / (M ceildiv T) * D"),
            "refuted: M=1 N=2 D=2 T=2 i0=0 i1=1 expected=2 actual=1");
}

TEST(PlaceFormula, TheDevicesOfAnElement) {
  EXPECT_EQ(Place("f32[N] mesh[D,T] R,S(0)", "device % T == i0 / ((N + T - 1) / T)"), "proved");
  EXPECT_EQ(Place("f32[N] mesh[D,T] R,S(0)", "device / D == i0 / ((N + T - 1) / T)"),
            "refuted: N=1 D=2 T=2 i0=0 device=1");
  EXPECT_EQ(Place("f32[N] mesh[T] R", "1"), "proved");
  const std::string_view major = "f32[M] #sdy.sharding<mesh<[\"x\"=X]>, [{\"x\":(1)2}]>";
  EXPECT_EQ(Place(major, "device / (X / 2) == i0 / (M ceildiv 2)"), "proved");
  EXPECT_EQ(Place(major, "device % 2 == i0 / (M ceildiv 2)"), "refuted: M=1 X=4 i0=0 device=1");
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)", "device * (N ceildiv T) <= i0 && i0 < (device + 1) * (N ceildiv T)"),
            "proved");
}

TEST(PlaceFormula, TheOffsetFollowsTheDevice) {
  EXPECT_EQ(Place("f32[N,K] mesh[T] S(0)", "device == i0 / (N ceildiv T), (i0 - device * (N ceildiv T)) * K + i1"),
            "proved; proved");
  EXPECT_EQ(Place("f32[N] mesh[2] S(0)", "device == i0 / (N ceildiv 2), i0 - device"),
            "proved; refuted: N=3 i0=2 expected=0 actual=1");
  EXPECT_EQ(Place("f32[N] mesh[2] S(0)", "device == i0 % 2, 0").substr(0, 40),
            "refuted: N=3 i0=1 expected=0 actual=1; u");
}

TEST(PlaceFormula, TheOffsetWithinTheRangeOfADevice) {
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)",
                  "device * (N ceildiv T) <= i0 && i0 < (device + 1) * (N ceildiv T), i0 - device * (N ceildiv T)"),
            "proved; proved");
}

TEST(PlaceFormula, TheOffsetInTiles) {
  const std::string_view device = "device == i0 / (M ceildiv 2), ";
  EXPECT_EQ(Place("f32[M,128]{1,0:T(8,128)} mesh[2] S(0)", StrCat(device, "i0 % (M ceildiv 2) * 128 + i1")),
            "proved; proved");
  EXPECT_EQ(Place("f32[M,256]{1,0:T(8,128)} mesh[2] S(0)", StrCat(device, "i0 % (M ceildiv 2) * 256 + i1")),
            "proved; refuted: M=1 i0=0 i1=128 expected=1024 actual=128");
}

TEST(PlaceFormula, DevicesInAnotherOrder) {
  const std::string_view transposed = "f32[M,N] sharding={devices=[2,2]<=[2,2]T(1,0)}";
  EXPECT_EQ(Place(transposed, "device == i1 / (N ceildiv 2) * 2 + i0 / (M ceildiv 2)"), "proved");
  EXPECT_EQ(Place(transposed, "device == i0 / (M ceildiv 2) * 2 + i1 / (N ceildiv 2)"),
            "refuted: M=1 N=2 i0=0 i1=1 expected=2 actual=1");
  const std::string_view listed = "f32[N] sharding={devices=[2]5,2}";
  EXPECT_EQ(Place(listed, "device == (i0 < N ceildiv 2 ? 5 : 2), i0 % (N ceildiv 2)"), "proved; proved");
  EXPECT_EQ(Place(listed, "device == (i0 < N ceildiv 2 ? 2 : 5)"), "refuted: N=1 i0=0 expected=5 actual=2");
  // Device 0 holds nothing.
  EXPECT_EQ(Place(listed, "(device == 5) == (i0 < N ceildiv 2)"), "refuted: N=2 i0=1 device=0");
  EXPECT_EQ(Place("f32[N] sharding={devices=[2,2]0,2,1,3 last_tile_dim_replicate}", "device % 2 == i0 / (N ceildiv 2)"),
            "proved");
  EXPECT_EQ(Place("f32[N] sharding={maximal device=3}", "device == 3"), "proved");
}

TEST(PlaceFormula, Errors) {
  EXPECT_EQ(Place("f32[N] mesh[T] S(0)", "device == j"), "--formula: expected a name of the layout, found 'j'");
  EXPECT_EQ(
      Place("f32[N] mesh[T] S(0)", "device =="),
      "--formula: column 10: expected an operand (a number, a name, '(', '-', '~', '!', '[', min, max or a cast), "
      "found end of text");
  EXPECT_EQ(Place("f32[N] mesh[device] S(0)", "1"),
            "f32[N] mesh[device] S(0): the name 'device' is kept for the number of a device: use another");
  EXPECT_EQ(Place("f32[N] sharding={devices=[66]<=[2,33]T(1,0)}", "1"),
            "f32[N] sharding={devices=[66]<=[2,33]T(1,0)}: expected devices that count 0, 1, 2, ... along the axes of "
            "a mesh, or at most 64 devices in another order");
  EXPECT_TRUE(Place("f32[N] mesh[T] S(0)", "1,2,3").ends_with("found 3 formulas"));
}

}  // namespace
}  // namespace layoutcheck
