// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include <algorithm>
#include <initializer_list>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/bit_vectors.h"

namespace layoutcheck {
void AddSide(const char* side, const FormulaValue<Int128>& value, const std::string& fault, ProofResult& result) {
  using Limits = std::numeric_limits<int64_t>;
  if (!value.ok()) {
    result.without_value.emplace_back(side, fault);
  } else if (value.value < Limits::min() || value.value > Limits::max()) {
    result.without_value.emplace_back(side, StrCat(ToDecimal(value.value), " does not fit int64"));
  } else {
    result.counterexample.emplace_back(side, static_cast<int64_t>(value.value));
  }
}

bool FormulaGoal::IsInScope() const {
  if (!max_bytes_ || !question_.layout) return true;  // the sizes are numbers
  return Int128{evaluator_.padded_elements()} * question_.layout->element_bits <= *max_bytes_ * 8;
}

std::string FormulaGoal::WhyNoneInScope() const {
  if (!max_bytes_) return {};
  return StrCat("no shape's padded elements take ", ToDecimal(*max_bytes_),
                " bytes or less: there is nothing to prove");
}

void FormulaGoal::AddScope(FormulaPath& path) const {
  if (!max_bytes_ || !question_.layout) return;
  const Term bits = path.TiledIndexOfLayout().padded_elements() * Term(question_.layout->element_bits);
  path.Assume(LessEqual(bits, Term(WideInteger(*max_bytes_)) * Term(8)));
}

void EqualityGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  const FormulaComparison comparison = evaluator_.Compare(point);
  AddSide("expected", comparison.expected, evaluator_.ExpectedFault(comparison), result);
  AddSide("actual", comparison.actual, evaluator_.ActualFault(comparison), result);
}

void EqualityGoal::AddGoals(FormulaPath& path) const {
  const auto& equals = question().equals;
  const std::optional<Term> expected = equals ? path.Evaluate(*equals).value : path.LayoutIndex();
  if (!expected) return;
  // Canonicalizes the reference first, so that the formula is read in the reference's digits.
  path.rewriter().Canonical(*expected);
  const std::optional<Term> actual = path.Evaluate(question().formula).value;
  if (actual) path.AddEquality(*actual, *expected);
}

bool EqualityGoal::RequireWrong(BitVectorQuery& query) const {
  if (!question().equals) return false;
  query.RequireDifferent(question().formula, *question().equals);
  return true;
}

std::string EqualityGoal::Predicate() const {
  const auto& equals = question().equals;
  return StrCat("is equal to ",
                equals ? equals->formula.text : StrCat("the linear index of ", question().layout->text));
}

void OverflowGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  const MachineFault fault = *machine_.FirstFault(point);
  result.subexpression = fault.operation;
  if (!fault.expected) {
    result.without_value.emplace_back("actual", fault.why);
    return;
  }
  AddSide("expected", {*fault.expected}, {}, result);
  AddSide("actual", {*fault.actual}, {}, result);
}

void OverflowGoal::AddGoals(FormulaPath& path) const {
  const FormulaPath::Evaluation evaluation = path.Evaluate(question().formula, CastMode::kDecide, &integer_);
  const std::vector<bool> must_fit = NodesThatMustFit(question().formula.formula, integer_);
  for (const FormulaPath::Part& part : evaluation.parts) {
    if (!part.node || must_fit[*part.node]) AddPartGoals(part, path);
  }
  if (!evaluation.has_unsigned_complement || !evaluation.value) return;
  const std::optional<Term> expected = path.Evaluate(question().formula).value;
  if (expected) path.AddEquality(*evaluation.value, *expected);
}

// Adds the goals that FaultOf() finds no fault.
void OverflowGoal::AddPartGoals(const FormulaPath::Part& part, FormulaPath& path) const {
  const auto require_one_of = [&](std::initializer_list<TermRelation> relations) {
    if (std::ranges::any_of(relations, [&](const TermRelation& relation) { return path.Claim(relation); })) return;
    const std::string text = part.node ? FormulaText(question().formula.formula, *part.node)
                                       : std::string("a value that the function computes");
    path.AddUnshownGoal(*relations.begin(), StrCat("it was not shown that this fits: ", text));
  };
  const Term least(static_cast<int64_t>(integer_.least));
  require_one_of({LessEqual(least, part.value)});
  require_one_of({LessEqual(part.value, static_cast<int64_t>(integer_.largest))});
  if (!part.a || !part.b) return;
  if (part.op == FormulaOp::kShiftLeft || part.op == FormulaOp::kShiftRight) {
    require_one_of({Less(*part.b, integer_.width)});
  }
  if (integer_.IsUnsigned()) {
    if (!DependsOnRepresentation(part.op)) return;
    require_one_of({LessEqual(0, *part.a)});
    require_one_of({LessEqual(0, *part.b)});
    return;
  }
  if (part.op == FormulaOp::kShiftLeft && !integer_.shifts_negative_numbers) require_one_of({LessEqual(0, *part.a)});
  if (part.op == FormulaOp::kRemainder) {
    require_one_of({Less(0, *part.b), Less(least, *part.a), Less(*part.b, -1)});
  }
}

std::string OverflowGoal::Predicate() const {
  const std::string predicate = StrCat("has no part that overflows ", integer_.name);
  return question().layout ? StrCat(predicate, " where the bytes of ", question().layout->text, " fit it") : predicate;
}

}  // namespace layoutcheck
