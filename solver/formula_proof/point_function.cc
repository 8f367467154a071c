// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of PointFormula for C++ functions, which may throw.
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

FormulaValue<Int128> PointFormula::RunFunction() {
  const std::vector<Term> arguments(names_.begin(), names_.end());
  FunctionResult result = run_.Call(bound_.function, arguments);
  operations_ += run_.operations();
  if (!result.unknown.empty() || (result.value && result.value->value().overflow)) {
    return {0, FormulaFault::kOverflow};
  }
  if (!result.fault.empty()) return NoValue(std::move(result.fault));
  const Int128 value = result.value->value().value;
  // A function that overflows has no meaningful value with built-in integers.
  const bool fits = !run_.machine_fault() && value == static_cast<int64_t>(value);
  if (!fits || bound_.function.numeric == nullptr) return {value};
  try {
    const int64_t numeric = bound_.function.numeric(names_);
    if (numeric == value) return {value};
    return NoValue(StrCat("it is ", numeric, " with int64_t and ", ToDecimal(value), " with the symbolic integer"));
  } catch (...) {
    return NoValue(StrCat("it throws with int64_t and is ", ToDecimal(value), " with the symbolic integer"));
  }
}

FormulaValue<Int128> PointFormula::NoValue(std::string fault) {
  fault_ = std::move(fault);
  return {0, FormulaFault::kOfFunction};
}

}  // namespace layoutcheck
