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
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

// A number with 0 <= value < bound. The derivation bounds `known_as`, which equals `value` in coarser digits.
struct BoundedDigit {
  Polynomial value;
  Polynomial bound;
  Polynomial known_as;
};

// The number major * radix + minor, where 0 <= major < major_size and 0 <= minor < radix.
struct RadixStep {
  Polynomial major;
  Polynomial major_size;
  Polynomial minor;
  Polynomial radix;
};

struct MixedRadixReading {
  std::vector<RadixStep> steps;  // from the most minor digit to the most major one
  Polynomial bound;              // product of the sizes of the digits; the number is below it
};

// Returns a reading of `number` in the given digits, or nothing. With `limit`, the reading also shows number < limit.
std::optional<MixedRadixReading> ReadMixedRadix(Ring& ring, const Polynomial& number,
                                                const std::vector<BoundedDigit>& digits,
                                                const std::optional<Polynomial>& limit);

class Rewriter {
 public:
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

  // Derives that two numbers, which are read in the same way, have equal digits if they are equal. With a bound, only
  // readings as a number below it count. Returns true if a reading was found.
  bool EquateDigits(const Polynomial& first, const Polynomial& second, const std::optional<Polynomial>& bound);
  // Derives that tile * tile_count with tile_count = ceil(size / tile) is at least `size`, less than size + tile, and
  // at most tile * other for every `other` with size <= tile * other. All but `other` are canonical.
  void DeriveLeastMultiple(const Polynomial& size, const Polynomial& tile, const Polynomial& tile_count,
                           const Polynomial& other);
  // The first reason why a canonical form could not be found; empty if there was none.
  const std::string& failure() const { return failure_; }

 private:
  // The division value = divisor * quotient + remainder, which made two digits of a number.
  struct Split {
    Polynomial value;
    Polynomial divisor;
    Polynomial quotient;
  };
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

  Derivation& derivation_;
  Ring& ring_;
  std::vector<BoundedDigit> digits_;
  std::vector<Rule> rules_;
  std::set<AtomId> positive_;
  std::map<AtomId, Polynomial> canonical_atoms_;
  std::map<std::pair<Polynomial, Polynomial>, std::optional<QuotientAndRemainder>> divisions_;
  std::vector<RadixStep> radix_steps_;  // steps in order, as are the splits: equal work leaves equal lists
  std::vector<Split> splits_;
  std::string failure_;
};

}  // namespace layoutcheck
