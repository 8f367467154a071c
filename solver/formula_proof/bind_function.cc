// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/bind_function.h"
#include <utility>

namespace layoutcheck {
namespace {

// Returns literals in the code of the function that a few calls meet.
std::vector<int64_t> LiteralsOf(const FormulaQuestion& question, const FormulaQuestion::BoundFormula& bound) {
  FunctionRun run;
  for (const int64_t size : {1, 3, 130, 5000}) {
    for (const int64_t index : {int64_t{0}, size - 1}) {
      std::vector<Term> arguments;
      for (const FormulaSize& name : bound.names) {
        const bool is_index = name.variable && question.variables[*name.variable].kind == FormulaVariable::Kind::kIndex;
        arguments.emplace_back(is_index ? index : name.variable ? size : name.number);
      }
      run.Call(bound.function, arguments);
    }
  }
  std::vector<int64_t> numbers;
  for (const Int128 number : run.literals()) {
    if (number == static_cast<int64_t>(number)) numbers.push_back(static_cast<int64_t>(number));
  }
  return numbers;
}

}  // namespace

FormulaQuestion::BoundFormula BindFunction(const FormulaQuestion& question, SymbolicFunction function,
                                           std::vector<FormulaSize> arguments, std::string text) {
  FormulaQuestion::BoundFormula bound{*ParseFormula("0"), std::move(arguments), std::move(function)};
  bound.formula.text = std::move(text);
  bound.function_numbers = LiteralsOf(question, bound);
  return bound;
}

}  // namespace layoutcheck
