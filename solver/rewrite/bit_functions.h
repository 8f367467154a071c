// & | ^ of integers of which no bit is known: what follows from the bits alone.
//
// A function of the bits of k unknowns, the same at every place, is a sum of the conjunctions of some of them with
// constant factors, the empty conjunction being -1: x | y = x + y - (x & y), x ^ y = x + y - 2 (x & y). Over two's
// complement without end that holds for all integers, negative ones included. So two functions with the same table of
// truth have the same sum, and a linear combination of such functions is zero for all unknowns if it is so place by
// place (Zhou, Main, Gu, Johnson: Information Hiding in Software with Mixed Boolean-Arithmetic Transforms, 2007).
// Conjunctions of two unknowns or more are integers of which no more is known than that they lie between 0 and each of
// the unknowns that is not negative.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_BIT_FUNCTIONS_H_
#define LAYOUTCHECK_SOLVER_REWRITE_BIT_FUNCTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {

class BitFunctions {
 public:
  // The most unknowns on one path: a table has 2^kMaxUnknowns rows.
  static constexpr size_t kMaxUnknowns = 6;

  explicit BitFunctions(FloorRewriter& rewriter) : rewriter_(rewriter) {}

  // a op b, for kBitAnd, kBitOr and kBitXor; nothing where there are too many unknowns.
  std::optional<Term> Apply(FormulaOp op, const Term& a, const Term& b);

  bool HasConjunctions() const { return !conjunctions_.empty(); }

 private:
  // Bit r is the function's value where unknown i has bit i of r. Nothing for a new unknown where there are too many.
  using Table = uint64_t;
  std::optional<Table> TableOf(const Term& term);
  Term FromTable(Table table);
  // The conjunction of the unknowns whose bits are set in `unknowns`.
  Term Conjunction(size_t unknowns);

  FloorRewriter& rewriter_;
  std::vector<Term> unknowns_;
  std::map<Polynomial, Table> tables_;  // of canonical polynomials
  std::map<size_t, Term> conjunctions_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_BIT_FUNCTIONS_H_
