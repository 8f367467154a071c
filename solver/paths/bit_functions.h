// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators & | ^ on integers of which few bits are known, written as sums.
//
// An operator that works bit by bit on k unknowns is a sum of their conjunctions with constant factors, where the empty
// conjunction is -1: x | y = x + y - (x & y), x ^ y = x + y - 2 (x & y). This holds for all integers in unbounded two's
// complement. Operators with the same truth table therefore have the same sum (Zhou, Main, Gu, Johnson: Information
// Hiding in Software with Mixed Boolean-Arithmetic Transforms, 2007).
//
// A conjunction of two or more unknowns becomes a variable. The path's hypotheses say that it lies between 0 and each
// unknown that is not negative. Two more facts use ranges of unknowns, which become goals:
//
//   The bits of a result from place p on are those of its truth table with 0 for each unknown x with 0 <= x < 2^p. If
//   that leaves only zeros, the result lies in [0, 2^p); if it leaves only ones, in [-2^p, 0).
//   A conjunction with a multiple of 2^l and with an x that lies in [0, 2^h) is 2^l times that of the bits [l, h).
//
// For Z3, the sums, the hypotheses and these facts are part of the statement and therefore trusted. For the checkers of
// certificates, they follow from lemmas, whose instances are in steps().
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/paths/bit_steps.h"
#include "layoutcheck/solver/paths/path_decisions.h"
#include "layoutcheck/solver/paths/term_text.h"

namespace layoutcheck {

class BitFunctions {
 public:
  static constexpr size_t kMaxUnknowns = 8;

  BitFunctions(Certificate& certificate, FloorRewriter& rewriter, PathDecisions& decisions)
      : certificate_(certificate), rewriter_(rewriter), decisions_(decisions), steps_(certificate.ring()) {}

  // Returns a op b for kBitAnd, kBitOr and kBitXor, or nothing if the path has too many unknowns.
  std::optional<Term> Apply(FormulaOp op, const Term& a, const Term& b);

  // Returns the variable that stands for the common bits of both terms.
  Term CommonVariable(const Term& a, const Term& b);
  // Assumes a relation that follows from the hypotheses before it and the instances of steps().
  void AssumeDerived(const TermRelation& relation);

  bool HasConjunctions() const { return !conjunctions_.empty(); }
  // Returns the variables that stand for conjunctions, with the terms of each.
  const CommonBits& common_bits() const { return common_bits_; }
  BitSteps& steps() { return steps_; }
  // The numbers of the hypotheses that AssumeDerived() made.
  const std::vector<size_t>& derived() const { return derived_; }

 private:
  // Bit r is the function's value where unknown i has bit i of r.
  using Table = std::bitset<size_t{1} << kMaxUnknowns>;
  struct KnownTerm {
    Term term;
    Table table;
    BitSteps::Value value = BitSteps::kUntraced;
  };
  struct Unknown {
    Term term;
    std::optional<int> bits;  // as PathDecisions::BitsOf
    int zeros;                // the term is a multiple of 2^zeros
    BitSteps::Value value;
  };
  // Bits of several terms that decide their conjunction: it is `factor` times that of `terms`.
  struct Fields {
    std::vector<Term> terms;
    Term factor;
    int low;
    int high;
  };

  // Returns the truth table, or nothing if there are too many unknowns. A term that equals one with a table, or its
  // complement, gets its table from there, and the equality becomes a goal. Any other term is a new unknown.
  std::optional<KnownTerm> TableOf(const Term& term);
  Unknown MakeUnknown(const Term& term);
  Term FromTable(const Table& table);
  // Returns the conjunction of the unknowns whose bits are set in `unknowns`.
  Term Conjunction(size_t unknowns);
  Term ConjunctionVariable(size_t unknowns);
  void AssumeRange(const Table& table, const Term& value);
  // Returns the operator's value and adds the steps that show it.
  Term Trace(FormulaOp op, const KnownTerm& a, const KnownTerm& b, const Table& table);
  // Adds steps that bound the common bits of a and b, and a | b.
  void TraceRange(const Term& a, const Term& b);
  void TraceFields(std::span<const Unknown> unknowns, const Fields& fields, std::span<const BitSteps::Value> values);
  // Returns the bits that decide the conjunction, or nothing if those are all.
  std::optional<Fields> FieldsOf(std::span<const Unknown> unknowns);

  Certificate& certificate_;
  FloorRewriter& rewriter_;
  PathDecisions& decisions_;
  std::vector<Unknown> unknowns_;
  std::map<Polynomial, KnownTerm> known_;  // by canonical polynomial
  std::map<size_t, Term> conjunctions_;
  CommonBits common_bits_;
  int fields_taken_ = 0;
  BitSteps steps_;
  std::vector<size_t> derived_;
};

}  // namespace layoutcheck
