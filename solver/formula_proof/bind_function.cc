// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/bind_function.h"
#include <utility>

namespace layoutcheck {
namespace {

// Learns from a few calls which literals are in the code of the function, and whether it has a state. The first call,
// which may differ from all others, is at a large point.
void LearnFromCalls(const FormulaQuestion& question, FormulaQuestion::BoundFormula& bound) {
  FunctionRun run;
  for (const int64_t size : {5000, 130, 3, 1}) {
    for (const int64_t index : {size - 1, int64_t{0}}) {
      std::vector<Term> arguments;
      for (const FormulaSize& name : bound.names) {
        const bool is_index = name.variable && question.variables[*name.variable].kind == FormulaVariable::Kind::kIndex;
        arguments.emplace_back(is_index ? index : name.variable ? size : name.number);
      }
      const FunctionResult first = run.Call(bound.function, arguments);
      if (!AreSame(first, run.Call(bound.function, arguments))) bound.function_has_state = true;
    }
  }
  for (const Int128 number : run.literals()) {
    if (number == static_cast<int64_t>(number)) bound.function_numbers.push_back(static_cast<int64_t>(number));
  }
}

}  // namespace

FormulaQuestion::BoundFormula BindFunction(const FormulaQuestion& question, SymbolicFunction function,
                                           std::vector<FormulaSize> arguments, std::string text) {
  FormulaQuestion::BoundFormula bound{*ParseFormula("0"), std::move(arguments), std::move(function)};
  bound.formula.text = std::move(text);
  LearnFromCalls(question, bound);
  return bound;
}

}  // namespace layoutcheck
