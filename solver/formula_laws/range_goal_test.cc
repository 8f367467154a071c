// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include "layoutcheck/solver/formula_laws/law_goals.h"

namespace layoutcheck {
namespace {

ProofResult ProveRangeGoal(const FormulaRequest& request) {
  const Expected<ProofResult> result = ProveInRange(request, {.exports = {}, .certificates = true});
  EXPECT_TRUE(result.has_value()) << request.formula << ": " << (result ? "" : result.error().ToString());
  return result ? *result : ProofResult{};
}

TEST(RangeGoal, FormulasBelowTheirBoundAreProvedAndNoOthers) {
  const std::string tiled = "(i0 / 8 * ((N + 127) / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + i1 % 128";
  const std::string blocked =
      "(((i0 / 16 * ((C + 15) / 16) + i1 / 16) * H + i2) * W + i3) * 256 + i0 % 16 * 16 + i1 % 16";
  const std::string tiles_of_a_flat_index =
      "(i0 / N / 8 * ((N + 127) / 128) + i0 % N / 128) * 1024 + i0 / N % 8 / 2 * 256 + i0 % N % 128 * 2 + i0 / N % 2";
  const std::string of_four_sizes =
      "let r = i0 mod (H * T * S) in let t = r mod (T * S) floordiv S in "
      "i0 floordiv (H * T * S) * T * 3 * H * S + t * 3 * H * S + 2 * H * S + r floordiv (T * S) * S + i0 mod S";
  const std::string box = "i0 < B, i1 < C, i2 < H, i3 < W";
  for (const auto& [formula, bound, over] : std::vector<std::array<std::string, 3>>{
           {"i0", "M", "i0 < M"},
           {"i0 * N + i1", "M * N", "i0 < M, i1 < N"},
           {"((i0 * N + i1) * K + i2) * L + i3", "M * N * K * L", "i0 < M, i1 < N, i2 < K, i3 < L"},
           {tiled, "(M + 7) / 8 * ((N + 127) / 128) * 1024", "i0 < M, i1 < N"},
           {blocked, "(B + 15) / 16 * ((C + 15) / 16) * H * W * 256", box},
           {"i0 / N", "M", "i0 < M * N"},
           {"i0 / (N * 8)", "(M + 7) / 8", "i0 < M * N"},
           {tiles_of_a_flat_index, "(M + 7) / 8 * ((N + 127) / 128) * 1024", "i0 < M * N"},
           {"i0 % (T * H) / H * N * H + i0 / (T * H) * H + i0 % H", "T * N * H", "i0 < N * T * H"},
           {"i0 & 7", "8", "i0 < M"},
           {"i0 * N + i1 ^ 1", "(M + 1) / 2 * 2 * N", "i0 < M, i1 < N"},
           {"i0 * N + i1 ^ 3", "(M + 3) / 4 * 4 * N", "i0 < M, i1 < N"},
       }) {
    const ProofResult right = ProveRangeGoal({"", formula, bound, {}, {}, over});
    EXPECT_EQ(right.verdict, ProofVerdict::kProved) << formula << " < " << bound << ": " << right.reason;
    EXPECT_EQ(right.no_certificate, "") << formula << " < " << bound;
    const ProofResult wrong = ProveRangeGoal({"", formula, bound + " - 1", {}, {}, over});
    EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted) << formula << " < " << bound << " - 1";
    const ProofResult negative = ProveRangeGoal({"", "(" + formula + ") - 1", bound, {}, {}, over});
    EXPECT_EQ(negative.verdict, ProofVerdict::kRefuted) << formula << " - 1";
  }
  for (const auto& [bound, verdict] : {std::pair("3 * B * H * T * S", ProofVerdict::kProved),
                                       std::pair("3 * B * H * T * S - 1", ProofVerdict::kRefuted)}) {
    const ProofResult result = ProveRangeGoal({"", of_four_sizes, bound, {}, {}, "i0 < B * H * T * S"});
    EXPECT_EQ(result.verdict, verdict) << bound << ": " << result.reason;
    EXPECT_EQ(result.no_certificate, "") << bound;
  }
  EXPECT_EQ(ProveRangeGoal({"", tiled, "M * N", {}, {}, "i0 < M, i1 < N"}).verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(ProveRangeGoal({"", "i0 / i1", "M", {}, {}, "i0 < M, i1 < N"}).verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(ProveRangeGoal({"", "i0", "M / (i0 - 3)", {}, {}, "i0 < M"}).verdict, ProofVerdict::kRefuted);
  EXPECT_FALSE(ProveInRange({"", "i0", {}, {}, {}, "i0 < M"}).has_value());
}

}  // namespace
}  // namespace layoutcheck
