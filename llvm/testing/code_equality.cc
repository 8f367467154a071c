// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/code_equality.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kRlimit = 3'000'000;

SymbolicInteger Difference(const BoundCode& source, const BoundCode& target, std::span<const SymbolicInteger> values) {
  SymbolicInteger expected;
  try {
    expected = RunCode(source, values);
  } catch (const FunctionFault&) {
    return 0;  // Every behavior is that of the source.
  }
  return RunCode(target, values) - expected;
}

}  // namespace

ProofResult ProveSameValue(const BoundCode& source, const BoundCode& target, std::span<const ArgumentRange> arguments) {
  FormulaRequest request{.formula = "0", .equals = "0"};
  for (size_t k = 0; k < arguments.size(); ++k) {
    StrAppend(request.formula, " + n", k);
    const auto size = static_cast<uint64_t>(arguments[k].largest) - static_cast<uint64_t>(arguments[k].least);
    request.assumptions.push_back(StrCat("n", k, " <= ", size));
  }
  auto question = MakeFormulaQuestion(request);
  EXPECT_TRUE(question.has_value()) << question.error().ToString();
  if (!question) return {};
  const SymbolicFunction function{.symbolic =
                                      [&](std::span<const SymbolicInteger> names) {
                                        std::vector<SymbolicInteger> values;
                                        for (size_t k = 0; k < names.size(); ++k) {
                                          values.push_back(names[k] + arguments[k].least);
                                        }
                                        return Difference(source, target, values);
                                      },
                                  .numeric = nullptr};
  question->formula = BindFunction(*question, function, question->formula.names, "target - source");
  EqualityGoal goal(*question);
  auto result = ProveGoal(goal, {.rlimit = kRlimit});
  EXPECT_TRUE(result.has_value()) << result.error().ToString();
  return result ? *std::move(result) : ProofResult{};
}

}  // namespace layoutcheck
