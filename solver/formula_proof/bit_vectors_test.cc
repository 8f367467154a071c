// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kBudget = 50'000'000;

ProofResult ProveEquality(const std::string& formula, const std::string& equals, const std::string& over) {
  const Expected<ProofResult> result = ProveFormula({"", formula, equals, {}, {}, over});
  EXPECT_TRUE(result.has_value()) << formula << ": " << (result ? "" : result.error().ToString());
  return result ? *result : ProofResult{};
}

// Returns a formula that spreads the low 8 bits of a name to every third bit, with these shifts.
std::string Spread(const std::string& name, int first, int second, int third) {
  return StrCat("(let a", name, " = (", name, " | ", name, " << ", first, ") & 0x0300F00F in let b", name, " = (a",
                name, " | a", name, " << ", second, ") & 0x030C30C3 in (b", name, " | b", name, " << ", third,
                ") & 0x09249249)");
}

std::string SumOfBits(const std::string& name, int place) {
  std::string sum = "0";
  for (int bit = 0; bit < 8; ++bit) StrAppend(sum, " + ((", name, " >> ", bit, ") % 2) * ", 1 << (3 * bit + place));
  return sum;
}

std::string Morton(int third) {
  return StrCat(Spread("i0", 8, 4, third), " | ", Spread("i1", 8, 4, 2), " << 1 | ", Spread("i2", 8, 4, 2), " << 2");
}

std::string ReversedBits(const std::string& value, int last) {
  return StrCat(
      "(let p = ((", value, " & 0x555555) << 1) | ((", value,
      " >> 1) & 0x555555) in let q = ((p & 0x333333) << 2) | ((p >> 2) & 0x333333) in let r = ((q & 0x0F0F0F) "
      "<< 4) | ((q >> 4) & 0x0F0F0F) in ((r & 0xFF) << 16) | (r & 0xFF00) | (r >> ",
      last, "))");
}

// Each question has 2^24 points or more, and a neighbor that is wrong at some of them.
TEST(BitVectors, DecideLargeBoxes) {
  struct Question {
    std::string formula, equals, wrong, over;
  };
  const std::string bits = StrCat(SumOfBits("i0", 0), " + ", SumOfBits("i1", 1), " + ", SumOfBits("i2", 2));
  const std::string gray = "let g = i0 ^ i0 >> 1 in ";
  const std::string ungray =
      "let a = g ^ g >> 1 in let b = a ^ a >> 2 in let c = b ^ b >> 4 in let d = c ^ c >> 8 in d ^ d >> ";
  for (const Question& question :
       std::vector<Question>{{Morton(2), bits, Morton(3), "i0 < 256, i1 < 256, i2 < 256"},
                             {gray + ungray + "16", "i0", gray + ungray + "32", "i0 < 16777216"}}) {
    const ProofResult right = ProveEquality(question.formula, question.equals, question.over);
    EXPECT_EQ(right.verdict, ProofVerdict::kProved) << question.formula << ": " << right.reason;
    EXPECT_EQ(right.method, "bit-vectors") << question.formula;
    std::printf("%-40.40s proved in %.2f s, rlimit %llu\n", question.formula.c_str(), right.seconds,
                static_cast<unsigned long long>(right.rlimit));
    const ProofResult wrong = ProveEquality(question.wrong, question.equals, question.over);
    EXPECT_EQ(wrong.verdict, ProofVerdict::kRefuted) << question.wrong << ": " << wrong.reason;
  }
  for (int last = 16; last >= 15; last -= static_cast<int>(EveryNth(2, 2))) {
    const auto result = ProveInjective({"", ReversedBits("i0", last), {}, {}, {}, "i0 < 16777216"});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->verdict, last == 16 ? ProofVerdict::kProved : ProofVerdict::kRefuted) << last << result->reason;
  }
}

class RandomFormula {
 public:
  explicit RandomFormula(uint32_t seed) : random_(seed) {}

  uint32_t Choose(uint32_t bound) { return static_cast<uint32_t>(random_()) % bound; }
  std::string Draw(int depth) {
    if (depth == 0) return Choose(2) == 0 ? StrCat("a b c"[2 * Choose(3)]) : StrCat(Choose(Choose(3) == 0 ? 5000 : 9));
    const auto part = [&] { return Draw(static_cast<int>(Choose(static_cast<uint32_t>(depth)))); };
    static const std::vector<std::string> kOperators = {"+",  "-", "*",        "&",       "|",  "^",  "<",
                                                        "<=", ">", ">=",       "==",      "!=", "&&", "||",
                                                        "/",  "%", "floordiv", "ceildiv", "mod"};
    switch (Choose(8)) {
      case 0: return StrCat("(", part(), " ? ", part(), " : ", part(), ")");
      case 1: return StrCat("(", part(), Choose(2) == 0 ? " << " : " >> ", Choose(40), ")");
      case 2: return StrCat(Choose(2) == 0 ? "min(" : "max(", part(), ", ", part(), ")");
      case 3: {
        static const std::vector<std::string> kCasts = {"int8",  "uint8",  "int16", "uint16",
                                                        "int32", "uint32", "int64", "uint64"};
        return StrCat(kCasts[Choose(8)], "(", part(), ")");
      }
      case 4: return StrCat("~-!"[Choose(3)], "(", part(), ")");
      case 5: return StrCat("[", part(), ", ", part(), ", ", part(), "][(", part(), ") & 1]");
      default:
        return StrCat("(", part(), " ", kOperators[Choose(static_cast<uint32_t>(kOperators.size()))], " ", part(), ")");
    }
  }

 private:
  std::mt19937 random_;
};

// At single points, a query says that a random formula has the value that the evaluator gives, and no other.
TEST(BitVectors, ReadFormulasAsTheEvaluatorDoes) {
  int compared = 0;
  int not_read = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomFormula random(seed);
    const std::string text = StrCat("0 * a * b * c + ", random.Draw(4));
    std::vector<int64_t> point;
    for (int k = 0; k < 3; ++k) point.push_back(random.Choose(random.Choose(2) == 0 ? 8 : 100'000));
    const auto parsed = ParseFormula(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    FormulaEvaluator<Int128> evaluator(*parsed);
    const FormulaValue<Int128> value = evaluator(std::vector<Int128>(point.begin(), point.end()));
    for (const int64_t more : {0, 1}) {
      const std::string equals = value.ok() ? ToDecimal(value.value + more) : "0";
      if (equals.size() > 18) continue;
      const auto question = MakeFormulaQuestion({"", text, equals, {}, {}, ""});
      ASSERT_TRUE(question.has_value()) << text << " " << equals;
      BitVectorQuery claim(*question, {point, point});
      claim.Require("distinct", question->formula, *question->equals);
      const auto query = claim.Finish(text);
      if (!query) {
        ++not_read;
        continue;
      }
      ASSERT_TRUE(value.ok()) << text;
      ++compared;
      const SolverAnswer answer = FindModel(*query, {}, kBudget).run.answer;
      EXPECT_EQ(answer, more == 0 ? SolverAnswer::kUnsat : SolverAnswer::kSat)
          << text << " at " << point[0] << " " << point[1] << " " << point[2] << "\n"
          << query->text;
    }
  }
  std::printf("%d values compared, %d formulas not read\n", compared, not_read);
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace layoutcheck
