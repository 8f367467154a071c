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
#include <utility>
#include <vector>
#include "layoutcheck/solver/rewrite/digit_basis.h"
#include "layoutcheck/solver/rewrite/inequality_prover.h"

namespace layoutcheck {

class QuotientFinder {
 public:
  // `canonical` returns the canonical form of a polynomial.
  QuotientFinder(Derivation& derivation, InequalityProver& inequalities,
                 std::function<Polynomial(const Polynomial&)> canonical)
      : derivation_(derivation),
        ring_(derivation.ring()),
        inequalities_(inequalities),
        canonical_(std::move(canonical)) {}

  // Returns the canonical quotient, after showing 0 <= dividend - divisor * quotient < divisor. Requires that divisor
  // >= 1 was shown.
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
  void DeriveDigit(OpaqueQuotient fine, OpaqueQuotient coarse);

  Derivation& derivation_;
  Ring& ring_;
  InequalityProver& inequalities_;
  std::function<Polynomial(const Polynomial&)> canonical_;
  std::vector<OpaqueQuotient> quotients_;
  std::map<std::pair<Polynomial, Polynomial>, Polynomial> results_;  // by dividend and divisor
};

}  // namespace layoutcheck
