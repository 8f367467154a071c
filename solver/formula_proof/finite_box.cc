// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/solver/formula_proof/bounded_question.h"

namespace layoutcheck {
namespace {

constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();
constexpr int64_t kMaxFunctionOperations = 50'000'000;  // in one box; functions may be slow

bool HasNamesBesideOperands(FormulaOp op) {
  return op == FormulaOp::kName || op == FormulaOp::kLetName || op == FormulaOp::kLet || op == FormulaOp::kTable;
}

// Narrows a box to the points at which an assumption can be true.
class AssumptionBounds {
 public:
  AssumptionBounds(const FormulaQuestion::BoundFormula& assumption, FiniteBox& box)
      : assumption_(assumption), formula_(assumption.formula), box_(box) {
    // Numbers do not depend on the values of names.
    FormulaEvaluator<int64_t> evaluator(formula_);
    evaluator(std::vector<int64_t>(formula_.names.size()));
    for (uint32_t k = 0; k < formula_.nodes.size(); ++k) {
      const FormulaNode& node = formula_.nodes[k];
      bool is_number = evaluator.nodes()[k].ok() && !HasNamesBesideOperands(node.op);
      for (int i = 0; i < OperandCount(node.op); ++i) is_number = is_number && numbers_[node.operands[i]].has_value();
      numbers_.push_back(is_number ? std::optional(evaluator.nodes()[k].value) : std::nullopt);
    }
    Narrow(formula_.root());
  }

 private:
  // Narrows the box by a part of the assumption that must be true.
  void Narrow(uint32_t number) {
    const FormulaNode& node = formula_.nodes[number];
    if (node.op == FormulaOp::kAnd) {
      Narrow(node.operands[0]);
      Narrow(node.operands[1]);
    } else if (node.op >= FormulaOp::kLess && node.op <= FormulaOp::kEqual) {
      NarrowByComparison(node.op, node.operands[0], node.operands[1]);
    }
  }

  void NarrowByComparison(FormulaOp op, uint32_t left, uint32_t right) {
    const std::optional<size_t> variable = VariableAt(numbers_[right] ? left : right);
    const std::optional<int64_t> number = numbers_[right] ? numbers_[right] : numbers_[left];
    if (!variable || !number || *number == std::numeric_limits<int64_t>::min() || *number == kUnbounded) return;
    const bool name_is_less = (op == FormulaOp::kLess || op == FormulaOp::kLessEqual) == numbers_[right].has_value();
    const int64_t strict = op == FormulaOp::kLess || op == FormulaOp::kGreater ? 1 : 0;
    int64_t& least = box_.least[*variable];
    int64_t& most = box_.most[*variable];
    if (op == FormulaOp::kEqual || name_is_less) most = std::min(most, *number - strict);
    if (op == FormulaOp::kEqual || !name_is_less) least = std::max(least, *number + strict);
  }

  std::optional<size_t> VariableAt(uint32_t number) const {
    const FormulaNode& node = formula_.nodes[number];
    return node.op == FormulaOp::kName ? assumption_.names[node.name].variable : std::nullopt;
  }

  const FormulaQuestion::BoundFormula& assumption_;
  const Formula& formula_;
  FiniteBox& box_;
  std::vector<std::optional<int64_t>> numbers_;  // values of the parts without a name
};

class BoxDecision {
 public:
  BoxDecision(FormulaGoal& goal, const FiniteBox& box)
      : goal_(goal), box_(box), point_(box.least), max_operations_(goal.operations() + kMaxFunctionOperations) {}

  BoxResult Run() {
    // A function that keeps a state may answer differently when it is asked again.
    const int rounds = goal_.question().formula.function ? 2 : 1;
    result_.holds = true;
    for (int round = 0; round < rounds && result_.holds; ++round) result_.holds = HoldsFrom(0);
    return std::move(result_);
  }

 private:
  // Returns true if the goal holds at every choice of the variables from the k-th on.
  bool HoldsFrom(size_t k) {
    if (k == point_.size()) return HoldsAtPoint();
    int64_t most = box_.most[k];
    for (const FormulaIndex& index : goal_.question().indices) {
      // Sizes precede indices.
      if (index.variable == k && index.size) most = std::min(most, index.size->At(point_) - 1);
    }
    for (point_[k] = box_.least[k]; point_[k] <= most; ++point_[k]) {
      if (!HoldsFrom(k + 1)) return false;
    }
    return true;
  }

  bool HoldsAtPoint() {
    if (!goal_.IsInDomain(point_)) return !goal_.IsDomainUnknown();
    if (!goal_.IsInScope()) return true;
    result_.has_point = true;
    if (goal_.operations() > max_operations_) return false;
    const std::optional<bool> is_true = goal_.IsTrueAt(point_);
    if (is_true == false) result_.found = point_;
    return is_true == true;
  }

  FormulaGoal& goal_;
  const FiniteBox& box_;
  FormulaPoint point_;
  int64_t max_operations_;
  BoxResult result_;
};

// Returns the box of the question, with kUnbounded and kNoLeast where it has no end.
FiniteBox BoxOf(const FormulaQuestion& question) {
  FiniteBox box;
  for (const FormulaVariable& variable : question.variables) {
    box.least.push_back(variable.least);
    box.most.push_back(kUnbounded);
  }
  for (const FormulaQuestion::BoundFormula& assumption : question.assumptions) AssumptionBounds(assumption, box);
  for (const FormulaIndex& index : question.indices) {
    if (!index.size) continue;
    const int64_t size = index.size->variable ? box.most[*index.size->variable] : index.size->number;
    if (size != kUnbounded) box.most[index.variable] = std::min(box.most[index.variable], size - 1);
  }
  return box;
}

}  // namespace

std::vector<int64_t> LeastValuesOf(const FormulaQuestion& question) { return BoxOf(question).least; }

std::optional<FiniteBox> BoundedBoxOf(const FormulaQuestion& question) {
  FiniteBox box = BoxOf(question);
  const bool has_open_end = std::ranges::find(box.most, kUnbounded) != box.most.end() ||
                            std::ranges::find(box.least, FormulaVariable::kNoLeast) != box.least.end();
  if (has_open_end) return std::nullopt;
  return box;
}

std::optional<FiniteBox> FiniteBoxOf(const FormulaQuestion& question, int64_t max_points) {
  std::optional<FiniteBox> box = BoundedBoxOf(question);
  if (!box) return std::nullopt;
  int64_t points = 1;
  for (size_t k = 0; k < box->least.size(); ++k) {
    if (box->most[k] < box->least[k]) continue;  // no value, so no point
    // A difference that overflows is one of too many points, too.
    const CheckedInt64 last = CheckedInt64(box->most[k]) - CheckedInt64(box->least[k]);
    if (last.overflow || last.value >= max_points / points) return std::nullopt;
    points *= last.value + 1;
  }
  return box;
}

BoxResult DecideBox(FormulaGoal& goal, const FiniteBox& box) { return BoxDecision(goal, box).Run(); }

}  // namespace layoutcheck
