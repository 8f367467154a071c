// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include <map>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"

namespace layoutcheck {
namespace {

std::map<std::string, ProofResult> ProveStrided(const std::string& text) {
  const auto results = ProveStridedLayout(text, {});
  EXPECT_TRUE(results.has_value()) << text << ": " << (results ? "" : results.error().ToString());
  std::map<std::string, ProofResult> by_law;
  if (results) {
    for (const ProofResult& result : *results) by_law[result.law] = result;
  }
  return by_law;
}

int64_t At(const ProofResult& result, const std::string& name) {
  for (const auto& [key, value] : result.counterexample) {
    if (key == name) return value;
  }
  ADD_FAILURE() << result.law << ": no " << name;
  return 0;
}

// Compares the verdicts and witnesses for every layout of three integers in a scope with sets of offsets.
TEST(StridedLaws, AreWhatEnumerationSays) {
  int64_t layouts = 0;
  int64_t refuted = 0;
  ForEachTuple(3, {1, 2, 3}, [&](const std::vector<int64_t>& s) {
    ForEachTuple(3, {-2, 0, 1, 2, 3, 6, 7}, [&](const std::vector<int64_t>& d) {
      const std::string text = StrCat("((", s[0], ",", s[1], "),", s[2], "):((", d[0], ",", d[1], "),", d[2], ")");
      const ShapeStrideLayout layout = *ParseShapeStrideLayout(text);
      const int64_t size = *Size(layout);
      std::map<int64_t, int64_t> first;  // first coordinate by offset
      int64_t collision = -1;
      int64_t negative = -1;
      for (int64_t i = 0; i < size; ++i) {
        const int64_t offset = *Crd2Idx(i, layout);
        if (offset < 0 && negative < 0) negative = i;
        if (!first.try_emplace(offset, i).second && collision < 0) collision = i;
      }
      const int64_t span = first.rbegin()->first - first.begin()->first + 1;
      const bool onto = span == static_cast<int64_t>(first.size());
      const auto results = ProveStrided(text);
      const auto verdict = [&](const char* law, bool holds) {
        ASSERT_EQ(results.at(law).verdict, holds ? ProofVerdict::kProved : ProofVerdict::kRefuted)
            << text << " " << law;
        refuted += !holds;
      };
      verdict("injective", collision < 0);
      verdict("inverse", collision < 0);
      verdict("in-bounds", negative < 0);
      verdict("onto", onto);
      const int64_t rows = s[0] * s[1];
      if (collision >= 0) {
        const ProofResult& witness = results.at("injective");
        ASSERT_EQ(At(witness, "i0") + rows * At(witness, "i1"), collision) << text;
        ASSERT_EQ(At(witness, "j0") + rows * At(witness, "j1"), first.at(At(witness, "offset"))) << text;
      }
      if (negative >= 0) {
        ASSERT_EQ(At(results.at("in-bounds"), "i0") + rows * At(results.at("in-bounds"), "i1"), negative);
      }
      if (!onto) {
        int64_t missing = first.begin()->first;
        while (first.contains(missing)) ++missing;
        ASSERT_EQ(At(results.at("onto"), "offset"), missing) << text;
      }
      ++layouts;
    });
  });
  std::printf("%lld layouts, 4 laws, %lld refuted, 0 differences\n", static_cast<long long>(layouts),
              static_cast<long long>(refuted));
}

// For layouts that are too large to enumerate, the strides decide, and the witness is one.
TEST(StridedLaws, LargeLayouts) {
  for (const auto& [law, result] : ProveStrided("((16,65536),(16,65536)):((16,256),(1,16777216))")) {
    EXPECT_EQ(result.verdict, ProofVerdict::kProved) << law << " " << result.reason;
  }
  auto results = ProveStrided("(65536,65536):(65537,1)");
  EXPECT_EQ(results["injective"].method, "dominating-strides");
  EXPECT_EQ(At(results["onto"], "offset"), 65536);
  results = ProveStrided("(65536,65536):(6,4)");
  EXPECT_EQ(results["injective"].verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(At(results["injective"], "i0") * 6 + At(results["injective"], "i1") * 4,
            At(results["injective"], "j0") * 6 + At(results["injective"], "j1") * 4);
  EXPECT_EQ(At(results["onto"], "offset"), 1);
  results = ProveStrided("(65536,65536):(-6,4)");
  EXPECT_EQ(results["injective"].verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(At(results["injective"], "i0") * 6, At(results["injective"], "i1") * 4);
  EXPECT_EQ(At(results["in-bounds"], "actual"), -6);
  results = ProveStrided("(1000,1000,1000):(1001,1003,1007)");
  EXPECT_EQ(results["injective"].verdict, ProofVerdict::kUnknown);
  EXPECT_FALSE(results["injective"].reason.empty());
  EXPECT_EQ(results["onto"].verdict, ProofVerdict::kRefuted);
}

TEST(StridedLaws, ComposedLayouts) {
  auto results = ProveStrided("Sw<2,0,3> o 0 o (8,8):(8,1)");
  for (const auto& [law, result] : results) EXPECT_EQ(result.verdict, ProofVerdict::kProved) << law;
  // The offsets are 0, 1, 3, because the swizzle moves 2 to 3.
  results = ProveStrided("Sw<1,0,1> o 0 o 3:1");
  EXPECT_EQ(results["injective"].verdict, ProofVerdict::kProved);
  EXPECT_EQ(At(results["onto"], "offset"), 2);
  results = ProveStrided("-3 o 5:1");
  EXPECT_EQ(At(results["in-bounds"], "actual"), -3);
  EXPECT_EQ(results["onto"].verdict, ProofVerdict::kProved);
  results = ProveStrided("2 o (2,4):(1,-1)");
  EXPECT_EQ(At(results["in-bounds"], "i0"), 0);
  EXPECT_EQ(At(results["in-bounds"], "i1"), 3);
}

TEST(StridedLaws, Errors) {
  EXPECT_FALSE(ProveStridedLayout("(4,2):(1)", {}).has_value());
  EXPECT_FALSE(ProveStridedLayout("(4,2):(1,4)", {"onto-padded-box"}).has_value());
  EXPECT_FALSE(ProveStridedLayout("(4,2):(1,9223372036854775807)", {}).has_value());
  EXPECT_FALSE(ProveStridedLayout("Sw<1,0,1> o 0 o 3:-1", {}).has_value());
  EXPECT_EQ(ProveStridedLayout("(4,0):(1,1)", {"onto"})->at(0).verdict, ProofVerdict::kProved);
}

}  // namespace
}  // namespace layoutcheck
