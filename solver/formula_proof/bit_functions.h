// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// & | ^ of integers of which no bit is known, as sums of integers.
//
// A function of the bits of k unknowns, the same at every place, is a sum of the conjunctions of some of the unknowns
// with constant factors, where the empty conjunction is -1: x | y = x + y - (x & y), x ^ y = x + y - 2 (x & y). In
// two's complement without end that holds for all integers, negative ones included. So two functions with the same
// truth table have the same sum, and a linear combination of such functions is zero for all unknowns if it is zero at
// each place (Zhou, Main, Gu, Johnson: Information Hiding in Software with Mixed Boolean-Arithmetic Transforms, 2007).
//
// A conjunction of two or more unknowns becomes a variable, of which the hypotheses of the path say only that it lies
// between 0 and each of the unknowns that is not negative. Trusted: the sums and these hypotheses are part of the
// statement.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_BIT_FUNCTIONS_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_BIT_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/formula_proof/path_decisions.h"

namespace layoutcheck {

// The bitwise functions of the unknowns on one path.
class BitFunctions {
 public:
  // Most unknowns per path: a truth table has 2^kMaxUnknowns rows.
  static constexpr size_t kMaxUnknowns = 6;

  BitFunctions(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate), rewriter_(rewriter), decisions_(decisions) {}

  // Returns a op b, for kBitAnd, kBitOr and kBitXor; nothing if there are too many unknowns.
  std::optional<Term> Apply(FormulaOp op, const Term& a, const Term& b);

  bool HasConjunctions() const { return !conjunctions_.empty(); }

 private:
  // Bit r is the function's value where unknown i has bit i of r.
  using Table = uint64_t;
  struct KnownTerm {
    Term term;
    Table table;
  };

  // Returns the truth table of the term. A term that is equal to one with a table, or to its complement, gets it from
  // there, and the equality becomes a goal; any other is a new unknown. Returns nothing if there are too many unknowns.
  std::optional<Table> TableOf(const Term& term);
  Term FromTable(Table table);
  // Returns the conjunction of the unknowns whose bits are set in `unknowns`.
  Term Conjunction(size_t unknowns);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  std::vector<Term> unknowns_;
  std::map<Polynomial, KnownTerm> known_;  // by canonical polynomial
  std::map<size_t, Term> conjunctions_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_BIT_FUNCTIONS_H_
