// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derives facts about quotients: their bounds, and the order of those that have no simpler form.
#include <algorithm>
#include <set>
#include "layoutcheck/solver/rewrite/quotient_finder.h"

namespace layoutcheck {
namespace {

// Adds the fact q < r for the quotient r by d if d q < B is known, and B <= d r can be shown.
void AddRounded(Ring& ring, InequalityProver& inequalities, const Polynomial& q, const Polynomial& bound,
                const OpaqueQuotient& quotient) {
  const Polynomial r = ring.FromAtom(quotient.atom);
  if (!inequalities.ShowNotNegative(ring.Subtract(ring.Multiply(r, quotient.divisor), bound))) return;
  inequalities.AddFact(ring.Plus(ring.Subtract(r, q), -1));
}

// Returns the number k > 1 for which the polynomial is k times the other one, or 0 if there is none.
Int128 RatioOf(Ring& ring, const Polynomial& polynomial, const Polynomial& other) {
  if (polynomial.addends.size() != other.addends.size()) return 0;
  const Int128 ratio = polynomial.addends.back().second / other.addends.back().second;
  return ratio > 1 && polynomial == ring.Times(other, ratio) ? ratio : 0;
}

// Adds the facts q < r for the new quotient r by d and the other quotients q for which d q < B is a fact.
void RoundBounds(Ring& ring, InequalityProver& inequalities, const std::vector<OpaqueQuotient>& quotients,
                 const OpaqueQuotient& quotient) {
  const Int128 divisor = quotient.divisor.Constant();
  const std::vector<Polynomial> facts = inequalities.facts();
  for (const OpaqueQuotient& other : quotients) {
    if (other.divisor.IsConstant()) continue;
    const Polynomial q = ring.FromAtom(other.atom);
    const std::pair negative(q.addends[0].first, -divisor);
    for (const Polynomial& fact : facts) {
      // The fact is B - d q - 1 >= 0.
      if (std::ranges::find(fact.addends, negative) == fact.addends.end()) continue;
      AddRounded(ring, inequalities, q, ring.Plus(ring.Add(fact, ring.Times(q, divisor)), 1), quotient);
    }
  }
}

// Adds the facts q - A < r for the quotient q of P by a number d, where P - d A < B is a fact for a polynomial A, and
// the quotient r of B + k by d, k a number, is such that B <= d r can be shown. The quotient of an index by a size has
// such an A if the coefficients of its dividend were reduced modulo d.
void RoundReducedBounds(Ring& ring, InequalityProver& inequalities, const OpaqueQuotient& q, const OpaqueQuotient& r) {
  const Int128 divisor = q.divisor.Constant();
  const std::vector<Polynomial> facts = inequalities.facts();
  for (const Polynomial& fact : facts) {
    if (ContainsAtom(ring, fact, q.atom)) continue;
    // The fact is B - P + d A - 1 >= 0.
    Polynomial bound = ring.FromConstant(1);
    Polynomial reduced;
    for (const auto& [monomial, coefficient] : ring.Add(fact, q.dividend).addends) {
      const Int128 multiple = monomial == 0 ? 0 : FloorOf(coefficient, divisor);
      const Int128 rest = coefficient - multiple * divisor;
      if (multiple != 0) reduced = ring.Add(reduced, ring.FromMonomial(monomial, multiple));
      if (rest != 0) bound = ring.Add(bound, ring.FromMonomial(monomial, rest));
    }
    if (reduced.IsZero() || bound.IsConstant() || !ring.Subtract(r.dividend, bound).IsConstant()) continue;
    AddRounded(ring, inequalities, ring.Subtract(ring.FromAtom(q.atom), reduced), bound, r);
  }
}

}  // namespace

// Derives 0 <= fine - k coarse < k for two quotients of one dividend whose divisors have the number k as their ratio.
void QuotientFinder::DeriveDigit(OpaqueQuotient fine, OpaqueQuotient coarse) {
  if (fine.divisor.IsConstant() != coarse.divisor.IsConstant()) return;
  if (!fine.divisor.IsConstant()) {
    if (RatioOf(ring_, fine.divisor, coarse.divisor) > 0) std::swap(fine, coarse);
    const Int128 ratio = RatioOf(ring_, coarse.divisor, fine.divisor);
    if (ratio == 0) return;
    // t k c <= P < t (f + 1) and t f <= P < t k (c + 1)
    const Polynomial f = ring_.FromAtom(fine.atom);
    const Polynomial least = ring_.Times(ring_.FromAtom(coarse.atom), ratio);
    derivation_.Apply(LemmaId::kSmallerFactor, {least, ring_.Plus(f, 1), fine.divisor});
    derivation_.Apply(LemmaId::kSmallerFactor, {f, ring_.Plus(least, ratio), fine.divisor});
    inequalities_.AddFact(ring_.Subtract(f, least));
    inequalities_.AddFact(ring_.Plus(ring_.Subtract(least, f), ratio - 1));
    return;
  }
  if (fine.divisor.Constant() > coarse.divisor.Constant()) std::swap(fine, coarse);
  const Int128 divisor = fine.divisor.Constant();
  if (divisor < 1 || coarse.divisor.Constant() % divisor != 0) return;
  const Int128 ratio = coarse.divisor.Constant() / divisor;
  const Polynomial digit = ring_.Subtract(ring_.FromAtom(fine.atom), ring_.Times(ring_.FromAtom(coarse.atom), ratio));
  const Polynomial below = ring_.Plus(ring_.Times(digit, -1), ratio - 1);
  if (inequalities_.ShowNotNegative(digit)) inequalities_.AddFact(digit);
  if (inequalities_.ShowNotNegative(below)) inequalities_.AddFact(below);
}

// Shows, if possible, q >= 0 and upper bounds for a quotient that is a sum: i floordiv T - N (i floordiv (N T)) is the
// quotient of i mod (N T) by T.
void QuotientFinder::DeriveBoundsOfSum(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor) {
  if (inequalities_.ShowNotNegative(dividend)) {
    derivation_.Apply(LemmaId::kSmallerFactor, {{}, ring_.Plus(q, 1), divisor});
    inequalities_.AddFact(q);
  }
  DeriveBoundsByFactors(q, dividend, divisor);
}

// Shows q d < B for the quotient q of P by g d where P < g B is known, such as of i floordiv N and i floordiv (8 N), i
// < M N.
void QuotientFinder::DeriveBoundsByFactors(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor) {
  const std::vector<Polynomial> facts = inequalities_.facts();
  const std::optional<AtomId> atom = ring_.AsAtom(q);
  for (const Polynomial& fact : facts) {
    if (atom && ContainsAtom(ring_, fact, *atom)) continue;
    // The fact is P < B.
    const Polynomial bound = ring_.Plus(ring_.Add(fact, dividend), 1);
    if (!bound.IsZero()) DivideBound(q, divisor, bound);
  }
}

// Shows q < S for the quotient q of P by d, for each product S of sizes such that a fact has the addend S d and P < S d
// can be shown. The number of iterations of a loop says that the index of a thread in it is below such a product.
void QuotientFinder::DeriveBoundsBySizes(const Polynomial& q, const Polynomial& dividend, const Polynomial& divisor) {
  if (divisor.addends.size() != 1 || divisor.addends[0].second != 1) return;
  std::set<MonomialId> sizes;
  for (const Polynomial& fact : inequalities_.facts()) {
    for (const auto& [monomial, coefficient] : fact.addends) {
      const auto size = coefficient > 0 ? ring_.DivideMonomial(monomial, divisor.addends[0].first) : std::nullopt;
      if (size && *size != 0) sizes.insert(*size);
    }
  }
  for (const MonomialId product : sizes) {
    const Polynomial size = ring_.FromMonomial(product, 1);
    const Polynomial rest = ring_.Subtract(ring_.Multiply(size, divisor), dividend);
    if (!inequalities_.ShowNotNegative(ring_.Plus(rest, -1))) continue;
    derivation_.Apply(LemmaId::kSmallerFactor, {q, size, divisor});
    inequalities_.AddFact(ring_.Plus(ring_.Subtract(size, q), -1));
  }
}

// Shows q d < B for each atom g where q g d < g B is known, and goes on with q d < B.
void QuotientFinder::DivideBound(const Polynomial& q, const Polynomial& divisor, const Polynomial& bound) {
  if (divisor.IsConstant()) return;
  const std::vector<AtomId> atoms = ring_.monomial(divisor.addends.back().first);
  for (size_t k = 0; k < atoms.size(); ++k) {
    if (k > 0 && atoms[k] == atoms[k - 1]) continue;
    const Attempt rest = DivideByAtom(divisor, atoms[k]);
    const Attempt less = DivideByAtom(bound, atoms[k]);
    const Polynomial factor = ring_.FromAtom(atoms[k]);
    if (!rest || !less || !inequalities_.ShowNotNegative(factor)) continue;
    const Polynomial part = ring_.Multiply(q, *rest);
    derivation_.Apply(LemmaId::kSmallerFactor, {part, *less, factor});
    inequalities_.AddFact(ring_.Plus(ring_.Subtract(*less, part), -1));
    for (const OpaqueQuotient& other : quotients_) {
      if (other.divisor == *rest && rest->IsConstant()) AddRounded(ring_, inequalities_, q, *less, other);
    }
    DivideBound(q, *rest, *less);
  }
}

// Returns the polynomial divided by the atom, or nothing if an addend does not have the atom.
QuotientFinder::Attempt QuotientFinder::DivideByAtom(const Polynomial& polynomial, AtomId atom) {
  auto [quotient, rest] = SplitByAtom(ring_, polynomial, atom);
  return rest.IsZero() ? std::optional(std::move(quotient)) : std::nullopt;
}

// Shows, if possible, q >= 0 or q >= -1, q >= 1, and q < r, r < q, q <= r or r <= q for the other quotients r by the
// same divisor, and q < t for the divisors t of quotients that the divisor has.
void QuotientFinder::DeriveBounds(OpaqueQuotient quotient) {
  const Polynomial q = ring_.FromAtom(quotient.atom);
  const bool number = quotient.divisor.IsConstant();
  // t r > P implies r > q, and P >= t r implies q >= r. If t is a number, both follow without a lemma.
  const auto above = [&](const Polynomial& r, const OpaqueQuotient& than) {
    const Polynomial p = ring_.FromAtom(than.atom);
    const Polynomial rest = ring_.Subtract(ring_.Multiply(r, than.divisor), than.dividend);
    if (!inequalities_.ShowNotNegative(ring_.Plus(rest, -1))) return false;
    if (!number) derivation_.Apply(LemmaId::kSmallerFactor, {p, r, than.divisor});
    inequalities_.AddFact(ring_.Plus(ring_.Subtract(r, p), -1));
    return true;
  };
  const auto at_least = [&](Int128 r) {
    if (!inequalities_.ShowNotNegative(ring_.Subtract(quotient.dividend, ring_.Times(quotient.divisor, r))))
      return false;
    if (!number) {
      derivation_.Apply(LemmaId::kSmallerFactor, {ring_.FromConstant(r), ring_.Plus(q, 1), quotient.divisor});
    }
    inequalities_.AddFact(ring_.Plus(q, -r));
    return true;
  };
  if (at_least(0)) {
    at_least(1);
    if (!number) {
      // 1 <= t and 0 <= q give q <= t q, which is at most the dividend.
      derivation_.Apply(LemmaId::kMonotoneProduct, {ring_.FromConstant(1), quotient.divisor, q});
      inequalities_.AddFact(ring_.Subtract(ring_.Multiply(quotient.divisor, q), q));
    }
  } else if (!number) {
    at_least(-1);  // M ceildiv D is (M - 1) floordiv D + 1
  }
  if (number) {
    RoundBounds(ring_, inequalities_, quotients_, quotient);
  } else {
    DeriveBoundsByFactors(q, quotient.dividend, quotient.divisor);
    DeriveBoundsBySizes(q, quotient.dividend, quotient.divisor);
  }
  for (size_t k = 0; k + 1 < quotients_.size(); ++k) {
    const OpaqueQuotient other = quotients_[k];
    if (other.dividend == quotient.dividend) DeriveDigit(quotient, other);
    // An index below M by M ceildiv D is below D.
    if (!number && ContainsAtom(ring_, quotient.divisor, other.atom)) above(other.divisor, quotient);
    if (other.divisor != quotient.divisor) continue;
    if (number) {
      RoundReducedBounds(ring_, inequalities_, quotient, other);
      RoundReducedBounds(ring_, inequalities_, other, quotient);
    }
    const Polynomial r = ring_.FromAtom(other.atom);
    // If t is a number, linear arithmetic finds q <= r where it is needed.
    if (!above(r, quotient) && !number) above(ring_.Plus(r, 1), quotient);
    if (!above(q, other) && !number) above(ring_.Plus(q, 1), other);
  }
}

}  // namespace layoutcheck
