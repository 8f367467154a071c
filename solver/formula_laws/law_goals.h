// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims that a formula has different values at different indices, and that it is within bounds.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// The claim about a question of MakeInjectivityQuestion() that the components have a value at every index, and that
// two indices at which all of them are equal are the same.
class InjectiveGoal final : public FormulaGoal {
 public:
  explicit InjectiveGoal(const FormulaQuestion& question);

  const char* law() const override { return "injective"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override;
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  bool HasDistinctValues() const override { return true; }
  bool AppendDistinctValues(const FormulaPoint& point, std::vector<Int128>& values) override;
  void AddGoals(FormulaPath& path) const override;
  bool RequireWrong(BitVectorQuery& query) const override;
  std::string Predicate() const override { return "has different values at different indices"; }

 private:
  bool IsOneIndex(const FormulaPoint& point) const;

  std::deque<std::pair<PointFormula, PointFormula>> components_;  // each component at the first and at the second index
};

// Proves or refutes that the formula, or tuple, has different values at different indices of the layout or of
// request.over. Steps and verdicts are those of ProveFormula; a proof reads the values as numbers in mixed radix. A
// counterexample has the two indices, i0 ... and j0 ..., and their common value. Errors: those of
// MakeInjectivityQuestion.
Expected<ProofResult> ProveInjective(const FormulaRequest& request, const ProveOptions& options = {});

// The claim that the formula of a question is at least 0 and less than question.equals, which must be set.
class RangeGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "in-bounds"; }
  std::optional<bool> IsTrueAt(const FormulaPoint& point) override;
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  void AddGoals(FormulaPath& path) const override;
  std::string Predicate() const override { return "is at least 0 and less than " + question().equals->formula.text; }
};

// Proves or refutes 0 <= request.formula < request.equals at every index. Steps and verdicts are those of
// ProveFormula. A counterexample has the values of the formula (actual) and of the bound. Errors: those of
// ProveFormula; no request.equals (invalid argument).
Expected<ProofResult> ProveInRange(const FormulaRequest& request, const ProveOptions& options = {});

}  // namespace layoutcheck
