// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of formulas over machine integers, to find the first part that overflows.
#pragma once

#include <optional>
#include <vector>
#include "layoutcheck/solver/formula_proof/formula_point.h"
#include "layoutcheck/solver/paths/machine_integer.h"

namespace layoutcheck {

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

}  // namespace layoutcheck
