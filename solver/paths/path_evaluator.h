// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a formula on one path to a term.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"

namespace layoutcheck {

class PathEvaluator {
 public:
  // Evaluates the formula with `names` for the values of Formula::names.
  PathEvaluator(const Formula& formula, std::span<const Term> names, PathArithmetic& arithmetic)
      : formula_(formula), names_(names), arithmetic_(arithmetic), let_values_(formula.let_names.size()) {}

  // Returns the value as a term, or nothing if it does not exist (see fault()) or has no term (see unsupported()).
  std::optional<Term> Value() { return Value(formula_.root()); }
  // Returns the truth of an assumption. Takes a test for a power of two, (x & (x - 1)) == 0, to be true, and records it
  // on the path, because points at which an assumption is false do not matter.
  std::optional<bool> Assume() { return Assume(formula_.root()); }

  // The nodes evaluated so far with their values, operands first.
  const std::vector<std::pair<uint32_t, Term>>& evaluated() const { return evaluated_; }
  // Explains why the formula has no value ("... : division by zero"); empty if it has one.
  const std::string& fault() const { return fault_; }
  const std::string& unsupported() const { return unsupported_; }

 private:
  std::optional<Term> Value(uint32_t number);
  std::optional<Term> ComputeValue(uint32_t number);
  std::optional<Term> UnaryValue(const FormulaNode& node);
  std::optional<Term> TableValue(uint32_t number);
  std::optional<std::pair<Term, Term>> OperandValues(uint32_t number);
  std::optional<bool> Truth(uint32_t number);
  std::optional<bool> Assume(uint32_t number);
  std::optional<uint32_t> TestedBits(uint32_t number) const;

  const Formula& formula_;
  std::span<const Term> names_;
  PathArithmetic& arithmetic_;
  std::vector<std::optional<Term>> let_values_;  // in the order of Formula::let_names
  std::vector<std::pair<uint32_t, Term>> evaluated_;
  std::string fault_;
  std::string unsupported_;
};

}  // namespace layoutcheck
