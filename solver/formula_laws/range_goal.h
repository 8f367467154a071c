// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claim that a formula is within bounds.
#pragma once

#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// The claim that the formula of a question is at least 0 and less than question.equals, which must be set.
class RangeGoal final : public FormulaGoal {
 public:
  using FormulaGoal::FormulaGoal;

  const char* law() const override { return "in-bounds"; }
  bool FailsAt(const FormulaPoint& point) override;
  bool HoldsAt(const FormulaPoint& point) override;
  void DescribeFailure(const FormulaPoint& point, ProofResult& result) override;
  void AddGoals(FormulaPath& path) const override;
  std::string Predicate() const override { return "is at least 0 and less than " + question().equals->formula.text; }
};

// Proves or refutes 0 <= request.formula < request.equals at every index. Steps and verdicts are those of
// ProveFormula. A counterexample has the values of the formula (actual) and of the bound. Errors: those of
// ProveFormula; no request.equals (invalid argument).
Expected<ProofResult> ProveInRange(const FormulaRequest& request, const ProveOptions& options = {});

}  // namespace layoutcheck
