// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of a question at points, over the integers and over machine integers.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
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
  // Sets the length of runs of a function. If it is absent, as at first, a kShortened run is done and, if that finds no
  // fault, a kUsual one.
  void SetRunLength(std::optional<RunLength> length) { length_ = length; }
  // Returns true if a run that has stepped over iterations has found a fault.
  bool has_guessed() const { return has_guessed_; }

 private:
  FormulaValue<Int128> RunFunction();
  FunctionResult CallFunction();
  FormulaValue<Int128> ValueOf(FunctionResult result);
  FormulaValue<Int128> NoValue(std::string fault);

  const FormulaQuestion::BoundFormula& bound_;
  FormulaEvaluator<int64_t> narrow_;
  FormulaEvaluator<Int128> wide_;
  std::vector<int64_t> names_;
  std::vector<Int128> wide_names_;
  FunctionRun run_;
  std::optional<RunLength> length_;
  // The arguments and the value of the last kWhole run, which takes long.
  std::optional<std::pair<std::vector<int64_t>, FormulaValue<Int128>>> whole_;
  bool has_guessed_ = false;
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
  // Returns nothing if 128 bits are too few to tell.
  std::optional<bool> AreEqual() const { return Agrees() || Differs() ? std::optional(Agrees()) : std::nullopt; }
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
  // Sets the length of runs of functions, as for a PointFormula.
  void SetRunLength(std::optional<RunLength> length) {
    formula_.SetRunLength(length);
    if (equals_) equals_->SetRunLength(length);
  }
  bool has_guessed() const { return formula_.has_guessed() || (equals_ && equals_->has_guessed()); }
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

// Evaluates one formula or function of a question over a machine integer.
class MachineFormula {
 public:
  MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer);

  // Returns the first part, in the order of evaluation, that overflows or has no value. Parts that ?:, && or || skip do
  // not count. An unsigned result that wraps is an overflow. A function that computes ~ on an unsigned type must also
  // have the result that it has with signed integers of any size.
  std::optional<MachineFault> FirstFault(const FormulaPoint& point);
  // Returns false if the last FirstFault() found none because a function could not be followed to its end.
  bool IsKnown() const { return is_known_; }
  int64_t operations() const { return operations_; }

 private:
  std::optional<MachineFault> FirstFaultOfFunction();
  void MarkChosenNodes();

  const FormulaQuestion::BoundFormula& bound_;
  MachineInteger integer_;
  FormulaEvaluator<Int128> evaluator_;
  std::vector<Int128> names_;
  std::vector<bool> must_fit_;
  std::vector<bool> chosen_;  // nodes that C evaluates at the last point
  FunctionRun run_;
  FunctionRun unbounded_;
  bool is_known_ = true;
  int64_t operations_ = 0;
};

// Returns the function as a formula of the question, with these variables and numbers as its arguments. `text` is its
// name in titles. Runs the function at a few points to learn which numbers occur in its code.
FormulaQuestion::BoundFormula BindFunction(const FormulaQuestion& question, SymbolicFunction function,
                                           std::vector<FormulaSize> arguments, std::string text);

}  // namespace layoutcheck
