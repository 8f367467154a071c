// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ functions, which may throw, in questions.
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {
namespace {

// Learns from a few calls which literals are in the code of the function, and whether it has a state. The first call,
// which may differ from all others, is at a large point.
void LearnFromCalls(const FormulaQuestion& question, FormulaQuestion::BoundFormula& bound) {
  FunctionRun run;
  run.RecordLiterals();
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

FunctionResult PointFormula::CallFunction() {
  const std::vector<Term> arguments(names_.begin(), names_.end());
  const auto call = [&](RunLength length) {
    run_.SetLength(length);
    FunctionResult result = run_.Call(bound_.function, arguments);
    operations_ += run_.operations();
    return result;
  };
  FunctionResult result = call(length_.value_or(RunLength::kShortened));
  if (!run_.has_stepped_over()) return result;
  has_guessed_ = has_guessed_ || !result.fault.empty();
  return !length_ && result.fault.empty() ? call(RunLength::kUsual) : result;
}

FormulaValue<Int128> PointFormula::RunFunction() {
  if (length_ != RunLength::kWhole) return ValueOf(CallFunction());
  if (!whole_ || whole_->first != names_) whole_.emplace(names_, ValueOf(CallFunction()));
  return whole_->second;
}

FormulaValue<Int128> PointFormula::ValueOf(FunctionResult result) {
  // Where the function ends without a value, nothing is claimed at this point.
  if (!result.unknown.empty() || result.end || (result.value && result.value->value().overflow)) {
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
