// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of a question at points.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A value for each variable, in the order of FormulaQuestion::variables.
using FormulaPoint = std::vector<int64_t>;

// Evaluates one formula of a question in 64 bits and, if a result does not fit, again in 128. A function runs in 128
// bits and, if every result fits 64, again in 64; it has no value if the two differ.
class PointFormula {
 public:
  explicit PointFormula(const FormulaQuestion::BoundFormula& bound);

  // Returns the value. The fault kOverflow means that a result does not fit 128 bits or is not known.
  FormulaValue<Int128> operator()(const FormulaPoint& point);
  // Returns the text of the fault of the last value; empty if it has none.
  std::string FaultText(const FormulaValue<Int128>& last) const;
  int64_t operations() const { return operations_; }

 private:
  FormulaValue<Int128> RunFunction();
  FormulaValue<Int128> NoValue(std::string fault);

  const FormulaQuestion::BoundFormula& bound_;
  FormulaEvaluator<int64_t> narrow_;
  FormulaEvaluator<Int128> wide_;
  std::vector<int64_t> names_;
  std::vector<Int128> wide_names_;
  FunctionRun run_;
  std::string fault_;  // text of the function's last fault
  int64_t operations_ = 0;
};

struct FormulaComparison {
  FormulaValue<Int128> expected;
  FormulaValue<Int128> actual;

  // Returns true if both sides have a value, the same one.
  bool Agrees() const { return expected.ok() && actual.ok() && expected.value == actual.value; }
  // Returns true if the sides differ or one has no value; false if 128 bits are too few to tell.
  bool Differs() const;
};

// Evaluates both sides of a question and its assumptions at points. Successive points of one shape are fast, because
// the layout's index is computed once per shape.
class PointEvaluator {
 public:
  explicit PointEvaluator(const FormulaQuestion& question);

  // Returns true if the question covers the point: each variable has at least its least value, each index is less than
  // its size, all assumptions are true, and all sizes of the layout fit int64.
  bool IsInDomain(const FormulaPoint& point);
  // Returns true if the last IsInDomain() returned false only because 128 bits are too few for an assumption.
  bool IsDomainUnknown() const { return domain_unknown_; }
  // Requires IsInDomain(point).
  FormulaComparison Compare(const FormulaPoint& point);
  // Return why that side of the last comparison has no value; empty if it has one.
  std::string ActualFault(const FormulaComparison& last) const { return formula_.FaultText(last.actual); }
  std::string ExpectedFault(const FormulaComparison& last) const {
    return equals_ ? equals_->FaultText(last.expected) : "";
  }
  // Returns the number of operations that functions took so far; 0 for formulas.
  int64_t operations() const { return formula_.operations() + (equals_ ? equals_->operations() : 0); }
  // Requires that the last IsInDomain() returned true.
  int64_t padded_elements() const { return index_->padded_elements(); }

 private:
  bool SetShape(const FormulaPoint& point);

  const FormulaQuestion& question_;
  PointFormula formula_;
  std::optional<PointFormula> equals_;
  std::deque<PointFormula> assumptions_;
  size_t name_count_;
  std::optional<std::vector<int64_t>> shape_;  // the values of the names that `index_` was computed for
  std::optional<TiledIndex> index_;
  std::vector<int64_t> coordinate_;
  bool domain_unknown_ = false;
};

}  // namespace layoutcheck
