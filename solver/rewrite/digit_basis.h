// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes polynomials in the digits of their atoms: if x floordiv 8 and x floordiv 128 are known, x is 128 (x floordiv
// 128) + 8 u + v with digits u < 16 and v < 8.
#pragma once

#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/solver/rewrite/replace_atom.h"

namespace layoutcheck {

// An atom that is dividend floordiv divisor and has no simpler form.
struct OpaqueQuotient {
  AtomId atom;
  Polynomial dividend;
  Polynomial divisor;
};

// The digits of the atoms that occur in some quotients.
class DigitBasis {
 public:
  enum class Chain : uint8_t {
    kNone,        // no digits
    kAscending,   // divisors from the least on, each a multiple of the one before
    kDescending,  // divisors from the greatest on, each a divisor of the one before
    kSymbolic,    // one divisor that is no number
  };

  // Makes the digits of the atoms that the quotients divide. Digits are variables of the ring that occur in no
  // certificate.
  DigitBasis(Derivation& derivation, std::span<const OpaqueQuotient> quotients, Chain chain);

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
