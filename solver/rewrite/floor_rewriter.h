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

#include "layoutcheck/solver/rewrite/atom_samples.h"
#include "layoutcheck/solver/rewrite/digit_basis.h"
#include "layoutcheck/solver/rewrite/linear_facts.h"
#include "layoutcheck/solver/rewrite/replace_atom.h"

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
  bool ShowNotNegative(const Polynomial& canonical);
  bool ShowZero(const Polynomial& canonical);

  // A relation on which it depends whether, or why, the polynomial is zero: neither it nor its negation is known.
  std::optional<TermRelation> SuggestCaseDistinction(const Polynomial& canonical);

  // The points that agree with all hypotheses.
  const AtomSamples& samples() const { return samples_; }
  // How many questions of linear arithmetic were asked.
  int64_t questions() const { return linear_.questions(); }
  // Why something could not be worked out; the first reason, empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  using Attempt = std::optional<Polynomial>;

  Polynomial CanonicalAtom(AtomId atom);
  Polynomial CanonicalDivision(AtomKind kind, AtomId atom, const Polynomial& dividend, const Polynomial& divisor);
  void Solve(const Polynomial& zero);

  // The canonical quotients; 0 <= dividend - divisor * result < divisor was shown.
  Polynomial Quotient(const Polynomial& dividend, const Polynomial& divisor);
  Polynomial QuotientByNumber(const Polynomial& dividend, Int128 divisor, int depth);
  Attempt GuessByCoefficients(const Polynomial& dividend, Int128 divisor, const DigitBasis& basis);
  Attempt DropSmallTerms(const Polynomial& dividend, Int128 divisor, const DigitBasis& basis, int depth);
  Polynomial QuotientByPolynomial(const Polynomial& dividend, const Polynomial& divisor, bool may_negate);
  Attempt JoinQuotients(const Polynomial& dividend, const Polynomial& divisor);
  Attempt CancelCommonFactor(const Polynomial& dividend, const Polynomial& divisor);
  Attempt LongDivision(const Polynomial& dividend, const Polynomial& divisor, const DigitBasis& basis);
  bool SplitForDivision(const Polynomial& dividend, const Polynomial& divisor);
  Polynomial NewQuotient(const Polynomial& dividend, const Polynomial& divisor);
  void DeriveBounds(OpaqueQuotient quotient);

  bool InRange(const Polynomial& polynomial, const Polynomial& bound);
  bool ShowByProducts(const Polynomial& polynomial);
  void AddFact(const Polynomial& not_negative);
  Polynomial Plus(const Polynomial& polynomial, Int128 constant);
  Polynomial Times(const Polynomial& polynomial, Int128 factor);
  Polynomial Normalized(const Polynomial& not_negative);
  bool KnownNotNegative(MonomialId monomial) const;
  Term ToTerm(const Polynomial& polynomial);

  Derivation& derivation_;
  Ring& ring_;
  LinearFacts linear_;
  AtomSamples samples_;
  std::vector<Polynomial> facts_;  // all >= 0
  std::set<MonomialId> wanted_;    // products that hypotheses speak of
  std::set<AtomId> not_negative_;
  std::vector<OpaqueQuotient> quotients_;
  std::map<AtomId, Polynomial> rules_;  // what equations were solved for
  std::map<AtomId, Polynomial> canonical_atoms_;
  std::map<std::pair<Polynomial, Polynomial>, Polynomial> worked_out_;
  std::set<AtomId> in_progress_;
  std::string failure_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_FLOOR_REWRITER_H_
