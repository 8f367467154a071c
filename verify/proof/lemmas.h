// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lemmas that a certificate may use, each as a rule with its arguments, side condition, premises and conclusions.
// They are all that a checker takes on faith; proofs/Lemmas.v and proofs/Bits.v prove them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/proof/ring.h"

namespace layoutcheck::verify {

// The text of one rule: for all integers, the side condition and the premises imply the conclusions. Each of the three
// is a list of claims, separated by "; ". A step of a certificate that uses the rule has one line `by` per claim of the
// side condition, then one per premise.
struct LemmaText {
  std::string_view name;
  std::string_view meaning;    // the rule as a sentence
  std::string_view arguments;  // their names, separated by blanks
  // The claims that a divisor is at least 1, or p a power of two and q one less, so that the quotients, remainders and
  // common bits of the rule are those of integers. Empty for a rule that needs none.
  std::string_view side_condition = {};
  std::string_view premises = {};
  std::string_view conclusions;
};

// All lemmas. tools/lemma_page.py writes the list in docs/certificates.md from these lines.
inline constexpr LemmaText kLemmaTexts[] = {
    {.name = "K1",
     .meaning =
         "A number is the divisor times the quotient plus the remainder, and the remainder is below the divisor.",
     .arguments = "e t",
     .side_condition = "1 <= t",
     .conclusions = "e = t*floordiv(e,t) + mod(e,t); 0 <= mod(e,t); mod(e,t) < t"},
    {.name = "K2",
     .meaning = "A larger major digit makes a number larger by at least the radix.",
     .arguments = "a c R",
     .premises = "1 <= R; c + 1 <= a",
     .conclusions = "c*R + R <= a*R"},
    {.name = "K3",
     .meaning = "Two-digit numbers that are equal have equal major digits.",
     .arguments = "a b c d R",
     .premises = "0 <= b; b < R; 0 <= d; d < R; a*R + b = c*R + d",
     .conclusions = "a = c"},
    {.name = "K3b",
     .meaning = "Two-digit numbers that are equal and have equal major digits have equal minor digits.",
     .arguments = "a b c d R",
     .premises = "a = c; a*R + b = c*R + d",
     .conclusions = "b = d"},
    {.name = "K4",
     .meaning = "A number that is q t + r with a digit r below t has the quotient q.",
     .arguments = "e q r t",
     .premises = "0 <= r; r < t; e = q*t + r",
     .conclusions = "floordiv(e,t) = q"},
    {.name = "K5",
     .meaning = "A number that is q t + r and has the quotient q by t has the remainder r.",
     .arguments = "e q r t Q M",
     .premises = "e = q*t + r; e = t*Q + M; Q = q",
     .conclusions = "M = r"},
    {.name = "K6",
     .meaning = "A two-digit number is not negative.",
     .arguments = "a b R",
     .premises = "0 <= a; 0 <= b; b < R",
     .conclusions = "0 <= a*R + b"},
    {.name = "K7",
     .meaning = "A two-digit number is below the product of the radices.",
     .arguments = "a A b R",
     .premises = "a < A; 0 <= b; b < R",
     .conclusions = "a*R + b < A*R"},
    {.name = "K8",
     .meaning = "The quotient of a digit below d is a digit below ceil(d / t).",
     .arguments = "e d t N",
     .side_condition = "1 <= t",
     .premises = "0 <= e; e < d; N = ceildiv(d,t)",
     .conclusions = "0 <= floordiv(e,t); floordiv(e,t) < N"},
    {.name = "K9",
     .meaning = "Rounding d >= 0 up to a multiple of t adds less than t.",
     .arguments = "d t N",
     .side_condition = "1 <= t",
     .premises = "0 <= d; N = ceildiv(d,t)",
     .conclusions = "0 <= N; d <= N*t; N*t < d + t"},
    {.name = "K9b",
     .meaning = "A size of at least 1 has at least one tile.",
     .arguments = "d t N",
     .side_condition = "1 <= t",
     .premises = "1 <= d; N = ceildiv(d,t)",
     .conclusions = "1 <= N"},
    {.name = "K10",
     .meaning = "An address below d S has its quotient by S below d.",
     .arguments = "p d S",
     .side_condition = "1 <= S",
     .premises = "0 <= p; p < d*S",
     .conclusions = "0 <= floordiv(p,S); floordiv(p,S) < d"},
    {.name = "K11",
     .meaning = "A product of sizes of at least 1 is at least 1.",
     .arguments = "a b",
     .premises = "1 <= a; 1 <= b",
     .conclusions = "1 <= a*b"},
    {.name = "R10",
     .meaning = "A product with a factor >= 0 is monotone.",
     .arguments = "a b c",
     .premises = "a <= b; 0 <= c",
     .conclusions = "a*c <= b*c"},
    {.name = "R11",
     .meaning = "Of two products with a factor >= 0, the smaller one has the smaller other factor.",
     .arguments = "a b c",
     .premises = "a*c < b*c; 0 <= c",
     .conclusions = "a < b"},
    {.name = "C1",
     .meaning = "Equal numbers have equal multiples.",
     .arguments = "x y m",
     .premises = "x = y",
     .conclusions = "x*m = y*m"},
    {.name = "C2",
     .meaning = "Equal numbers have equal quotients.",
     .arguments = "x y s t",
     .premises = "x = y; s = t",
     .conclusions = "floordiv(x,s) = floordiv(y,t)"},
    {.name = "C3",
     .meaning = "Equal numbers have equal remainders.",
     .arguments = "x y s t",
     .premises = "x = y; s = t",
     .conclusions = "mod(x,s) = mod(y,t)"},
    {.name = "P1",
     .meaning = "A square is the number plus an even number.",
     .arguments = "x q r",
     .premises = "x = 2*q + r; 0 <= r; r < 2",
     .conclusions = "x*x = x + 2*q*x - 2*q + 2*q*r"},
    {.name = "C4",
     .meaning = "Equal numbers have equal common bits.",
     .arguments = "x y s t",
     .premises = "x = s; y = t",
     .conclusions = "land(x,y) = land(s,t)"},
    {.name = "B1",
     .meaning = "The common bits with a number >= 0 lie between 0 and that number.",
     .arguments = "x y",
     .premises = "0 <= x",
     .conclusions = "0 <= land(x,y); land(x,y) <= x"},
    {.name = "B2",
     .meaning = "A number has all bits in common with itself.",
     .arguments = "x s",
     .premises = "x = s",
     .conclusions = "land(x,s) = x"},
    {.name = "B3",
     .meaning = "Common bits of three numbers do not depend on the order in which they are taken.",
     .arguments = "x y z c d",
     .premises = "c = land(x,y); d = land(y,z)",
     .conclusions = "land(c,z) = land(x,d)"},
    {.name = "B4",
     .meaning = "The bits of x | y in common with z are those of x or of y.",
     .arguments = "x y z c s",
     .premises = "c = land(x,y); s = x + y - c",
     .conclusions = "land(s,z) = land(x,z) + land(y,z) - land(c,z)"},
    {.name = "B5",
     .meaning = "The bits of x ^ y in common with z are those of x or of y, but not of both.",
     .arguments = "x y z c s",
     .premises = "c = land(x,y); s = x + y - 2*c",
     .conclusions = "land(s,z) = land(x,z) + land(y,z) - 2*land(c,z)"},
    {.name = "B6",
     .meaning = "The bits of -1 - x in common with y are those of y that x has not.",
     .arguments = "x y s",
     .premises = "s + x + 1 = 0",
     .conclusions = "land(s,y) = y - land(x,y)"},
    {.name = "B7",
     .meaning = "The bits below a power of two are the remainder by it.",
     .arguments = "x p q",
     .side_condition = "1 <= p; q = p - 1; land(p,q) = 0",
     .conclusions = "land(x,q) = mod(x,p)"},
    {.name = "B8",
     .meaning = "A number below a power of two has its bits in common with the low bits of y alone.",
     .arguments = "x y p q m",
     .side_condition = "1 <= p; q = p - 1; land(p,q) = 0",
     .premises = "0 <= x; x < p; m = mod(y,p)",
     .conclusions = "land(x,y) = land(x,m)"},
    {.name = "B9",
     .meaning = "A multiple of a power of two has its bits in common with the high bits of y alone.",
     .arguments = "x y p q u v",
     .side_condition = "1 <= p; q = p - 1; land(p,q) = 0",
     .premises = "mod(x,p) = 0; u = floordiv(x,p); v = floordiv(y,p)",
     .conclusions = "land(x,y) = p*land(u,v)"},
    {.name = "B10",
     .meaning = "x | y of numbers below a power of two is below it.",
     .arguments = "x y p q c",
     .side_condition = "1 <= p; q = p - 1; land(p,q) = 0",
     .premises = "0 <= x; x < p; 0 <= y; y < p; c = land(x,y)",
     .conclusions = "x + y - c < p"},
};

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
