// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/range_goal.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {

bool RangeGoal::FailsAt(const FormulaPoint& point) {
  const FormulaComparison comparison = evaluator_.Compare(point);
  for (const FormulaValue<Int128>& value : {comparison.actual, comparison.expected}) {
    if (!value.ok()) return value.fault != FormulaFault::kOverflow;
  }
  return comparison.actual.value < 0 || comparison.actual.value >= comparison.expected.value;
}

bool RangeGoal::HoldsAt(const FormulaPoint& point) {
  const FormulaComparison comparison = evaluator_.Compare(point);
  return comparison.actual.ok() && comparison.expected.ok() && comparison.actual.value >= 0 &&
         comparison.actual.value < comparison.expected.value;
}

void RangeGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  const FormulaComparison comparison = evaluator_.Compare(point);
  AddSide("below", comparison.expected, evaluator_.ExpectedFault(comparison), result);
  AddSide("actual", comparison.actual, evaluator_.ActualFault(comparison), result);
}

void RangeGoal::AddGoals(FormulaPath& path) const {
  const std::optional<Term> bound = path.Evaluate(*question().equals).value;
  const std::optional<Term> value = bound ? path.Evaluate(question().formula).value : std::nullopt;
  if (value) path.AddInRange(*value, *bound);
}

Expected<ProofResult> ProveInRange(const FormulaRequest& request, const ProveOptions& options) {
  if (!request.equals) return MakeError(ErrorKind::kInvalidArgument, "expected the bound of the formula");
  const Expected<FormulaQuestion> question = MakeFormulaQuestion(request);
  if (!question) return std::unexpected(question.error());
  RangeGoal goal(*question);
  return ProveGoal(goal, options, ClaimLinesOf(request, goal.law()));
}

}  // namespace layoutcheck
