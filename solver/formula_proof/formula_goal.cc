// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include <algorithm>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Adds one side of a counterexample, "expected" or "actual", to the result: its value, or why it has none.
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

}  // namespace

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

std::string EqualityGoal::Predicate() const {
  const auto& equals = question().equals;
  return StrCat("is equal to ",
                equals ? equals->formula.text : StrCat("the linear index of ", question().layout->text));
}

void OverflowGoal::DescribeFailure(const FormulaPoint& point, ProofResult& result) {
  const MachineFault fault = *machine_.FirstFault(point);
  const Formula& formula = question().formula.formula;
  const bool of_function = static_cast<bool>(question().formula.function);
  result.subexpression = of_function ? fault.text : FormulaText(formula, fault.node);
  if (fault.fault != FormulaFault::kOverflow) {
    result.without_value.emplace_back("actual", of_function ? fault.text : FaultText(formula, fault.node, fault.fault));
    return;
  }
  AddSide("expected", {fault.value}, {}, result);
  const Int128 modulus = Int128{1} << integer_.width;
  const Int128 remainder = (fault.value - integer_.least) % modulus;
  AddSide("actual", {remainder + (remainder < 0 ? modulus : 0) + integer_.least}, {}, result);
}

void OverflowGoal::AddGoals(FormulaPath& path) const {
  const Formula& formula = question().formula.formula;
  const FormulaPath::Evaluation evaluation = path.Evaluate(question().formula);
  const auto require = [&](const FormulaPath::Part& part, const TermRelation& relation) {
    if (path.Claim(relation)) return;
    path.AddUnshownGoal(relation, StrCat("it was not shown that this fits: ",
                                         part.node ? FormulaText(formula, *part.node)
                                                   : std::string("a value that the function computes")));
  };
  const std::vector<bool> must_fit = NodesThatMustFit(formula, integer_);
  for (const FormulaPath::Part& part : evaluation.parts) {
    if (part.node && !must_fit[*part.node]) continue;
    require(part, LessEqual(static_cast<int64_t>(integer_.least), part.value));
    require(part, LessEqual(part.value, static_cast<int64_t>(integer_.largest)));
  }
  for (const FormulaNode& node : formula.nodes) {
    if (node.op != FormulaOp::kShiftLeft && node.op != FormulaOp::kShiftRight) continue;
    const auto amount = std::ranges::find(evaluation.parts, node.operands[1], &FormulaPath::Part::node);
    if (amount != evaluation.parts.end()) require(*amount, Less(amount->value, integer_.width));
  }
}

std::string OverflowGoal::Predicate() const {
  const std::string predicate = StrCat("has no part that overflows ", integer_.name);
  return question().layout ? StrCat(predicate, " where the bytes of ", question().layout->text, " fit it") : predicate;
}

}  // namespace layoutcheck
