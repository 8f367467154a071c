// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"

namespace layoutcheck {
namespace {

TEST(StridedFormula, IsTheSumOfDigitsTimesStrides) {
  for (const auto& [text, over, offset, size] : std::vector<std::array<std::string, 4>>{
           {"(M,N):(N,1)", "i0 < M, i1 < N", "i0 * (N) + i1", "M * N"},
           {"(M,N):(1,M)", "i0 < M, i1 < N", "i0 + i1 * (M)", "M * N"},
           {"((8,M),N):((N,8*N),1)", "i0 < 8 * M, i1 < N", "(i0 mod (8)) * (N) + (i0 floordiv (8)) * (8 * N) + i1",
            "8 * M * N"},
           {"(_4,(2,3)):(_0,(1,-2))", "i0 < 4, i1 < 6", "(i1 mod (2)) + (i1 floordiv (2)) * (-2)", "24"},
           {"(M,_2):(_-3,M)", "i0 < M, i1 < 2", "i0 * (-3) + i1 * (M)", "2 * M"},
           {"(M):(0)", "i0 < M", "0", "M"},
       }) {
    const Expected<StridedFormula> formula = ReadStridedFormula(text);
    ASSERT_TRUE(formula.has_value()) << text << ": " << formula.error().ToString();
    EXPECT_EQ(formula->over, over) << text;
    EXPECT_EQ(formula->offset, offset) << text;
    EXPECT_EQ(formula->size, size) << text;
  }
  for (const char* text : {"(M,N)", "(M,N):(1)", "(M,N):1", "(M,(N)):(1,2)", "(M:(1)", "(M,N):(i0,1)", "(M,N):(d1,1)",
                           "(M,N):(1,)", "(M,N):(1,2))", "(M,3x):(1,2)", "(M,N):(j0,1)"}) {
    EXPECT_FALSE(ReadStridedFormula(text).has_value()) << text;
  }
}

// Returns the value of the formula for values of its names.
int64_t ValueOf(const std::string& text, const std::map<std::string, int64_t>& values) {
  const Expected<Formula> formula = ParseFormula(text);
  EXPECT_TRUE(formula.has_value()) << text;
  std::vector<int64_t> names;
  for (const std::string& name : formula->names) names.push_back(values.at(name));
  const FormulaValue<int64_t> value = FormulaEvaluator<int64_t>(*formula)(names);
  EXPECT_TRUE(value.ok()) << text;
  return value.value;
}

// Returns 1 + the largest offset less the smallest one, of all coordinates.
int64_t ExtentByEnumeration(const StridedFormula& formula, std::map<std::string, int64_t> values) {
  int64_t least = 0;
  int64_t most = 0;
  const auto visit = [&](const auto& self, size_t mode) -> void {
    if (mode == formula.extents.size()) {
      const int64_t offset = ValueOf(formula.offset, values);
      least = std::min(least, offset);
      most = std::max(most, offset);
      return;
    }
    const int64_t end = ValueOf(formula.extents[mode], values);
    for (int64_t i = 0; i < end; ++i) {
      values[StrCat("i", mode)] = i;
      self(self, mode + 1);
    }
  };
  visit(visit, 0);
  return most - least + 1;
}

TEST(StridedFormula, TheExtentReachesFromTheSmallestToTheLargestOffset) {
  for (const char* text : {"(M,N):(N,1)", "(M,N):(K,1)", "(M,N):(-N,1)", "(M,N):(0,K-2)", "((2,M),N):((N,2*N),1)",
                           "((2,M),3):((1,-6),2)", "(M,N):(M-N,N)", "M:-3", "(M,(N,2)):(0,(0,0))"}) {
    const Expected<StridedFormula> formula = ReadStridedFormula(text);
    ASSERT_TRUE(formula.has_value()) << text;
    for (int64_t m = 1; m <= 3; ++m) {
      for (int64_t n = 1; n <= 3; ++n) {
        for (int64_t k = 0; k <= 3; ++k) {
          const std::map<std::string, int64_t> values = {{"M", m}, {"N", n}, {"K", k}};
          const int64_t extent = ExtentByEnumeration(*formula, values);
          EXPECT_EQ(ValueOf(formula->extent, values), extent) << text << " " << m << " " << n << " " << k;
          for (const std::string& name : formula->names_within_extent) EXPECT_LE(values.at(name), extent) << text;
        }
      }
    }
  }
  const auto within = [](const char* text) { return ReadStridedFormula(text)->names_within_extent; };
  EXPECT_EQ(within("(M,N):(N,1)"), (std::vector<std::string>{"M", "N"}));
  EXPECT_EQ(within("(M,N):(K,1)"), std::vector<std::string>{"N"});
  EXPECT_EQ(within("(M,N):(0,-1)"), std::vector<std::string>{});
}

// A stride may be negative only where a name may.
TEST(StridedFormula, TheExtentOfASignedStrideIsItsDistance) {
  const Expected<StridedFormula> formula = ReadStridedFormula("(M,N):(K,1)", {"K"});
  ASSERT_TRUE(formula.has_value());
  EXPECT_EQ(ValueOf(formula->extent, {{"M", 3}, {"N", 2}, {"K", -5}}), 12);
  EXPECT_EQ(ValueOf(formula->extent, {{"M", 3}, {"N", 2}, {"K", 5}}), 12);
}

std::map<std::string, ProofVerdict> Verdicts(const std::string& text) {
  const auto results = ProveStridedFormula(text, {});
  EXPECT_TRUE(results.has_value()) << text << ": " << (results ? "" : results.error().ToString());
  std::map<std::string, ProofVerdict> verdicts;
  if (!results) return verdicts;
  for (const ProofResult& result : *results) {
    verdicts[result.law] = result.verdict;
    std::printf("%-40s %-10s %-8s %-14s %.3f s %s\n", text.c_str(), result.law.c_str(),
                ProofVerdictName(result.verdict), result.method.c_str(), result.seconds, result.reason.c_str());
  }
  return verdicts;
}

TEST(StridedFormula, LawsHoldForAllValuesOfTheNames) {
  for (const char* text :
       {"(M,N):(N,1)", "(M,N):(1,M)", "(M,N,K):(N*K,K,1)", "((8,M),N):((1,8),8*M)", "(M,8):(8,1)",
        "((32,4,M),(4,K)):((16,4,512*K),(1,512))", "((16,O),(16,I),H,W):((1,256*I*H*W),(16,256*H*W),256*W,256)"}) {
    for (const auto& [law, verdict] : Verdicts(text)) EXPECT_EQ(verdict, ProofVerdict::kProved) << text << " " << law;
  }
}

TEST(StridedFormula, WrongStridesAreRefuted) {
  for (const auto& [text, refuted] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"(M,N):(M,1)", {"injective", "onto"}},
           {"(M,N):(2*N,1)", {"onto"}},
           {"(M,N):(LD,1)", {"injective", "onto"}},
           {"(M,N):(N,-1)", {"in-bounds"}},
           {"(M,N):(0,1)", {"injective"}},
           {"(M,N):(N+1,1)", {"onto"}},
           {"((4,M),N):((N,3*N),1)", {"injective"}},
       }) {
    const auto verdicts = Verdicts(text);
    for (const std::string& law : refuted) EXPECT_EQ(verdicts.at(law), ProofVerdict::kRefuted) << text << " " << law;
  }
  // Offsets are shared or negative, yet none is missing: that is not decided with names, and never wrongly.
  EXPECT_NE(Verdicts("(M,N):(0,1)").at("onto"), ProofVerdict::kRefuted);
  EXPECT_NE(Verdicts("(M,N):(N,-1)").at("onto"), ProofVerdict::kRefuted);
}

// A law that is proved for all names holds for the numbers put in their place, and one that is refuted fails at its
// witness.
TEST(StridedFormula, VerdictsAgreeWithThoseOfNumbers) {
  std::mt19937 random(20261123);
  const std::vector<std::string> sizes = {"M", "N", "2", "3"};
  const std::vector<std::string> strides = {"1", "M", "N", "2", "6", "2*M", "3*N", "M*N"};
  int proved = 0;
  int refuted = 0;
  for (int k = 0; k < 60; ++k) {
    const std::string shape = StrCat(sizes[random() % 2], ",", sizes[random() % 4]);
    const std::string stride = StrCat(strides[random() % strides.size()], ",", strides[random() % strides.size()]);
    const std::string text = StrCat("(", shape, "):(", stride, ")");
    const auto results = ProveStridedFormula(text, {});
    ASSERT_TRUE(results.has_value()) << text;
    for (const ProofResult& result : *results) {
      std::map<std::string, int64_t> witness(result.counterexample.begin(), result.counterexample.end());
      for (const int64_t m : {1, 2, 3, 5}) {
        for (const int64_t n : {1, 2, 4, 5}) {
          const bool is_witness = result.verdict == ProofVerdict::kRefuted &&
                                  (!witness.contains("M") || witness["M"] == m) &&
                                  (!witness.contains("N") || witness["N"] == n);
          if (result.verdict != ProofVerdict::kProved && !is_witness) continue;
          std::string numbers;
          for (const char c : text) numbers += c == 'M' ? StrCat(m) : c == 'N' ? StrCat(n) : std::string(1, c);
          // Products of numbers are not in the notation of numbers.
          for (size_t star = numbers.find('*'); star != std::string::npos; star = numbers.find('*')) {
            const int64_t product = (numbers[star - 1] - '0') * (numbers[star + 1] - '0');
            numbers.replace(star - 1, 3, StrCat(product));
          }
          const auto decided = ProveStridedLayout(numbers, {result.law});
          ASSERT_TRUE(decided.has_value()) << numbers;
          EXPECT_EQ(decided->front().verdict, result.verdict) << text << " " << numbers << " " << result.law;
        }
      }
      proved += result.verdict == ProofVerdict::kProved ? 1 : 0;
      refuted += result.verdict == ProofVerdict::kRefuted ? 1 : 0;
    }
  }
  std::printf("%d proved, %d refuted of 240\n", proved, refuted);
  EXPECT_GT(proved, 60);
  EXPECT_GT(refuted, 60);
}

// The array has a byte for each offset from the smallest to the largest, and takes no more than the largest integer.
TEST(StridedFormula, OverflowIsAboutArraysThatFitTheInteger) {
  const MachineInteger int32 = *MachineIntegerOf("int32");
  const auto prove = [&](const char* layout, const char* formula, std::vector<std::string> assumptions = {}) {
    const auto request = WithOffsetFormula({layout, formula, {}, std::move(assumptions)});
    EXPECT_TRUE(request.has_value()) << layout;
    const Expected<ProofResult> result = ProveNoOverflow(*request, int32, {.exports = {}, .certificates = true});
    EXPECT_TRUE(result.has_value()) << layout << ": " << (result ? "" : result.error().ToString());
    return result ? *result : ProofResult{};
  };
  for (const auto& [layout, formula] : std::vector<std::pair<const char*, const char*>>{
           {"(M,N):(N,1)", "i0*N+i1"},
           {"(M,N):(-N,1)", "i1-i0*N"},
           {"((8,M),N):((N,8*N),1)", "i0*N+i1"},
           {"(M,N):(0,1)", "i1"},
       }) {
    const ProofResult right = prove(layout, formula);
    EXPECT_EQ(right.verdict, ProofVerdict::kProved) << layout << ": " << right.reason;
    EXPECT_EQ(right.no_certificate, "") << layout;
    EXPECT_TRUE(right.certificate.contains(" <= 2147483647\ninteger int32\n")) << right.certificate;
    EXPECT_EQ(prove(layout, StrCat("2*(", formula, ")").c_str()).verdict, ProofVerdict::kRefuted) << layout;
  }
  // A stride is bounded only where there are two rows, and a size where its stride is not 0.
  EXPECT_EQ(prove("(M,N):(K,1)", "i0*K+i1").verdict, ProofVerdict::kRefuted);
  EXPECT_EQ(prove("(M,N):(K,1)", "i0*K+i1", {"M >= 2 && K >= 1"}).verdict, ProofVerdict::kProved);
}

TEST(StridedFormula, AFormulaIsComparedWithTheOffset) {
  const auto verdict = [](const char* layout, const char* formula) {
    const auto request = WithOffsetFormula({layout, formula, {}, {}});
    EXPECT_TRUE(request.has_value()) << layout;
    const Expected<ProofResult> result = ProveFormula(*request);
    EXPECT_TRUE(result.has_value()) << layout << ": " << (result ? "" : result.error().ToString());
    return result ? result->verdict : ProofVerdict::kUnknown;
  };
  EXPECT_EQ(verdict("(M,N):(N,1)", "i0*N+i1"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("(M,N):(N,1)", "i0*d1+i1"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("(M,N):(N,1)", "i1*M+i0"), ProofVerdict::kRefuted);
  EXPECT_EQ(verdict("(M,N):(1,M)", "i1*M+i0"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("(3,4):(5,1)", "i0*5+i1"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("((8,M),N):((N,8*N),1)", "i0*N+i1"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("((8,M),N):((1,8*N),8)", "i0/8*8*N + i0%8 + 8*i1"), ProofVerdict::kProved);
  EXPECT_EQ(verdict("((8,M),N):((1,8*N),8)", "i0/8*8*M + i0%8 + 8*i1"), ProofVerdict::kRefuted);
  const Expected<ProofResult> unknown = ProveFormula(*WithOffsetFormula({"(M,N):(N,1)", "i0*K", {}, {}}));
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message,
            "--formula: column 4: expected an index, a dimension or a name of the layout (M, N, i0, i1), found 'K'");
}

}  // namespace
}  // namespace layoutcheck
