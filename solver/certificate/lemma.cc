// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/lemma.h"

namespace layoutcheck {
namespace {

// All lemmas and the context of their terms. Each parameter is a variable of that name.
struct Library {
  TermContext context;
  std::vector<Lemma> lemmas;

  Term V(const char* name) { return context.Variable(name); }

  // Fills the table of all lemmas. It is long because it is one table, in the order of LemmaId.
  Library() {
    const Term a = V("a"), b = V("b"), c = V("c"), d = V("d"), e = V("e"), m = V("m"), p = V("p"), q = V("q");
    const Term r = V("r"), s = V("s"), t = V("t"), x = V("x"), y = V("y");
    const Term A = V("A"), M = V("M"), N = V("N"), Q = V("Q"), R = V("R"), S = V("S");
    lemmas = {
        {LemmaId::kEuclid,
         "K1",
         "a number is divisor times quotient plus remainder, and the remainder is below the divisor",
         {"e", "t"},
         {LessEqual(1, t)},
         {Equal(e, t * FloorDiv(e, t) + Mod(e, t)), LessEqual(0, Mod(e, t)), Less(Mod(e, t), t)}},
        {LemmaId::kRadixCut,
         "K2",
         "a larger major digit makes a number larger by at least the radix",
         {"a", "c", "R"},
         {LessEqual(1, R), LessEqual(c + 1, a)},
         {LessEqual(c * R + R, a * R)}},
        {LemmaId::kRadixMajor,
         "K3",
         "two-digit numbers that are equal have equal major digits",
         {"a", "b", "c", "d", "R"},
         {LessEqual(0, b), Less(b, R), LessEqual(0, d), Less(d, R), Equal(a * R + b, c * R + d)},
         {Equal(a, c)},
         {{LemmaId::kRadixCut, {a, c, R}}, {LemmaId::kRadixCut, {c, a, R}}}},
        {LemmaId::kRadixMinor,
         "K3b",
         "two-digit numbers that are equal and have equal major digits have equal minor digits",
         {"a", "b", "c", "d", "R"},
         {Equal(a, c), Equal(a * R + b, c * R + d)},
         {Equal(b, d)}},
        {LemmaId::kUniqueQuotient,
         "K4",
         "a number that is q t + r with a digit r below t has the quotient q",
         {"e", "q", "r", "t"},
         {LessEqual(0, r), Less(r, t), Equal(e, q * t + r)},
         {Equal(FloorDiv(e, t), q)},
         {{LemmaId::kEuclid, {e, t}}, {LemmaId::kRadixMajor, {q, r, FloorDiv(e, t), Mod(e, t), t}}}},
        {LemmaId::kUniqueRemainder,
         "K5",
         "a number that is q t + r and has the quotient q by t has the remainder r",
         {"e", "q", "r", "t", "Q", "M"},
         {Equal(e, q * t + r), Equal(e, t * Q + M), Equal(Q, q)},
         {Equal(M, r)}},
        {LemmaId::kRadixLowerBound,
         "K6",
         "a two-digit number is not negative",
         {"a", "b", "R"},
         {LessEqual(0, a), LessEqual(0, b), Less(b, R)},
         {LessEqual(0, a * R + b)}},
        {LemmaId::kRadixUpperBound,
         "K7",
         "a two-digit number is below the product of the radices",
         {"a", "A", "b", "R"},
         {Less(a, A), LessEqual(0, b), Less(b, R)},
         {Less(a * R + b, A * R)}},
        {LemmaId::kSplitInBox,
         "K8",
         "the quotient of a digit below d is a digit below ceil(d / t)",
         {"e", "d", "t", "N"},
         {LessEqual(1, t), LessEqual(0, e), Less(e, d), Equal(N, CeilDiv(d, t))},
         {LessEqual(0, FloorDiv(e, t)), Less(FloorDiv(e, t), N)}},
        {LemmaId::kCeilBounds,
         "K9",
         "rounding d >= 0 up to a multiple of t adds less than t",
         {"d", "t", "N"},
         {LessEqual(1, t), LessEqual(0, d), Equal(N, CeilDiv(d, t))},
         {LessEqual(0, N), LessEqual(d, N * t), Less(N * t, d + t)}},
        {LemmaId::kCeilPositive,
         "K9b",
         "a size of at least 1 has at least one tile",
         {"d", "t", "N"},
         {LessEqual(1, t), LessEqual(1, d), Equal(N, CeilDiv(d, t))},
         {LessEqual(1, N)}},
        {LemmaId::kOnto,
         "K10",
         "an address below d S has its quotient by S below d",
         {"p", "d", "S"},
         {LessEqual(1, S), LessEqual(0, p), Less(p, d * S)},
         {LessEqual(0, FloorDiv(p, S)), Less(FloorDiv(p, S), d)}},
        {LemmaId::kPositiveProduct,
         "K11",
         "a product of sizes of at least 1 is at least 1",
         {"a", "b"},
         {LessEqual(1, a), LessEqual(1, b)},
         {LessEqual(1, a * b)}},
        {LemmaId::kMonotoneProduct,
         "R10",
         "a product with a factor >= 0 is monotone",
         {"a", "b", "c"},
         {LessEqual(a, b), LessEqual(0, c)},
         {LessEqual(a * c, b * c)}},
        {LemmaId::kSmallerFactor,
         "R11",
         "of two products with a factor >= 0, the smaller one has the smaller other factor",
         {"a", "b", "c"},
         {Less(a * c, b * c), LessEqual(0, c)},
         {Less(a, b)},
         {{LemmaId::kMonotoneProduct, {b, a, c}}}},
        {LemmaId::kEqualProducts,
         "C1",
         "equal numbers have equal multiples",
         {"x", "y", "m"},
         {Equal(x, y)},
         {Equal(x * m, y * m)}},
        {LemmaId::kEqualQuotients,
         "C2",
         "equal numbers have equal quotients",
         {"x", "y", "s", "t"},
         {Equal(x, y), Equal(s, t)},
         {Equal(FloorDiv(x, s), FloorDiv(y, t))}},
        {LemmaId::kEqualRemainders,
         "C3",
         "equal numbers have equal remainders",
         {"x", "y", "s", "t"},
         {Equal(x, y), Equal(s, t)},
         {Equal(Mod(x, s), Mod(y, t))}},
        {LemmaId::kEvenSquare,
         "P1",
         "a square is the number plus an even number",
         {"x", "q", "r"},
         {Equal(x, Term(2) * q + r), LessEqual(0, r), Less(r, 2)},
         {Equal(x * x, x + Term(2) * (q * x - q + q * r))}},
    };
  }
};

Library& TheLibrary() {
  static Library library;
  return library;
}

}  // namespace

std::span<const Lemma> Lemmas() { return TheLibrary().lemmas; }
const Lemma& GetLemma(LemmaId id) { return TheLibrary().lemmas[static_cast<size_t>(id)]; }
const TermContext& LemmaTerms() { return TheLibrary().context; }

}  // namespace layoutcheck
