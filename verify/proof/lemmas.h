// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemmas that a certificate may use. They are all that a checker takes on faith; proofs/Lemmas.v
// and proofs/Bits.v prove them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/proof/ring.h"

namespace layoutcheck::verify {

// The statement of a lemma: for all integers, the premises imply the conclusions.
struct LemmaText {
  std::string_view name;
  std::string_view parameters;  // separated by blanks
  std::string_view premises;    // separated by "; ", as are the conclusions
  std::string_view conclusions;
};

// Returns all lemmas.
std::span<const LemmaText> LemmaTexts();

enum class QuotientKind : uint8_t { kFloorDiv, kCeilDiv, kMod, kCommonBits };

// A lemma, prepared for its instances. Its values are the parameters followed by their quotients, remainders and common
// bits.
struct Lemma {
  struct Quotient {
    QuotientKind kind;
    uint8_t a;  // number of a parameter, as is b
    uint8_t b;
  };
  struct Term {
    int coefficient;
    std::array<uint8_t, 2> factors;  // numbers of values
    uint8_t degree;                  // number of factors
  };
  // The sum of the terms is 0, or at least 0.
  struct Claim {
    bool is_equation = false;
    std::vector<Term> terms;
  };

  std::string_view name;
  size_t parameter_count = 0;
  std::vector<Quotient> quotients;
  std::vector<Claim> premises;
  std::vector<Claim> conclusions;
};

// Returns the lemma of this name, or null.
const Lemma* FindLemma(std::string_view name);

// Appends the quotients and remainders of an instance to its arguments.
void AppendQuotients(const Lemma& lemma, Ring& ring, std::vector<Polynomial>& values);
// Adds factor times the claim's sum of terms to the present sum of the ring.
void AddClaim(const Lemma::Claim& claim, std::span<const Polynomial> values, Int128 factor, Ring& ring);

}  // namespace layoutcheck::verify
