// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials written in the digits of what they are made of: where x floordiv 8 and x floordiv 128 are known, x is
// 128 (x floordiv 128) + 8 u + v with digits u < 16 and v < 8.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_DIGIT_BASIS_H_
#define LAYOUTCHECK_SOLVER_REWRITE_DIGIT_BASIS_H_

#include <span>
#include <utility>
#include <vector>

#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

// An atom that is dividend floordiv divisor and not worked out further.
struct OpaqueQuotient {
  AtomId atom;
  Polynomial dividend;
  Polynomial divisor;
};

class DigitBasis {
 public:
  enum class Chain : uint8_t {
    kNone,        // no digits: the polynomial as it is
    kAscending,   // each divisor a multiple of the ones before, from the least
    kDescending,  // each divisor a divisor of the ones before, from the greatest
    kSymbolic,    // one divisor that is no number
  };

  // The digits of the atoms that are divided by the quotients. They are variables of the ring, but stand in no
  // certificate.
  DigitBasis(Derivation& derivation, std::span<const OpaqueQuotient> quotients, Chain chain);

  // Whether there is any digit.
  bool empty() const { return to_digits_.empty(); }
  Polynomial ToDigits(const Polynomial& polynomial) const;
  Polynomial FromDigits(const Polynomial& polynomial) const;

 private:
  void AddFamily(AtomId base, const Polynomial& dividend, std::vector<OpaqueQuotient> family, Chain chain);

  Derivation& derivation_;
  std::vector<std::pair<AtomId, Polynomial>> to_digits_;  // applied in order
  std::vector<std::pair<AtomId, Polynomial>> from_digits_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_DIGIT_BASIS_H_
