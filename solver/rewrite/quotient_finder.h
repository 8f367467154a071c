// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the quotient of two canonical polynomials, or a new unknown for it in a form that is the same for equal
// quotients.
//
// P floordiv t is Q if 0 <= P - Q t < t can be shown. Q is guessed from the coefficients of P, written in the digits of
// its atoms. If no guess can be shown, the quotient is an unknown: nested quotients are joined, multiples of the
// divisor taken out, common factors cancelled, and the first coefficient is not negative.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/solver/rewrite/inequality_prover.h"
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

// An atom that is dividend floordiv divisor and has no simpler form.
struct OpaqueQuotient {
  AtomId atom;
  Polynomial dividend;
  Polynomial divisor;
};

// Writes polynomials in the digits of their atoms: if x floordiv 8 and x floordiv 128 are known, x is 128 (x floordiv
// 128) + 8 u + v with digits u < 16 and v < 8.
class DigitBasis {
 public:
  enum class Chain : uint8_t {
    kNone,        // no digits
    kAscending,   // divisors from the least on, each a multiple of the one before
    kDescending,  // divisors from the greatest on, each a divisor of the one before
    kSymbolic,    // one divisor that is no number
  };

  // Makes the digits of the atoms that the quotients divide: variables of the ring that occur in no certificate.
  DigitBasis(Derivation& derivation, std::span<const OpaqueQuotient> quotients, Chain chain);

  bool empty() const { return to_digits_.empty(); }
  Polynomial ToDigits(const Polynomial& polynomial) const { return Replace(polynomial, to_digits_); }
  Polynomial FromDigits(const Polynomial& polynomial) const { return Replace(polynomial, from_digits_); }

 private:
  using Replacements = std::vector<std::pair<AtomId, Polynomial>>;  // applied in order

  Polynomial Replace(Polynomial polynomial, const Replacements& replacements) const;
  void AddFamily(AtomId base, const Polynomial& dividend, std::vector<OpaqueQuotient> family, Chain chain);

  Derivation& derivation_;
  Replacements to_digits_;
  Replacements from_digits_;
};

class QuotientFinder {
 public:
  // `canonical` returns the canonical form of a polynomial.
  QuotientFinder(Derivation& derivation, InequalityProver& inequalities,
                 std::function<Polynomial(const Polynomial&)> canonical)
      : derivation_(derivation),
        ring_(derivation.ring()),
        inequalities_(inequalities),
        canonical_(std::move(canonical)) {}

  // Returns the canonical quotient after showing that the rest is in [0, divisor). Requires that divisor >= 1 was
  // shown.
  Polynomial Divide(const Polynomial& dividend, const Polynomial& divisor);

  const std::vector<OpaqueQuotient>& unknowns() const { return quotients_; }
  // Forgets the quotients that were found, because a new equation may simplify them.
  void ForgetResults() { results_.clear(); }

 private:
  using Attempt = std::optional<Polynomial>;

  Attempt ReduceSquare(const Polynomial& dividend);
  Polynomial DivideByNumber(const Polynomial& dividend, Int128 divisor, int depth);
  Attempt GuessFromCoefficients(const Polynomial& dividend, Int128 divisor, const DigitBasis& basis);
  Attempt DropSmallAddends(const Polynomial& dividend, Int128 divisor, const DigitBasis& basis, int depth);
  Polynomial DivideByPolynomial(const Polynomial& dividend, const Polynomial& divisor, bool may_negate);
  Attempt JoinQuotients(const Polynomial& dividend, const Polynomial& divisor);
  Attempt CancelCommonFactor(const Polynomial& dividend, const Polynomial& divisor);
  Attempt LongDivision(const Polynomial& dividend, const Polynomial& divisor, const DigitBasis& basis);
  bool SplitForDivision(const Polynomial& dividend, const Polynomial& divisor);
  Polynomial MakeUnknown(const Polynomial& dividend, const Polynomial& divisor);
  void DeriveBounds(OpaqueQuotient quotient);
  void DeriveBoundsOfSum(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor);
  void DeriveBoundsByFactors(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor);
  void DeriveBoundsBySizes(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor);
  void DivideBound(const Polynomial& q, const Polynomial& divisor, const Polynomial& bound);
  Attempt DivideByAtom(const Polynomial& polynomial, AtomId atom);
  void DeriveDigit(OpaqueQuotient fine, OpaqueQuotient coarse);

  Derivation& derivation_;
  Ring& ring_;
  InequalityProver& inequalities_;
  std::function<Polynomial(const Polynomial&)> canonical_;
  std::vector<OpaqueQuotient> quotients_;
  std::map<std::pair<Polynomial, Polynomial>, Polynomial> results_;  // quotients by dividend and divisor
};

}  // namespace layoutcheck
