// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include <limits>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"

namespace layoutcheck {

void AddSide(const std::string& side, const FormulaValue<Int128>& value, const std::string& fault,
             ProofResult& result) {
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
  query.Require("distinct", question().formula, *question().equals);
  return true;
}

std::string EqualityGoal::Predicate() const {
  const auto& equals = question().equals;
  return StrCat("is equal to ",
                equals ? equals->formula.text : StrCat("the linear index of ", question().layout->text));
}

std::optional<bool> OverflowGoal::IsTrueAt(const FormulaPoint& point) {
  if (machine_.FirstFault(point)) return false;
  return machine_.IsKnown() ? std::optional(true) : std::nullopt;
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
  const std::optional<Term> index = is_index_ ? std::optional(path.LayoutIndex()) : std::nullopt;
  if (index) path.rewriter().Canonical(*index);
  const FormulaPath::Evaluation evaluation = path.Evaluate(question().formula, &integer_);
  const std::vector<bool> must_fit = NodesThatMustFit(question().formula.formula, integer_);
  for (const FormulaPath::Part& part : evaluation.parts) {
    if (!part.node || must_fit[*part.node]) AddPartGoals(part, path);
  }
  path.SuggestQuotients(integer_.least, integer_.largest);
  if (index && evaluation.value) path.AddEquality(*evaluation.value, *index);
  if (!evaluation.has_unsigned_complement || !evaluation.value) return;
  const std::optional<Term> expected = path.Evaluate(question().formula).value;
  if (expected) path.AddEquality(*evaluation.value, *expected);
}

// Adds the goals that FaultOf() finds no fault.
void OverflowGoal::AddPartGoals(const FormulaPath::Part& part, FormulaPath& path) const {
  const auto require = [&](const TermRelation& relation) {
    const std::string text = part.node ? FormulaText(question().formula.formula, *part.node)
                                       : std::string("a value that the function computes");
    path.Require(relation, StrCat("it was not shown that this fits: ", text));
  };
  const Term least(static_cast<int64_t>(integer_.least));
  if (part.a && part.b) {
    const bool is_shift = part.op == FormulaOp::kShiftLeft || part.op == FormulaOp::kShiftRight;
    if (is_shift) require(Less(*part.b, integer_.width));
    // The operands of a formula's part are parts, too, and fit.
    if (!part.node && integer_.IsUnsigned() && DependsOnRepresentation(part.op)) {
      require(LessEqual(0, *part.a));
      require(LessEqual(0, *part.b));
    } else if (!integer_.IsUnsigned() && part.op == FormulaOp::kShiftLeft && !integer_.shifts_negative_numbers) {
      require(LessEqual(0, *part.a));
    } else if (!integer_.IsUnsigned() && part.op == FormulaOp::kRemainder) {
      const bool is_defined =
          path.Decide(Less(0, *part.b)) || path.Decide(Less(least, *part.a)) || path.Decide(Less(*part.b, -1));
      if (!is_defined) require(Less(0, 0));
    }
  }
  require(LessEqual(least, part.value));
  require(LessEqual(part.value, static_cast<int64_t>(integer_.largest)));
}

std::string OverflowGoal::Predicate() const {
  const std::string predicate = StrCat("has no part that overflows ", integer_.name);
  return question().layout ? StrCat(predicate, " where the bytes of ", question().layout->text, " fit it") : predicate;
}

}  // namespace layoutcheck
