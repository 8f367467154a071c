// Arithmetic on a path: what an operator of a formula, or of C++, makes of two terms there. Where the value depends on
// a condition (C's / with its two roundings, min), the condition is shown or decided; see path_decisions.h.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_ARITHMETIC_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_ARITHMETIC_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_proof/bit_functions.h"
#include "layoutcheck/solver/formula_proof/path_decisions.h"

namespace layoutcheck {

// A term or, where there is none, why: the operator has no value on this path, or one that cannot be written down.
struct PathValue {
  std::optional<Term> term = std::nullopt;
  FormulaFault fault = FormulaFault::kNone;
  std::string_view unsupported = {};  // "is a shift by an unknown that takes many values"
};

class PathArithmetic {
 public:
  PathArithmetic(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate),
        rewriter_(rewriter),
        decisions_(decisions),
        bits_(certificate, rewriter, decisions) {}

  // a op b, for an operator between two operands other than && and ||. A comparison is 0 or 1.
  PathValue Apply(FormulaOp op, const Term& a, const Term& b);
  // Whether a op b, for a comparison.
  bool Compare(FormulaOp op, const Term& a, const Term& b);
  // Whether the term is other than 0.
  bool IsTrue(const Term& term) { return !decisions_.DecideEqual(term, 0); }
  // Whether a & b is x & (x - 1) for some x. If so, the path is from now on about those x for which it is 0: powers of
  // two, and 0.
  bool AssumeNoCommonBits(const Term& a, const Term& b);
  // The value of the term where it is the same everywhere on this path, deciding among 2^max_bits where it takes few.
  std::optional<int64_t> NumberOf(const Term& term, int max_bits);

  // Whether there are variables for bits that terms have in common.
  bool HasConjunctions() const { return bits_.HasConjunctions(); }

  // How many decisions were taken on the path, and how many questions of linear arithmetic they took.
  size_t decisions() const { return decisions_.taken(); }
  int64_t questions() const { return rewriter_.questions(); }

 private:
  PathValue Quotient(bool remainder, const Term& a, const Term& b);
  PathValue Shift(bool left, const Term& a, const Term& b);
  PathValue Bits(FormulaOp op, const Term& a, const Term& b);
  std::optional<Term> BitAnd(const Term& a, const Term& b);
  std::optional<Term> BelowPowerOfTwo(const Term& x, const Term& mask);
  bool HaveNoCommonBits(const Term& a, const Term& b);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  BitFunctions bits_;
  std::vector<Term> powers_of_two_;  // or 0
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_PATH_ARITHMETIC_H_
