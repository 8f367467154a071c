// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluator of formulas can also run C++ functions, which end by exceptions (point_function.cc, function_run.cc).
// The page asks about formulas alone: here the value of a function is not known, and so is never a counterexample.
#include <cstdlib>
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

FormulaValue<Int128> PointFormula::RunFunction() { return {0, FormulaFault::kOverflow}; }

void FunctionRun::EndUnknown(std::string /*text*/) { std::abort(); }
void FunctionRun::CheckLimits(int64_t /*operations*/) {}

}  // namespace layoutcheck
