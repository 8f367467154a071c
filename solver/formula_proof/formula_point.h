// Formulas and layouts at one point: values for all variables of a question.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_POINT_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_POINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A value for each variable, in the order of FormulaQuestion::variables.
using FormulaPoint = std::vector<int64_t>;

// One formula of a question. It is computed in 64 bits and, where these do not hold every result, again in 128. A
// function of C++ is run in 128 bits and, where 64 bits hold every result, again in these: it has no value where the
// two are not equal.
class PointFormula {
 public:
  explicit PointFormula(const FormulaQuestion::BoundFormula& bound);

  // The value. The fault kOverflow says that a result does not fit 128 bits, or that it is not known.
  FormulaValue<Int128> operator()(const FormulaPoint& point);
  // Of the last value: its fault, in words.
  std::string FaultText(const FormulaValue<Int128>& value) const;
  // How much work the values took, in operations of a function; 0 for a formula.
  int64_t operations() const { return operations_; }

 private:
  FormulaValue<Int128> RunFunction();
  FormulaValue<Int128> NoValue(std::string fault);

  const FormulaQuestion::BoundFormula& bound_;
  FormulaEvaluator<int64_t> narrow_;
  FormulaEvaluator<Int128> wide_;
  std::vector<int64_t> narrow_names_;
  std::vector<Int128> wide_names_;
  FunctionRun run_;
  std::vector<Term> arguments_;
  std::string fault_;
  int64_t operations_ = 0;
};

// Both sides of a question at a point.
struct FormulaComparison {
  FormulaValue<Int128> expected;
  FormulaValue<Int128> actual;

  // That the two are not the same, or one of them has no value; nothing is said where 128 bits are not enough.
  bool Differs() const;
};

// Evaluates the two sides of a question, and its assumptions, at points. Points of one shape one after another are
// fast: the layout's formula is worked out once for them.
class PointEvaluator {
 public:
  explicit PointEvaluator(const FormulaQuestion& question);

  // Whether the point is one that the question is about: each variable at least its least value, each index below its
  // size, all assumptions true, and a layout all of whose sizes fit int64.
  bool IsInDomain(const FormulaPoint& point);
  // The two sides. Requires IsInDomain(point).
  FormulaComparison Compare(const FormulaPoint& point);
  // Of the last comparison: why the sides have no value.
  std::string ActualFault(const FormulaComparison& last) const { return formula_.FaultText(last.actual); }
  std::string ExpectedFault(const FormulaComparison& last) const {
    return equals_ ? equals_->FaultText(last.expected) : "";
  }
  // How much work it was so far, in operations of functions; 0 for formulas.
  int64_t operations() const { return formula_.operations() + (equals_ ? equals_->operations() : 0); }
  // The padded elements of the layout at the point that IsInDomain was asked about last, and was true for.
  int64_t padded_elements() const { return index_->padded_elements(); }

 private:
  bool SetShape(const FormulaPoint& point);

  const FormulaQuestion& question_;
  PointFormula formula_;
  std::optional<PointFormula> equals_;
  std::vector<PointFormula> assumptions_;
  size_t name_count_;
  std::vector<int64_t> shape_;  // the values of the names for which `index_` is
  std::optional<TiledIndex> index_;
  std::vector<int64_t> coordinate_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_POINT_H_
