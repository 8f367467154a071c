// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States the paths of a claim about formulas, and checks their steps.
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/formulas/enumeration.h"
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/formulas/formula_path.h"
#include "layoutcheck/verify/layouts/laws.h"
#include "layoutcheck/verify/layouts/tiling.h"
#include "layoutcheck/verify/proof/steps.h"

namespace layoutcheck::verify {
// Adds the variables and their ranges, and gives the path its names. Returns the point that the claim is about: two
// points, i and j, for the law injective.
std::vector<FormulaClaim::Point> FormulaClaim::StateDomain(Statement& statement, FormulaPath& path) const {
  for (const Variable& variable : variables_) {
    const Polynomial value = statement.NewVariable(variable.name);
    if (variable.least) statement.Assume(statement.LessEqual(statement.Number(*variable.least), value));
    path.SetName(variable.name, value);
  }
  std::vector<Point> points;
  for (const std::string_view letter : {"i", "j"}) {
    if (letter == "j" && law_ != Law::kInjective) break;
    Point& point = points.emplace_back();
    for (const Index& index : indices_) {
      point.push_back(statement.NewVariable(StrCat(letter, index.number)));
      statement.Assume(statement.LessEqual(statement.Number(0), point.back()));
    }
  }
  for (const Point& point : points) {
    for (size_t k = 0; k < indices_.size(); ++k) {
      const std::optional<Size>& size = indices_[k].size;
      if (!size) continue;
      const Polynomial bound = size->name.empty() ? statement.Number(size->number) : path.ValueOfName(size->name);
      statement.Assume(statement.Less(point[k], bound));
      path.SetName(StrCat("d", indices_[k].number), bound);
    }
  }
  return points;
}

// Makes i0, i1, ... stand for the point.
void FormulaClaim::SetPoint(FormulaPath& path, const Point& point) const {
  for (size_t k = 0; k < indices_.size(); ++k) path.SetName(StrCat("i", indices_[k].number), point[k]);
}

SizedLayout FormulaClaim::LayoutOf(const FormulaPath& path, Statement& statement) const {
  return WithSizes(*layout_, [&](const Size& size) {
    return size.name.empty() ? statement.Number(size.number) : path.ValueOfName(size.name);
  });
}

// Returns false if the path is outside of the domain: an assumption is false, or has no value.
Checked<bool> FormulaClaim::AssumptionsHold(FormulaPath& path) const {
  for (const std::vector<Formula>* list : {&assumptions_, &over_}) {
    for (const Formula& assumption : *list) {
      LAYOUTCHECK_TRY(auto truth, path.EvaluateTruth(assumption));
      if (!truth.value_or(false)) return false;
    }
  }
  return true;
}

// States that the formula is the layout's index or the other formula, or at least 0 and less than that.
Checked<void> FormulaClaim::StateValue(Statement& statement, FormulaPath& path, const Point& point) const {
  LAYOUTCHECK_TRY(auto expected, equals_
                                     ? path.Evaluate(*equals_)
                                     : Value(ClosedFormula(statement.ring(), LayoutOf(path, statement), point).index));
  LAYOUTCHECK_TRY(auto actual, expected ? path.Evaluate(formulas_[0]) : Value(std::nullopt));
  if (!actual) {
    statement.AddContradiction();
  } else if (law_ == Law::kInBounds) {
    statement.AddGoalInRange(*actual, *expected);
  } else {
    statement.AddGoal(statement.Equal(*actual, *expected));
  }
  return {};
}

// Adds the hypothesis that the elements of the layout take at most as many bytes as the largest integer.
void FormulaClaim::StateScope(Statement& statement, const FormulaPath& path) const {
  Ring& ring = statement.ring();
  const Polynomial elements = ElementsOf(ring, LayoutOf(path, statement));
  const Polynomial bits = ring.Product(elements, statement.Number(layout_->element_bits));
  statement.Assume(statement.LessEqual(bits, statement.Number(integer_.Largest() * 8)));
}

// States that no part of the formula overflows.
Checked<void> FormulaClaim::StateNoOverflow(Statement& statement, FormulaPath& path, const Point& point) const {
  LAYOUTCHECK_TRY(auto value, path.Evaluate(formulas_[0]));
  if (!value) statement.AddContradiction();
  if (auto fits = path.RequireFit(integer_); !fits || !value || !is_own_) return fits;
  const Polynomial index = ClosedFormula(statement.ring(), LayoutOf(path, statement), point).index;
  statement.AddGoal(statement.Equal(*value, index));
  return {};
}

// Returns that all formulas have the same value at both points, and that the points are the same. Neither is stated
// yet: the values are those of the formulas only where the outcomes of the path are right.
Checked<FormulaClaim::Injectivity> FormulaClaim::StateInjective(Statement& statement, FormulaPath& path,
                                                                const std::vector<Point>& points) const {
  Injectivity result;
  for (const Formula& formula : formulas_) {
    std::vector<Polynomial> values;
    for (const Point& point : points) {
      SetPoint(path, point);
      LAYOUTCHECK_TRY(auto value, path.Evaluate(formula));
      if (!value) {
        statement.AddContradiction();
        return Injectivity{};
      }
      values.push_back(*value);
    }
    result.equal_values.push_back(statement.Equal(values[0], values[1]));
  }
  for (size_t k = 0; k < indices_.size(); ++k) {
    result.equal_indices.push_back(statement.Equal(points[0][k], points[1][k]));
  }
  return result;
}

// States one path: its hypotheses, which are the domain and the decisions, and its goals.
Checked<FormulaClaim::Injectivity> FormulaClaim::StatePath(Statement& statement, Outcomes& outcomes) const {
  FormulaPath path(statement, outcomes);
  const std::vector<Point> points = StateDomain(statement, path);
  if (law_ == Law::kNoOverflow && layout_) StateScope(statement, path);
  bool is_inside = true;
  for (size_t k = 0; k < points.size() && is_inside; ++k) {
    SetPoint(path, points[k]);
    LAYOUTCHECK_TRY(is_inside, AssumptionsHold(path));
  }
  Checked<Injectivity> injectivity = Injectivity{};
  if (is_inside && law_ == Law::kInjective) {
    injectivity = StateInjective(statement, path, points);
    if (!injectivity) return injectivity;
  } else if (is_inside) {
    const Checked<void> stated =
        law_ == Law::kNoOverflow ? StateNoOverflow(statement, path, points[0]) : StateValue(statement, path, points[0]);
    if (!stated) return std::unexpected(stated.error());
  }
  LAYOUTCHECK_RETURN_IF_ERROR(path.TakeSplits());
  LAYOUTCHECK_RETURN_IF_ERROR(outcomes.EndPath());
  return injectivity;
}

// Checks the steps of a path, from the present line on, and returns their number. Sets `late_line` to the line from
// which on the equal values are facts, if there are any.
Checked<int64_t> FormulaClaim::CheckPath(Statement& statement, const Injectivity& injectivity, Lines& lines,
                                         int64_t& late_line) {
  Checked<int64_t> steps = 0;
  if (injectivity.equal_indices.empty() || !statement.goals().empty()) steps = StepChecker(statement, lines).Run();
  if (!steps || injectivity.equal_indices.empty()) return steps;
  late_line = lines.number();
  for (const Relation& equation : injectivity.equal_values) statement.Assume(equation);
  statement.SetGoals(injectivity.equal_indices);
  const Checked<int64_t> more = StepChecker(statement, lines).Run();
  return more ? Checked<int64_t>(*steps + *more) : more;
}

Checked<void> FormulaClaim::StateAt(Statement& statement, FormulaPath& path, const Point& point) const {
  SetPoint(path, point);
  LAYOUTCHECK_TRY(const bool is_inside, AssumptionsHold(path));
  if (is_inside) return StateValue(statement, path, point);
  return {};
}

size_t FormulaClaim::NodeCount() const {
  size_t count = 0;
  for (const Formula* formula : AllFormulas()) count += formula->nodes.size();
  return law_ == Law::kInjective ? 2 * count : count;
}

Checked<int64_t> FormulaClaim::Check(Lines& lines, std::vector<int64_t>* late_lines) const {
  int64_t steps = 0;
  if (layout_ && layout_->fractal) {
    // The rest is about the XLA layout.
    LAYOUTCHECK_TRY(steps, CheckSequents(SequentsOf("equals-hlo", *layout_), lines));
  }
  const bool compares_values = law_ == Law::kFormula || law_ == Law::kInBounds;
  if (lines.line() == "by enumeration" && compares_values) {
    Checked<int64_t> points = CheckByEnumeration(*this, lines);
    if (points) *points += steps;
    return points;
  }
  Outcomes outcomes(lines);
  size_t evaluations = 0;
  while (outcomes.StartPath()) {
    if (lines.line() != "path") return lines.RefuseLine("'path'");
    evaluations += NodeCount();
    if (evaluations > kMaxEvaluations) return lines.Refuse("expected fewer paths of formulas of this length");
    lines.Advance();
    Statement statement;
    LAYOUTCHECK_TRY(const Injectivity injectivity, StatePath(statement, outcomes));
    int64_t late_line = 0;
    LAYOUTCHECK_TRY(const int64_t checked, CheckPath(statement, injectivity, lines, late_line));
    if (late_lines != nullptr) late_lines->push_back(late_line);
    steps += checked;
  }
  return steps;
}

}  // namespace layoutcheck::verify
