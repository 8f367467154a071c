// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds certificates for statements about any terms, such as formulas that users write. Like Rewriter, it brings
// polynomials into canonical form and applies the lemmas that justify each step. Unlike Rewriter, it shows ranges by
// linear arithmetic over all known facts (inequality_prover.h). Remainders are eliminated. Not trusted.
#pragma once

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
  // `rlimit` is Z3's budget per question of linear arithmetic; `samples` are points that the variables may be at.
  FloorRewriter(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples);

  // Learns what follows from a hypothesis of the statement.
  void LearnHypothesis(const TermRelation& relation);
  // Gives a new variable, at each sample point, the bits common to all terms.
  void SampleConjunction(const std::string& variable, const std::vector<Term>& terms);

  // Gives a new variable, at each sample point, two to the power of the term.
  void SamplePower(const std::string& variable, const Term& exponent) {
    inequalities_.samples().DefinePower(variable, derivation_.Normalize(exponent));
  }

  // Gives a new variable small and large values >= 0 at the sample points.
  void SampleCount(const std::string& variable) { inequalities_.samples().DefineCount(variable); }

  // Returns the canonical form: an equal polynomial in variables and quotients that have no simpler form.
  Polynomial Canonical(const Term& term) { return Canonical(derivation_.Normalize(term)); }
  Polynomial Canonical(const Polynomial& polynomial);

  // Return true if the claim was shown; the derivation implies it then.
  bool Show(const TermRelation& relation);
  bool ShowZero(const Polynomial& canonical) { return inequalities_.ShowZero(canonical); }

  // Learns that a quotient P floordiv c is less than B if c is a number, the bound is c B, and P was shown to be below
  // the bound. Looks at all quotients that have no simpler form.
  void LearnRoundedBound(const Term& bound);

  // Returns the polynomial as a term, with the constant last.
  Term ToTerm(const Polynomial& polynomial);

  // Returns a relation that is neither known nor refuted and on which it depends whether the polynomial is zero.
  std::optional<TermRelation> SuggestCaseDistinction(const Polynomial& canonical);

  const AtomSamples& samples() const { return inequalities_.samples(); }
  int64_t questions() const { return inequalities_.questions(); }
  // The first reason why a canonical form could not be found; empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  Polynomial CanonicalAtom(AtomId atom);
  Polynomial CanonicalDivision(AtomKind kind, AtomId atom, const Polynomial& dividend, const Polynomial& divisor);
  void Solve(const Polynomial& zero);

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
