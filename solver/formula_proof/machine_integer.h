// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of formulas over machine integers, to find the first part that overflows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

struct MachineInteger {
  std::string_view name;  // "int32", "uint32", "int64"
  Int128 least;
  Int128 largest;
  int width;  // in bits; a shift by `width` or more is undefined
};

// Errors: an unknown name (invalid argument).
Expected<MachineInteger> MachineIntegerOf(std::string_view name);

// Returns for each node of the formula whether its value must fit the integer. The complement ~b of an unsigned integer
// need not in a & ~b: it is negative for unbounded integers, but the result, which must fit, is the same.
std::vector<bool> NodesThatMustFit(const Formula& formula, const MachineInteger& integer);

// A part of a formula or function that overflows or has no value.
struct MachineFault {
  uint32_t node;       // in the formula; 0 in a function
  FormulaFault fault;  // kOverflow if the value does not fit
  Int128 value = 0;
  std::string text = {};  // for a function: the operation ("65536 * 65536"), or why it has no value
};

// Evaluates one formula of a question over a machine integer as C does.
class MachineFormula {
 public:
  MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer);

  // Returns the first part, in the order of evaluation, that overflows or has no value. Parts that ?:, && or || skip do
  // not count. An unsigned result that wraps is an overflow.
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
  bool is_known_ = true;
  int64_t operations_ = 0;
};

}  // namespace layoutcheck
