// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators & | ^ on integers of which no bit is known, written as sums.
//
// An operator that works bit by bit on k unknowns is a sum of their conjunctions with constant factors, where the empty
// conjunction is -1: x | y = x + y - (x & y), x ^ y = x + y - 2 (x & y). This holds for all integers in unbounded two's
// complement. Operators with the same truth table therefore have the same sum (Zhou, Main, Gu, Johnson: Information
// Hiding in Software with Mixed Boolean-Arithmetic Transforms, 2007).
//
// A conjunction of two or more unknowns becomes a variable. The path's hypotheses say only that it lies between 0 and
// each unknown that is not negative. The sums and these hypotheses are part of the statement and therefore trusted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/formula_proof/path_decisions.h"
#include "layoutcheck/solver/formula_proof/term_text.h"

namespace layoutcheck {

class BitFunctions {
 public:
  static constexpr size_t kMaxUnknowns = 6;  // a truth table has 2^kMaxUnknowns rows

  BitFunctions(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate), rewriter_(rewriter), decisions_(decisions) {}

  // Returns a op b for kBitAnd, kBitOr and kBitXor, or nothing if the path has too many unknowns.
  std::optional<Term> Apply(FormulaOp op, const Term& a, const Term& b);

  bool HasConjunctions() const { return !conjunctions_.empty(); }
  // Returns the variables that stand for conjunctions, with the terms of each.
  const CommonBits& common_bits() const { return common_bits_; }

 private:
  // Bit r is the function's value where unknown i has bit i of r.
  using Table = uint64_t;
  struct KnownTerm {
    Term term;
    Table table;
  };

  // Returns the truth table, or nothing if there are too many unknowns. A term that equals one with a table, or its
  // complement, gets its table from there, and the equality becomes a goal. Any other term is a new unknown.
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
  CommonBits common_bits_;
};

}  // namespace layoutcheck
