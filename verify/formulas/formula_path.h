// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates formulas on one path of a claim, on which each condition is true or false as the certificate says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/verify/formulas/conditions.h"
#include "layoutcheck/verify/formulas/formula.h"
#include "layoutcheck/verify/formulas/outcomes.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

// The value of a part of a formula, or nothing if there is none on this path. A Refusal if the certificate is wrong.
using Value = Checked<std::optional<Polynomial>>;
using Truth = Checked<std::optional<bool>>;

// An integer type of C.
struct MachineInteger {
  int width;  // in bits
  bool is_unsigned;
  bool shifts_negative_numbers;  // a << b is defined for a < 0, as in C++20

  Int128 Least() const { return is_unsigned ? Int128{0} : -PowerOfTwo(width - 1); }
  Int128 Largest() const { return Least() + PowerOfTwo(width) - 1; }
};

// Evaluates formulas over the names that were set, with hypotheses and goals in a statement.
class FormulaPath {
 public:
  // Adds hypotheses and goals to the statement.
  FormulaPath(Statement& statement, Outcomes& outcomes)
      : statement_(statement), outcomes_(outcomes), conditions_(statement, outcomes) {}

  // Sets the value of a name.
  void SetName(const std::string& name, Polynomial value) { names_[name] = value; }
  // Requires that the name has a value.
  Polynomial ValueOfName(const std::string& name) const { return names_.at(name); }

  Value Evaluate(const Formula& formula);
  Truth EvaluateTruth(const Formula& formula);

  // Makes it a goal that an integer type computes each part of the formula that was evaluated last as the integers do:
  // values fit it, and C defines the operation.
  Checked<void> RequireFit(const MachineInteger& integer);

  // Reads the `split` lines, which are decisions that no formula asks for, with the atoms that they use.
  Checked<void> TakeSplits();

 private:
  // A part of the formula that was evaluated. `a` and `b` are the operands of an operator between two.
  struct Part {
    uint32_t node;
    Polynomial value = {};
    Polynomial a = {};
    Polynomial b = {};
  };

  Value ValueOf(uint32_t node);
  // Returns the value and sets the operands of the part.
  Value ComputeValue(uint32_t node, Part& part);
  Truth TruthOf(uint32_t node);
  Value LetValue(const FormulaNode& node);
  Value TableValue(const FormulaNode& node);
  Value CastValue(const FormulaNode& node, Polynomial a);
  Value Apply(Operator op, Polynomial a, Polynomial b);
  Value DivideTruncating(Operator op, Polynomial a, Polynomial b);
  Value Shift(Operator op, Polynomial a, Polynomial b);
  Value BitsOf(Operator op, Polynomial a, Polynomial b);
  // Returns a & b.
  Checked<Polynomial> CommonBits(Polynomial a, Polynomial b);
  Checked<Polynomial> DisjointBits(std::string_view outcome, Polynomial a, Polynomial b);
  Polynomial Mask(Polynomial x, int64_t mask);
  Checked<std::optional<std::pair<Polynomial, Polynomial>>> OperandsOf(const FormulaNode& node);

  // Returns true for ~b in a & ~b.
  bool IsMaskedComplement(uint32_t node) const;
  // Makes the relation a goal, if it is not one of numbers that holds.
  void Require(const Relation& relation);

  Polynomial Number(Int128 value) { return statement_.Number(value); }

  Statement& statement_;
  Outcomes& outcomes_;
  Conditions conditions_;
  const Formula* formula_ = nullptr;  // the formula that is being evaluated
  std::map<std::string, Polynomial, std::less<>> names_;
  std::vector<Part> parts_;  // parts of the formula that was evaluated last, operands first
};

}  // namespace layoutcheck::verify
