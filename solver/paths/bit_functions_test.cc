// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of bit operators, which are part of the statement that a proof is about and therefore trusted.
#include "layoutcheck/solver/paths/bit_functions.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr const char* kNames[] = {"x", "y", "z"};

// Returns an expression of bit operators and shifts; its names are multiplied by 2^shift.
std::string RandomBits(std::mt19937& random, int depth, int shift) {
  if (depth == 0) {
    const std::string name = kNames[random() % 3];
    const std::string shifted = shift == 0 ? name : StrCat("(", name, " << ", shift, ")");
    return random() % 4 == 0 ? StrCat("(-1 - ", shifted, ")") : shifted;
  }
  const char* const op = std::array{" & ", " | ", " ^ "}[random() % 3];
  const std::string left = RandomBits(random, depth - 1, shift);
  return StrCat("(", left, op, RandomBits(random, static_cast<int>(random() % static_cast<unsigned>(depth)), shift),
                ")");
}

// Returns the largest value of the expression over all x, y and z below these powers of two.
int64_t LargestValue(const std::string& text, const int (&bits)[3]) {
  const Formula formula = *ParseFormula(text);
  FormulaEvaluator<int64_t> evaluator(formula);
  int64_t largest = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> names(formula.names.size());
  for (int64_t point = 0; point < int64_t{1} << (bits[0] + bits[1] + bits[2]); ++point) {
    const int64_t values[] = {point % (1 << bits[0]), (point >> bits[0]) % (1 << bits[1]),
                              point >> (bits[0] + bits[1])};
    for (size_t k = 0; k < names.size(); ++k) names[k] = values[formula.names[k][0] - 'x'];
    largest = std::max(largest, evaluator(names).value);
  }
  return largest;
}

// Bounds of random expressions are proved if and only if they hold. Ranges of 2^20 times the size, for which nothing
// can be enumerated, have the same verdicts, because the operators work bit by bit.
TEST(BitFunctions, BoundsAreProvedIfTheyHold) {
  std::mt19937 random(20261123);
  int proved = 0;
  int by_certificates = 0;
  for (int k = 0; k < 60; ++k) {
    const int bits[3] = {1 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 4),
                         1 + static_cast<int>(random() % 4)};
    const std::string expression = RandomBits(random, 1 + static_cast<int>(random() % 3), 0);
    const int64_t largest = LargestValue(expression, bits);
    const int64_t bound = int64_t{1} << (random() % 6);
    constexpr int kScale = 20;
    std::vector<std::string> assumptions;
    for (int name = 0; name < 3; ++name) {
      assumptions.push_back(StrCat(kNames[name], " < ", int64_t{1} << (bits[name] + kScale)));
    }
    const std::string claim = StrCat("(", expression, ") < ", bound << kScale);
    const Expected<ProofResult> result = ProveFormula({"", claim, "0 * (x + y + z) + 1", assumptions});
    ASSERT_TRUE(result.has_value()) << claim << ": " << result.error().ToString();
    const bool holds = largest < bound;
    EXPECT_EQ(std::string(ProofVerdictName(result->verdict)), holds ? "proved" : "refuted")
        << claim << " where x, y, z have " << bits[0] << ", " << bits[1] << ", " << bits[2] << " bits: " << largest;
    proved += holds ? 1 : 0;
    by_certificates += result->method == "canonical-form" ? 1 : 0;
  }
  EXPECT_EQ(by_certificates, proved);
  EXPECT_GT(proved, 20);
  EXPECT_LT(proved, 50);
}

// Random bit operations between an offset and a field of bits, at every place and length, against their digits.
TEST(BitFunctions, FieldsAreThoseOfTheirDigits) {
  for (const int place : {0, 1, 3, 7}) {
    for (const int length : {1, 3, 4}) {
      const std::string field = StrCat("(r % ", 1 << length, ")");
      const std::string digit = StrCat("(c / ", 1 << place, " % ", 1 << length, ")");
      for (const char* op : {"&", "|", "^"}) {
        const std::string actual = StrCat("c ", op, " (r & ", (1 << length) - 1, ") << ", place);
        const std::string rest = *op == '&' ? "0" : StrCat("c - ", digit, " * ", 1 << place);
        const auto expected = [&](int factor) {
          return StrCat(rest, " + (", digit, " ", op, " ", field, ") * ", factor);
        };
        const auto verdict = [&](int factor) {
          const Expected<ProofResult> result = ProveFormula({"", actual, expected(factor), {}});
          return std::string(result ? ProofVerdictName(result->verdict) : result.error().ToString().c_str());
        };
        EXPECT_EQ(verdict(1 << place), "proved") << actual << " == " << expected(1 << place);
        EXPECT_EQ(verdict(2 << place), "refuted") << actual << " == " << expected(2 << place);
      }
    }
  }
}

}  // namespace
}  // namespace layoutcheck
