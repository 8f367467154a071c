// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_laws/injective_goal.h"
#include <cstddef>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/bit_vectors.h"
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

bool InjectiveGoal::FailsAt(const FormulaPoint& point) {
  bool is_equal = true;
  bool has_value = true;
  for (auto& [first, second] : components_) {
    const FormulaComparison comparison{second(point), first(point)};
    for (const FormulaValue<Int128>& value : {comparison.actual, comparison.expected}) {
      if (!value.ok() && value.fault != FormulaFault::kOverflow) has_value = false;
    }
    is_equal = is_equal && comparison.Agrees();
  }
  return !has_value || (is_equal && !IsOneIndex(point));
}

bool InjectiveGoal::HoldsAt(const FormulaPoint& point) {
  bool is_equal = true;
  for (auto& [first, second] : components_) {
    const FormulaComparison comparison{second(point), first(point)};
    if (!comparison.actual.ok() || !comparison.expected.ok()) return false;
    is_equal = is_equal && comparison.Agrees();
  }
  return !is_equal || IsOneIndex(point);
}

void InjectiveGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  std::vector<std::pair<std::string, std::string>> values;
  for (size_t k = 0; k < components_.size(); ++k) {
    const std::string name = components_.size() == 1 ? "value" : StrCat("value", k);
    for (PointFormula* const side : {&components_[k].first, &components_[k].second}) {
      const FormulaValue<Int128> value = (*side)(point);
      using Limits = std::numeric_limits<int64_t>;
      if (!value.ok() && value.fault != FormulaFault::kOverflow) {
        result.without_value.emplace_back(name, side->FaultText(value));
        return;
      }
      if (side != &components_[k].first) continue;
      if (value.value < Limits::min() || value.value > Limits::max()) {
        result.without_value.emplace_back(name, StrCat(ToDecimal(value.value), " does not fit int64"));
      } else {
        result.counterexample.emplace_back(name, static_cast<int64_t>(value.value));
      }
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
  query.RequireEqual(question().formula, *question().equals);
  for (const auto& [first, second] : question().more_components) query.RequireEqual(first, second);
  query.RequireDifferentIndices();
  return true;
}

Expected<ProofResult> ProveInjective(const FormulaRequest& request, const ProveOptions& options) {
  const Expected<FormulaQuestion> question = MakeInjectivityQuestion(request);
  if (!question) return std::unexpected(question.error());
  InjectiveGoal goal(*question);
  return ProveGoal(goal, options, ClaimLinesOf(request, goal.law()));
}

}  // namespace layoutcheck
