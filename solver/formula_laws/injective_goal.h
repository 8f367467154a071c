// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claim that a formula has different values at different indices.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// The claim about a question of MakeInjectivityQuestion() that the components have a value at every index, and that
// two indices at which all of them are equal are the same.
class InjectiveGoal final : public FormulaGoal {
 public:
  explicit InjectiveGoal(const FormulaQuestion& question);

  const char* law() const override { return "injective"; }
  bool FailsAt(const FormulaPoint& point) override;
  bool HoldsAt(const FormulaPoint& point) override;
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  bool HasDistinctValues() const override { return true; }
  bool AppendDistinctValues(const FormulaPoint& point, std::vector<Int128>& values) override;
  void AddGoals(FormulaPath& path) const override;
  bool RequireWrong(BitVectorQuery& query) const override;
  std::string Predicate() const override { return "has different values at different indices"; }

 private:
  bool IsOneIndex(const FormulaPoint& point) const;

  std::deque<std::pair<PointFormula, PointFormula>> components_;  // at the first and at the second index
};

// Proves or refutes that the formula, or tuple, has different values at different indices of the layout or of
// request.over. Steps and verdicts are those of ProveFormula; a proof reads the values as numbers in mixed radix. A
// counterexample has the two indices, i0 ... and j0 ..., and their common value. Errors: those of ProveFormula and of
// MakeInjectivityQuestion.
Expected<ProofResult> ProveInjective(const FormulaRequest& request, const ProveOptions& options = {});

}  // namespace layoutcheck
