// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the certificate for statements about any terms: formulas as people write them. As rewriter.h for the digits of
// a layout, it brings quotients and remainders into a canonical form and applies, on the way, the lemmas that justify
// each step; nothing here is trusted. The difference is in how ranges are shown: by linear arithmetic over everything
// that is known, with products of what is known where they are needed.
//
// A quotient P floordiv t is worked out as Q where 0 <= P - Q t < t can be shown: Q is guessed from the coefficients of
// P, written in the digits of what it is made of. What cannot be worked out is a new unknown, in a form that is the
// same for equal quotients: nested quotients joined, multiples of the divisor taken out, common factors cancelled, the
// first coefficient not negative. Remainders are eliminated.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_FLOOR_REWRITER_H_
#define LAYOUTCHECK_SOLVER_REWRITE_FLOOR_REWRITER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "layoutcheck/solver/rewrite/inequality_prover.h"
#include "layoutcheck/solver/rewrite/quotient_finder.h"

namespace layoutcheck {

class FloorRewriter {
 public:
  // `samples` are points at which the statement's variables may be.
  FloorRewriter(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples);

  // Learns what follows from a hypothesis of the statement.
  void LearnHypothesis(const TermRelation& relation);
  // Gives a new variable, at each sample point, the bits that all of the terms have there.
  void SampleConjunction(const std::string& variable, const std::vector<Term>& terms);

  // The polynomial in variables and quotients that cannot be worked out. The certificate implies that it is equal.
  Polynomial Canonical(const Term& term) { return Canonical(derivation_.Normalize(term)); }
  Polynomial Canonical(const Polynomial& polynomial);

  // Whether the relation was shown: the certificate implies it then.
  bool Show(const TermRelation& relation);
  bool ShowZero(const Polynomial& canonical) { return inequalities_.ShowZero(canonical); }

  // A relation on which it depends whether, or why, the polynomial is zero: neither it nor its negation is known.
  std::optional<TermRelation> SuggestCaseDistinction(const Polynomial& canonical);

  // The points that agree with all hypotheses.
  const AtomSamples& samples() const { return inequalities_.samples(); }
  // How many questions of linear arithmetic were asked.
  int64_t questions() const { return inequalities_.questions(); }
  // Why something could not be worked out; the first reason, empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  Polynomial CanonicalAtom(AtomId atom);
  Polynomial CanonicalDivision(AtomKind kind, AtomId atom, const Polynomial& dividend, const Polynomial& divisor);
  void Solve(const Polynomial& zero);

  Term ToTerm(const Polynomial& polynomial);

  Derivation& derivation_;
  Ring& ring_;
  InequalityProver inequalities_;
  QuotientFinder quotients_;
  std::map<AtomId, Polynomial> rules_;  // replacements, from equations that were solved for an atom
  std::map<AtomId, Polynomial> canonical_atoms_;
  std::set<AtomId> in_progress_;
  std::string failure_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_FLOOR_REWRITER_H_
