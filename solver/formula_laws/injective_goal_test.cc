// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include <map>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"

namespace layoutcheck {
namespace {

ProofResult ProveInjectiveGoal(const FormulaRequest& request) {
  const Expected<ProofResult> result = ProveInjective(request);
  EXPECT_TRUE(result.has_value()) << request.formula << ": " << (result ? "" : result.error().ToString());
  return result ? *result : ProofResult{};
}

const std::string kTiled = "(i0 / 8 * ((N + 127) / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + i1 % 128";

const std::string kScales = "(i0 / 128 * ((K + 3) / 4) + i1 / 4) * 512 + i0 % 32 * 16 + i0 % 128 / 32 * 4 + i1 % 4";

TEST(InjectiveGoal, FormulasWithDifferentValuesAreProved) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{
           {"", "i0", {}, {}, {}, "i0 < M"},
           {"", "i0 * N + i1", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i1 * M + i0", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "5 - (i0 * N + i1)", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i0 * 8 + i1", {}, {}, {}, "i0 < M, i1 < 5"},
           {"", "(i0 * N + i1) * K + i2", {}, {}, {}, "i0 < M, i1 < N, i2 < K"},
           {"", "i0 * LD + i1", {}, {"LD >= N"}, {}, "i0 < M, i1 < N"},
           {"", "i0 * (2 * N) + i1", {}, {}, {}, "i0 < M, i1 < 2 * N"},
           {"", kTiled, {}, {}, {}, "i0 < M, i1 < N"},
           {"f32[M,N]{1,0:T(8,128)}", kTiled, {}, {}},
           // The cuts of an index may come in any order: 128, 32, 128 again.
           {"", kScales, {}, {}, {}, "i0 < M, i1 < K"},
           {"", "(i0 / 8, i0 % 8)", {}, {}, {}, "i0 < M"},
           {"", "(i1, i0)", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "(i0 % 2, i1, i0 / 2)", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i0 ^ 5", {}, {}, {}, "i0 < 1000"},
           {"", "[3, 1, 2, 0][i0]", {}, {}, {}, "i0 < 4"},
       }) {
    const ProofResult result = ProveInjectiveGoal(request);
    EXPECT_EQ(result.verdict, ProofVerdict::kProved) << request.formula << ": " << result.reason;
    std::printf("%-60s %-16s %.3f s\n", request.formula.c_str(), result.method.c_str(), result.seconds);
  }
}

// Where an index counts from the other end, its weight is negative.
TEST(InjectiveGoal, ReversedFormulasHaveCertificates) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{
           {"", "i0 * N - i1", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i2 * (M * N) - i1 * M - i0", {}, {}, {}, "i0 < M, i1 < N, i2 < K"},
           {"", "i0 * (N * K) - i1 * K + i2", {}, {}, {}, "i0 < M, i1 < N, i2 < K"},
           {"", "i0 * LD - i1", {}, {"LD >= N"}, {}, "i0 < M, i1 < N"},
           {"", "M * N - 1 - (i0 * N + i1)", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "(M + 7) / 8 * 8 - 1 - (i0 % 8 * ((M + 7) / 8) + i0 / 8)", {}, {}, {}, "i0 < M"},
       }) {
    const Expected<ProofResult> result = ProveInjective(request, {.exports = {}, .certificates = true});
    ASSERT_TRUE(result.has_value()) << request.formula;
    EXPECT_EQ(result->verdict, ProofVerdict::kProved) << request.formula << ": " << result->reason;
    EXPECT_EQ(result->no_certificate, "") << request.formula;
  }
}

TEST(InjectiveGoal, FormulasWithEqualValuesAreRefutedByTwoIndices) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{
           {"", "0 * i0", {}, {}, {}, "i0 < M"},
           {"", "i0 * N + i1", {}, {}, {}, "i0 < M, i1 < N + 1"},
           {"", "i0 * M + i1", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i0 * 8 + i1", {}, {}, {}, "i0 < M, i1 < 9"},
           {"", "(i0 * N + i1) * K + i2", {}, {}, {}, "i0 < M, i1 < K, i2 < N"},
           {"", "i0 * LD + i1", {}, {"LD + 1 >= N"}, {}, "i0 < M, i1 < N"},
           {"", "(i0 / 8 * (N / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + i1 % 128", {}, {}, {}, "i0 < M, i1 < N"},
           {"f32[M,N]{1,0:T(8,128)}", "i0 * N + i1 - (i0 == 3 && i1 == 2)", {}, {}},
           {"",
            "(i0 / 128 * (K / 4) + i1 / 4) * 512 + i0 % 32 * 16 + i0 % 128 / 32 * 4 + i1 % 4",
            {},
            {},
            {},
            "i0 < M, i1 < K"},
           {"",
            "(i0 / 128 * ((K + 3) / 4) + i1 / 4) * 512 + i0 % 32 * 8 + i0 % 128 / 32 * 4 + i1 % 4",
            {},
            {},
            {},
            "i0 < M, i1 < K"},
           {"", "(i0 / 8, i0 % 7)", {}, {}, {}, "i0 < M"},
           {"", "(i0 % 2, i1)", {}, {}, {}, "i0 < M, i1 < N"},
           {"", "i0 & ~1", {}, {}, {}, "i0 < M"},
           {"", "[3, 1, 2, 1][i0]", {}, {}, {}, "i0 < 4"},
           {"", "[0, 1, 2][i0]", {}, {}, {}, "i0 < M"},
           {"", "int8(i0)", {}, {}, {}, "i0 < M"},
       }) {
    const ProofResult result = ProveInjectiveGoal(request);
    ASSERT_EQ(result.verdict, ProofVerdict::kRefuted) << request.formula << ": " << result.method << result.reason;
    EXPECT_EQ(result.method, "witness");
    if (!result.without_value.empty()) continue;
    // The witness has two different indices.
    std::map<std::string, int64_t> values(result.counterexample.begin(), result.counterexample.end());
    bool is_different = false;
    for (const auto& [name, value] : values) {
      if (name.starts_with('i')) is_different = is_different || value != values.at("j" + name.substr(1));
    }
    EXPECT_TRUE(is_different) << request.formula;
  }
}

// Every affine formula over two small bounds gets the verdict that visiting all pairs gives.
TEST(InjectiveGoal, VerdictsAgreeWithEnumeration) {
  int injective = 0;
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{3, 4}, {4, 3}, {2, 5}}) {
    for (int64_t a = 0; a < 7; ++a) {
      for (int64_t b = 0; b < 7; ++b) {
        std::map<int64_t, int> values;
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < columns; ++j) ++values[i * a + j * b];
        }
        const bool is_injective = std::ssize(values) == rows * columns;
        injective += is_injective ? 1 : 0;
        const FormulaRequest request{"", StrCat("i0 * ", a, " + i1 * ", b),        {}, {},
                                     {}, StrCat("i0 < ", rows, ", i1 < ", columns)};
        EXPECT_EQ(ProveInjectiveGoal(request).verdict, is_injective ? ProofVerdict::kProved : ProofVerdict::kRefuted)
            << request.formula << " over " << request.over;
      }
    }
  }
  EXPECT_GT(injective, 10);
}

TEST(InjectiveGoal, QuestionsThatAreNoneAreErrors) {
  for (const FormulaRequest& request : std::vector<FormulaRequest>{
           {"", "i0", {}, {}},
           {"", "i0", "i0", {}, {}, "i0 < M"},
           {"", "i0 + i1", {}, {}, {}, "i0 < M"},
           {"", "i0", {}, {}, {}, "i0 < M, i0 < N"},
           {"", "i0", {}, {}, {}, "M < i0"},
           {"", "i0", {}, {}, {}, "i0 <= M"},
           {"", "i0 * j0", {}, {}, {}, "i0 < M"},
           {"", "i0", {}, {}, {}, "i0 < 0"},
           {"", "(i0,", {}, {}, {}, "i0 < M"},
           {"f32[M]{0}", "i0", {}, {}, {}, "i0 < M"},
       }) {
    const Expected<ProofResult> result = ProveInjective(request);
    EXPECT_FALSE(result.has_value()) << request.formula << " over " << request.over;
  }
}

}  // namespace
}  // namespace layoutcheck
