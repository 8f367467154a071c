// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the certificate: brings the terms of a statement into digit refined and applies, on the way, the lemmas that
// justify each step. Nothing here is trusted. What it applies wrongly or forgets, the solver does not accept.
//
// The idea: an index or an address splits into mixed-radix digits, x = t * (x floordiv t) + (x mod t). A quotient or
// remainder of a polynomial is worked out by writing the polynomial in digits, until it is Q * S + R with R a number in
// mixed radix that is below S; the quotient is Q then. What cannot be worked out becomes a new digit. Remainders are
// eliminated in the end (x mod t = x - t * (x floordiv t)), so that equal values have equal polynomials.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_REWRITER_H_
#define LAYOUTCHECK_SOLVER_REWRITE_REWRITER_H_

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "layoutcheck/solver/certificate/derivation.h"
#include "layoutcheck/solver/rewrite/mixed_radix_reading.h"
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

class Rewriter {
 public:
  // value = divisor * quotient + remainder.
  struct Split {
    Polynomial value;
    Polynomial divisor;
    Polynomial quotient;
  };

  explicit Rewriter(Derivation& derivation) : derivation_(derivation), ring_(derivation.ring()) {}

  // Says that the certificate implies `name` >= 1.
  void AddPositive(const Polynomial& name);
  // Says that the certificate implies 0 <= value < bound.
  void AddDigit(const Polynomial& value, const Polynomial& bound);

  // The polynomial in variables and quotients that cannot be worked out. The certificate implies that it is equal.
  Polynomial Canonical(const Polynomial& polynomial);

  // Looks for a mixed-radix reading of a canonical polynomial that shows 0 <= polynomial < bound; applies the lemmas.
  bool ShowInRange(const Polynomial& canonical, const Polynomial& bound);
  // The same where `bound` is not known: returns the one that the digits give, or nothing.
  std::optional<Polynomial> FindBound(const Polynomial& canonical);
  // Shows polynomial >= 1 where it is a product of positive numbers.
  bool ShowPositive(const Polynomial& polynomial);

  // Shows polynomial >= 0 where it is a product of names and numbers of tiles.
  void ShowNotNegative(const Polynomial& polynomial);

  // What was done so far, in order; equal work leaves equal lists.
  const std::vector<RadixStep>& radix_steps() const { return radix_steps_; }
  const std::vector<Split>& splits() const { return splits_; }
  // Why something could not be worked out; the first reason, empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  // atom = replacement, used to write polynomials in finer digits.
  struct Rule {
    AtomId atom;
    Polynomial replacement;
  };
  struct QuotientAndRemainder {
    Polynomial quotient;
    Polynomial remainder;
  };

  std::optional<AtomId> LoneAtom(const Polynomial& polynomial) const;
  Polynomial CanonicalAtom(AtomId atom);
  Polynomial CanonicalDivision(AtomKind kind, const Polynomial& dividend, const Polynomial& divisor);
  std::optional<QuotientAndRemainder> FindQuotient(const Polynomial& dividend, const Polynomial& divisor);
  std::optional<QuotientAndRemainder> DivideRefined(const Polynomial& refined, const Polynomial& divisor, size_t rules);
  QuotientAndRemainder DivideAddends(const Polynomial& refined, const Polynomial& divisor);
  void MakeDigit(const Polynomial& dividend, const Polynomial& divisor);
  // Calls attempt(refined, rules applied) for the polynomial in finer and finer digits until it returns true.
  template <class Attempt>
  bool TryRefinements(const Polynomial& polynomial, Attempt&& attempt);
  // The polynomial with the first rules applied.
  Polynomial Refine(const Polynomial& polynomial, size_t rules, Justify justify);
  std::optional<Polynomial> ShowMixedRadix(const Polynomial& refined, size_t rules,
                                           const std::optional<Polynomial>& limit);
  bool ShowRefinedInRange(const Polynomial& refined, const Polynomial& bound, size_t rules);
  bool IsLinearInRange(const Polynomial& refined, const Polynomial& bound) const;
  std::vector<BoundedDigit> DigitsOf(const Polynomial& refined, size_t rules);

  Polynomial Replace(const Polynomial& polynomial, const Rule& rule, Justify justify);

  Derivation& derivation_;
  Ring& ring_;
  std::vector<BoundedDigit> digits_;
  std::vector<Rule> rules_;
  std::set<AtomId> positive_;
  std::map<AtomId, Polynomial> canonical_atoms_;
  std::map<std::pair<Polynomial, Polynomial>, std::optional<QuotientAndRemainder>> divisions_;
  std::vector<RadixStep> radix_steps_;
  std::vector<Split> splits_;
  std::string failure_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_REWRITER_H_
