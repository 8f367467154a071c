// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/law_goals.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"

namespace layoutcheck {

InjectiveGoal::InjectiveGoal(const FormulaQuestion& question) : FormulaGoal(question) {
  components_.emplace_back(question.formula, *question.equals);
  for (const auto& [first, second] : question.more_components) components_.emplace_back(first, second);
}

bool InjectiveGoal::IsOneIndex(const FormulaPoint& point) const {
  const size_t rank = question().indices.size() / 2;
  for (size_t k = 0; k < rank; ++k) {
    if (point[question().indices[k].variable] != point[question().indices[rank + k].variable]) return false;
  }
  return true;
}

std::optional<bool> InjectiveGoal::IsTrueAt(const FormulaPoint& point) {
  bool is_equal = true;
  bool is_known = true;
  for (auto& [first, second] : components_) {
    const FormulaComparison comparison{second(point), first(point)};
    for (const FormulaValue<Int128>& value : {comparison.actual, comparison.expected}) {
      if (!value.ok() && value.fault != FormulaFault::kOverflow) return false;
      is_known = is_known && value.ok();
    }
    is_equal = is_equal && comparison.Agrees();
  }
  if (is_equal) return IsOneIndex(point);
  return is_known ? std::optional(true) : std::nullopt;
}

void InjectiveGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  for (size_t k = 0; k < components_.size(); ++k) {
    const std::string name = components_.size() == 1 ? "value" : StrCat("value", k);
    for (PointFormula* const side : {&components_[k].first, &components_[k].second}) {
      const FormulaValue<Int128> value = (*side)(point);
      const bool has_no_value = !value.ok() && value.fault != FormulaFault::kOverflow;
      if (has_no_value || side == &components_[k].first) AddSide(name, value, side->FaultText(value), result);
      if (has_no_value) return;
    }
  }
}

bool InjectiveGoal::AppendDistinctValues(const FormulaPoint& point, std::vector<Int128>& values) {
  for (auto& [first, second] : components_) {
    const FormulaValue<Int128> value = first(point);
    if (!value.ok()) return false;
    values.push_back(value.value);
  }
  return true;
}

void InjectiveGoal::AddGoals(FormulaPath& path) const {
  std::vector<std::pair<Term, Term>> values;
  const auto evaluate = [&](const FormulaQuestion::BoundFormula& first, const FormulaQuestion::BoundFormula& second) {
    const std::optional<Term> one = path.Evaluate(first).value;
    const std::optional<Term> other = one ? path.Evaluate(second).value : std::nullopt;
    if (other) values.emplace_back(*one, *other);
    return other.has_value();
  };
  if (!evaluate(question().formula, *question().equals)) return;
  for (const auto& [first, second] : question().more_components) {
    if (!evaluate(first, second)) return;
  }
  path.AddEqualIndices(values);
}

bool InjectiveGoal::RequireWrong(BitVectorQuery& query) const {
  query.Require("=", question().formula, *question().equals);
  for (const auto& [first, second] : question().more_components) query.Require("=", first, second);
  query.RequireDifferentIndices();
  return true;
}

Expected<ProofResult> ProveInjective(const FormulaRequest& request, const ProveOptions& options) {
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeInjectivityQuestion(request));
  InjectiveGoal goal(question);
  return ProveGoal(goal, options, ClaimLinesOf(request, goal.law()));
}

std::optional<bool> RangeGoal::IsTrueAt(const FormulaPoint& point) {
  const FormulaComparison comparison = evaluator_.Compare(point);
  for (const FormulaValue<Int128>& value : {comparison.actual, comparison.expected}) {
    if (!value.ok()) return value.fault == FormulaFault::kOverflow ? std::nullopt : std::optional(false);
  }
  return comparison.actual.value >= 0 && comparison.actual.value < comparison.expected.value;
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
  if (!request.equals) return ArgumentError("expected the bound of the formula");
  LAYOUTCHECK_TRY(const FormulaQuestion question, MakeFormulaQuestion(request));
  RangeGoal goal(question);
  return ProveGoal(goal, options, ClaimLinesOf(request, goal.law()));
}

}  // namespace layoutcheck
