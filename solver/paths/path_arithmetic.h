// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on one path: returns the value of an operator of formulas or of C++ as a term. If the value depends on a
// condition (C's / with its two roundings, min), the path shows or decides the condition (path_decisions.h). Formulas
// are evaluated to terms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/paths/bit_functions.h"

namespace layoutcheck {

// Powers of two whose exponents are expressions, as variables of a path: x << k is x times the variable that stands for
// 2^k, and x >> k is x floordiv that variable.
class PowersOfTwo {
 public:
  PowersOfTwo(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate), rewriter_(rewriter), decisions_(decisions) {}

  // Returns 2^exponent: a product of earlier powers, where the exponent is shown to be a sum of theirs and a number, or
  // else a new variable. Adds hypotheses about a new variable: the bounds that follow from the exponent's range, and
  // the order among the earlier powers. Requires that the path knows 0 <= exponent <= 63.
  Term Of(const Term& exponent);

  // The powers so far that are no numbers, each once.
  const std::vector<Term>& all() const { return all_; }
  // The exponents of the variables.
  const PowerExponents& exponents() const { return exponents_; }

 private:
  struct Power {
    Polynomial canonical;  // exponent in canonical form
    Term exponent;
    Term value;
  };

  // Adds the power to all() unless it is a number, and returns it.
  Term Listed(const Term& power);
  bool IsSum(const Term& exponent, const Term& terms, Int128 number);
  std::optional<Term> Product(const Term& exponent, const Polynomial& canonical);
  void AssumeRange(const Term& exponent, const Term& value);
  void AssumeOrder(const Power& added);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  std::vector<Power> powers_;  // powers that are variables
  std::vector<Term> all_;
  PowerExponents exponents_;
};

// The value of an operator, or why there is none: it does not exist on this path, or cannot be written as a term.
struct PathValue {
  std::optional<Term> term = std::nullopt;
  FormulaFault fault = FormulaFault::kNone;
  std::string_view unsupported = {};  // "a shift by an unknown that takes many values"
};

// The treatment of & | ^ between an unknown and a mask that is unknown but has few values.
enum class MaskMode : uint8_t {
  kBits,   // a variable for the bits in common
  kSplit,  // one path per value of the mask
};

// The treatment of a shift by an unknown amount.
enum class ShiftMode : uint8_t {
  kSplit,   // one path per amount
  kPowers,  // a variable for two to the power of the amount (PowersOfTwo)
};

struct PathModes {
  MaskMode masks = MaskMode::kBits;
  ShiftMode shifts = ShiftMode::kSplit;
};

// Returns the value of the type of `width` bits that is equal to `a` modulo 2^width.
Term WrappedTerm(bool is_signed, int width, const Term& a);

// The operators & | ^ on one path.
class PathBits {
 public:
  PathBits(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions, MaskMode masks)
      : certificate_(certificate),
        rewriter_(rewriter),
        decisions_(decisions),
        functions_(certificate, rewriter, decisions),
        powers_(certificate, rewriter, decisions),
        masks_(masks) {}

  PathValue Apply(FormulaOp op, const Term& a, const Term& b);
  // Decides if a & b == 0 if the operands are x and x - 1, so that x is a power of two, or 0. Otherwise returns
  // nothing. `is_zero_left` says that the condition is 0 == (a & b).
  std::optional<bool> AssumeNoCommonBits(const Term& a, const Term& b, bool is_zero_left);
  BitFunctions& functions() { return functions_; }
  PowersOfTwo& powers() { return powers_; }

 private:
  std::optional<Term> And(const Term& a, const Term& b);
  std::optional<Term> AndWithPowerMask(const Term& x, const Term& mask);
  std::optional<Term> AndWithNumber(const Term& x, const Term& mask, bool is_right);
  // `side` says for the outcomes which operand a is.
  bool HaveNoCommonBits(const Term& a, const Term& b, const char* side);
  bool HaveNoCommonBitsByPowers(const Term& a, const Term& b);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  BitFunctions functions_;
  PowersOfTwo powers_;
  MaskMode masks_;
  std::vector<Term> assumed_powers_;  // terms that an assumption says are powers of two or 0
};

// All binary operators except && and || on one path.
class PathArithmetic {
 public:
  PathArithmetic(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions, const PathModes& modes)
      : rewriter_(rewriter),
        decisions_(decisions),
        bits_(certificate, rewriter, decisions, modes.masks),
        shifts_(modes.shifts) {}

  // Returns a op b. The value of a comparison is 0 or 1.
  PathValue Apply(FormulaOp op, const Term& a, const Term& b);
  bool Compare(FormulaOp op, const Term& a, const Term& b);
  // Returns the value of the type of `width` bits that is equal to `a` modulo 2^width: `a` itself where that is shown.
  Term Cast(bool is_signed, int width, const Term& a);

  PathBits& bits() { return bits_; }
  // Returns true if there was a shift by an unknown amount.
  bool has_unknown_shifts() const { return has_unknown_shifts_; }
  PathDecisions& decisions() { return decisions_; }
  int64_t questions() const { return rewriter_.questions(); }

 private:
  PathValue DivideTruncating(bool remainder, const Term& a, const Term& b);
  PathValue Shift(bool left, const Term& a, const Term& b);

  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  PathBits bits_;
  ShiftMode shifts_;
  bool has_unknown_shifts_ = false;
};

// Evaluates a formula on one path to a term.
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
  std::vector<std::optional<Term>> let_values_;  // value of each of Formula::let_names
  std::vector<std::pair<uint32_t, Term>> evaluated_;
  std::string fault_;
  std::string unsupported_;
};

}  // namespace layoutcheck
