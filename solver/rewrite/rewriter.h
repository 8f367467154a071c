// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds certificates for statements about the digits of a layout: brings polynomials into canonical form and applies
// the lemmas that justify each step. Not trusted: Z3 does not accept a derivation with a wrong or missing step.
//
// An index or an offset splits into mixed-radix digits, x = t * (x floordiv t) + (x mod t). To find the quotient of a
// polynomial by S, the polynomial is written in finer and finer digits, until it is Q * S + R where R is a number in
// mixed radix that is below S; the quotient is Q then. If that fails, the quotient becomes a new digit. Remainders are
// eliminated in the end, x mod t = x - t * (x floordiv t), so that equal values have equal polynomials.
#pragma once

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
  // The division value = divisor * quotient + remainder, which made two digits of a number.
  struct Split {
    Polynomial value;
    Polynomial divisor;
    Polynomial quotient;
  };

  explicit Rewriter(Derivation& derivation) : derivation_(derivation), ring_(derivation.ring()) {}

  // Tells the rewriter that the derivation implies `name` >= 1.
  void AddPositive(const Polynomial& name);
  // Tells the rewriter that the derivation implies 0 <= value < bound.
  void AddDigit(const Polynomial& value, const Polynomial& bound);

  // Returns the canonical form: an equal polynomial in variables and quotients that have no simpler form.
  Polynomial Canonical(const Polynomial& polynomial);

  // Shows 0 <= canonical < bound by a mixed-radix reading, and returns true if there is one.
  bool ShowInRange(const Polynomial& canonical, const Polynomial& bound);
  // Shows 0 <= canonical < bound for the bound that the digits give, and returns that bound, or nothing.
  std::optional<Polynomial> FindBound(const Polynomial& canonical);
  // Shows polynomial >= 1 if it is a product of positive numbers.
  bool ShowPositive(const Polynomial& polynomial);
  // Shows polynomial >= 0 if it is a product of names and numbers of tiles.
  void ShowNotNegative(const Polynomial& polynomial);

  // The steps so far in order. Equal work leaves equal lists.
  const std::vector<RadixStep>& radix_steps() const { return radix_steps_; }
  const std::vector<Split>& splits() const { return splits_; }
  // The first reason why a canonical form could not be found; empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  // The equation atom = replacement, which writes polynomials in finer digits.
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
  // Calls attempt(refined, number of rules applied) for the polynomial in finer and finer digits until it returns true.
  template <class Attempt>
  bool TryRefinements(const Polynomial& polynomial, Attempt&& attempt);
  // Returns the polynomial with the first `rules` rules applied.
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
