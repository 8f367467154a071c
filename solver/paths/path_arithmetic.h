// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on one path: returns the value of an operator of formulas or of C++ as a term. If the value depends on a
// condition (C's / with its two roundings, min), the path shows or decides the condition (path_decisions.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/paths/bit_functions.h"
#include "layoutcheck/solver/paths/path_decisions.h"

namespace layoutcheck {

// The value of an operator, or why there is none: it does not exist on this path, or cannot be written as a term.
struct PathValue {
  std::optional<Term> term = std::nullopt;
  FormulaFault fault = FormulaFault::kNone;
  std::string_view unsupported = {};  // "a shift by an unknown that takes many values"
};

// Returns the value of the type of `width` bits that is equal to `a` modulo 2^width.
Term WrappedTerm(bool is_signed, int width, const Term& a);

// The operators & | ^ on one path.
class PathBits {
 public:
  // With `split_masks`, an unknown mask with few values is split into one path per value.
  PathBits(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions, bool split_masks)
      : certificate_(certificate),
        rewriter_(rewriter),
        decisions_(decisions),
        functions_(certificate, rewriter, decisions),
        split_masks_(split_masks) {}

  PathValue Apply(FormulaOp op, const Term& a, const Term& b);
  // Decides if a & b == 0 if the operands are x and x - 1, so that x is a power of two, or 0. Otherwise returns
  // nothing. `is_zero_left` says that the condition is 0 == (a & b).
  std::optional<bool> AssumeNoCommonBits(const Term& a, const Term& b, bool is_zero_left);
  // Returns true if there are variables for common bits of terms.
  bool HasConjunctions() const { return functions_.HasConjunctions(); }
  const CommonBits& common_bits() const { return functions_.common_bits(); }
  BitFunctions& functions() { return functions_; }

 private:
  std::optional<Term> And(const Term& a, const Term& b);
  std::optional<Term> AndWithPowerMask(const Term& x, const Term& mask);
  std::optional<Term> AndWithNumber(const Term& x, const Term& mask, bool is_right);
  // `side` says for the outcomes which operand a is.
  bool HaveNoCommonBits(const Term& a, const Term& b, const char* side);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  BitFunctions functions_;
  bool split_masks_;
  std::vector<Term> powers_of_two_;  // terms known to be powers of two or 0
};

// All binary operators except && and || on one path.
class PathArithmetic {
 public:
  PathArithmetic(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions, bool split_masks)
      : rewriter_(rewriter), decisions_(decisions), bits_(certificate, rewriter, decisions, split_masks) {}

  // Returns a op b. The value of a comparison is 0 or 1.
  PathValue Apply(FormulaOp op, const Term& a, const Term& b);
  bool Compare(FormulaOp op, const Term& a, const Term& b);
  // Returns the value of the type of `width` bits that is equal to `a` modulo 2^width: `a` itself where that is shown.
  Term Cast(bool is_signed, int width, const Term& a);

  PathBits& bits() { return bits_; }
  PathDecisions& decisions() { return decisions_; }
  int64_t questions() const { return rewriter_.questions(); }

 private:
  PathValue DivideTruncating(bool remainder, const Term& a, const Term& b);
  PathValue Shift(bool left, const Term& a, const Term& b);

  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  PathBits bits_;
};

}  // namespace layoutcheck
