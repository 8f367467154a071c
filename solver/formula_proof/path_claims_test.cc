// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/path_claims.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

using Function = std::function<SymbolicInteger(std::span<const SymbolicInteger>)>;

// Returns the question if the function of M and N is 0.
FormulaQuestion QuestionOf(const Function& function, const std::vector<std::string>& assumptions = {}) {
  FormulaQuestion question =
      *MakeFormulaQuestion({.layout = "", .formula = "M+N", .equals = "0", .assumptions = assumptions});
  std::vector<FormulaSize> names = question.formula.names;
  question.formula =
      BindFunction(question, {.symbolic = function, .numeric = nullptr, .is_pure = true}, std::move(names), "f");
  return question;
}

// Returns the claims of all paths, or nothing if they are too many.
std::optional<std::vector<PathClaim>> ClaimsOf(const FormulaQuestion& question) {
  EqualityGoal goal(question);
  const FormulaPaths explored = ExplorePaths(goal, {}, {});
  if (!explored.failure.empty()) return std::nullopt;
  return *ClaimsOfPaths(question, explored.paths);
}

bool IsTrueAt(const std::string& text, int64_t m, int64_t n) {
  const Formula formula = *ParseFormula(text);
  std::vector<Int128> values;
  for (const std::string& name : formula.names) values.push_back(name == "M" ? m : n);
  const auto value = FormulaEvaluator<Int128>(formula)(values);
  return value.ok() && value.value != 0;
}

// A claim is false where all assumptions hold and its condition does not.
bool IsFalseAt(const PathClaim& claim, int64_t m, int64_t n) {
  const auto holds = [&](const std::string& text) { return IsTrueAt(text, m, n); };
  return std::ranges::all_of(claim.assumptions, holds) && !holds(claim.condition);
}

// A random program that tests relations between expressions of M and N, and may have no value at its ends.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : seed_(seed) {}

  SymbolicInteger operator()(std::span<const SymbolicInteger> names) const {
    std::mt19937 random(seed_);
    for (int test = 0; test < 5; ++test) {
      const SymbolicInteger a = Expression(names, random);
      const SymbolicInteger b = Expression(names, random);
      const bool ends = random() % 2 == 0;
      if (const bool is_less = random() % 3 == 0 ? a == b : a < b; is_less && ends) {
        throw FunctionFault{StrCat("test ", test)};
      }
    }
    return 0;
  }

 private:
  static SymbolicInteger Expression(std::span<const SymbolicInteger> names, std::mt19937& random) {
    const auto number = static_cast<int64_t>(random() % 7);
    const SymbolicInteger& x = names[random() % names.size()];
    const SymbolicInteger& y = names[random() % names.size()];
    switch (random() % 5) {
      case 0: return x * number + y;
      case 1: return x / (number + 1) * (number + 1) + y;
      case 2: return x % (number + 1) + number;
      case 3: return x * y - number;
      default: return x - y + number;
    }
  }

  uint32_t seed_;
};

// Where all claims hold, the function has its value, and where it has none, one of them is false.
TEST(PathClaims, AreFalseWhereTheFunctionHasNoValue) {
  constexpr int64_t kEnd = 8;
  int faults = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const FormulaQuestion question = QuestionOf(RandomProgram(seed));
    const auto claims = ClaimsOf(question);
    if (!claims) continue;
    EqualityGoal goal(question);
    for (int64_t m = 0; m < kEnd; ++m) {
      for (int64_t n = 0; n < kEnd; ++n) {
        ASSERT_TRUE(goal.IsInDomain({m, n}));
        const bool is_right = goal.IsTrueAt({m, n}) == true;
        faults += is_right ? 0 : 1;
        const bool holds = std::ranges::none_of(*claims, [&](const auto& claim) { return IsFalseAt(claim, m, n); });
        ASSERT_EQ(holds, is_right) << "seed " << seed << " M=" << m << " N=" << n;
      }
    }
  }
  EXPECT_GT(faults, 300);
}

TEST(PathClaims, AreAboutTheDecisionsBeforeThem) {
  const FormulaQuestion question = QuestionOf(
      [](std::span<const SymbolicInteger> names) -> SymbolicInteger {
        if (names[0] < names[1]) {
          FunctionRun::SetPlace("a read", "in", "f.cu:3");
          if (names[0] * 4 + 4 > names[1] * 4) throw FunctionFault{"a read outside of in at f.cu:3"};
        } else if (names[0] + 1 < names[1]) {
          throw FunctionFault{"this never happens"};
        }
        return 0;
      },
      {"N < 100"});
  const std::vector<PathClaim> expected = {
      {{"N < 100", "M < N"}, "M * 4 + 4 <= N * 4", "a read of in at f.cu:3"},
      {{"N < 100", "N <= M"}, "N <= M + 1", ""},
  };
  EXPECT_EQ(*ClaimsOf(question), expected);
}

TEST(PathClaims, HaveCertificatesOrAReason) {
  const auto certified = [](const Function& function) {
    const FormulaQuestion question = QuestionOf(function);
    EqualityGoal goal(question);
    std::vector<FormulaPathResult> paths;
    ProofResult result = *ProveGoal(goal, {}, {}, nullptr, &paths);
    EXPECT_EQ(result.verdict, ProofVerdict::kProved);
    CertifyPaths(question, paths, "f.cu: f(M,N)", {}, result);
    EXPECT_NE(result.certificate.empty(), result.no_certificate.empty());
    return result.certificate + result.no_certificate;
  };
  const std::string text = certified([](std::span<const SymbolicInteger> names) -> SymbolicInteger {
    if (names[0] / 8 * 8 > names[0]) throw FunctionFault{"a fault"};
    return 0;
  });
  EXPECT_NE(text.find("\nformula M floordiv 8 * 8 <= M\nequals 1\nsource f.cu: f(M,N)\npath\n"), std::string::npos)
      << text;
  const std::string none = certified([](std::span<const SymbolicInteger> names) -> SymbolicInteger {
    SymbolicInteger sum = 0;
    for (int k = 0; k < 2000; ++k) sum += names[0];
    if (sum < 0) throw FunctionFault{"a sum is negative"};
    return 0;
  });
  EXPECT_EQ(none, "a condition in the code is too long for a formula");
}

}  // namespace
}  // namespace layoutcheck
