// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/quotient_finder.h"
#include <algorithm>
#include <set>

namespace layoutcheck {
namespace {

constexpr int kMaxQuotientDepth = 12;  // nested quotients that are joined
constexpr Int128 kMaxCombinedDivisor = Int128{1} << 62;
constexpr size_t kMaxQuotients = 150;  // quotients that become unknowns
using Chain = DigitBasis::Chain;

}  // namespace

Polynomial QuotientFinder::Divide(const Polynomial& dividend, const Polynomial& divisor) {
  const auto key = std::pair(dividend, divisor);
  if (const auto known = results_.find(key); known != results_.end()) return known->second;
  Polynomial result = divisor.IsConstant() ? DivideByNumber(dividend, divisor.Constant(), 0)
                                           : DivideByPolynomial(dividend, divisor, /*may_negate=*/true);
  if (!divisor.IsConstant() && result.addends.size() > 1) DeriveBoundsOfSum(result, dividend, divisor);
  results_.insert_or_assign(key, result);
  return result;
}

Polynomial QuotientFinder::DivideByNumber(const Polynomial& dividend, Int128 divisor, int depth) {
  if (dividend.IsConstant()) return ring_.FromConstant(FloorOf(dividend.Constant(), divisor));
  if (divisor == 1) return dividend;
  if (divisor == 2) {
    if (const Attempt without_square = ReduceSquare(dividend)) return DivideByNumber(*without_square, divisor, depth);
  }
  for (const Chain chain : {Chain::kAscending, Chain::kDescending, Chain::kNone}) {
    const DigitBasis basis(derivation_, quotients_, chain);
    if (chain != Chain::kNone && basis.empty()) continue;
    if (const Attempt guess = GuessFromCoefficients(dividend, divisor, basis)) return *guess;
  }
  if (depth < kMaxQuotientDepth) {
    for (const Chain chain : {Chain::kNone, Chain::kAscending, Chain::kDescending}) {
      const DigitBasis basis(derivation_, quotients_, chain);
      if (chain != Chain::kNone && basis.empty()) continue;
      if (const Attempt guess = DropSmallAddends(dividend, divisor, basis, depth)) return *guess;
    }
  }
  // Multiples of the divisor are taken out of the dividend.
  Polynomial whole;
  for (const auto& [monomial, coefficient] : dividend.addends) {
    whole = ring_.Add(whole, ring_.FromMonomial(monomial, FloorOf(coefficient, divisor)));
  }
  const Polynomial rest = ring_.Subtract(dividend, ring_.Times(whole, divisor));
  if (depth < kMaxQuotientDepth) {
    // (B floordiv a + r) floordiv c = (B + a r) floordiv (a c)
    for (auto addend = rest.addends.rbegin(); addend != rest.addends.rend(); ++addend) {
      const std::vector<AtomId>& atoms = ring_.monomial(addend->first);
      if (addend->second != 1 || atoms.size() != 1) continue;
      const auto inner = std::ranges::find(quotients_, atoms[0], &OpaqueQuotient::atom);
      if (inner == quotients_.end() || !inner->divisor.IsConstant()) continue;
      const Int128 inner_divisor = inner->divisor.Constant();
      if (inner_divisor > kMaxCombinedDivisor / divisor) continue;
      const Polynomial others = ring_.Subtract(rest, ring_.FromAtom(atoms[0]));
      const Polynomial joined = ring_.Add(inner->dividend, ring_.Times(others, inner_divisor));
      return ring_.Add(whole, DivideByNumber(canonical_(joined), inner_divisor * divisor, depth + 1));
    }
    if (const Attempt joined = JoinQuotients(rest, ring_.FromConstant(divisor))) return ring_.Add(whole, *joined);
    // -(P floordiv c) = (-P + c - 1) floordiv c. The form with the smaller first coefficient is canonical.
    const auto first = std::ranges::find_if(rest.addends, [](const auto& addend) { return addend.first != 0; });
    if (first != rest.addends.end() && first->second > divisor - first->second) {
      const Polynomial opposite = ring_.Plus(ring_.Times(rest, -1), divisor - 1);
      return ring_.Subtract(whole, DivideByNumber(opposite, divisor, depth + 1));
    }
  }
  return ring_.Add(whole, MakeUnknown(rest, ring_.FromConstant(divisor)));
}

// Returns an equal polynomial in which a + 2 ((a a - a) floordiv 2) replaces a square a a with an odd coefficient.
QuotientFinder::Attempt QuotientFinder::ReduceSquare(const Polynomial& dividend) {
  for (const auto& [monomial, coefficient] : dividend.addends) {
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    const auto twice = std::ranges::adjacent_find(atoms);
    if (coefficient % 2 == 0 || twice == atoms.end()) continue;
    const Polynomial atom = ring_.FromAtom(*twice);
    const Polynomial square = ring_.Multiply(atom, atom);
    const Polynomial half = MakeUnknown(ring_.Subtract(square, atom), ring_.FromConstant(2));
    const Polynomial reduced = ring_.Add(atom, ring_.Times(half, 2));
    const Polynomial others = ring_.FromMonomial(*ring_.DivideMonomial(monomial, square.addends[0].first), 1);
    // The half is q a - q + q r for a = 2 q + r.
    const Polynomial two = ring_.FromConstant(2);
    const Polynomial q = ring_.Division(AtomKind::kFloorDiv, atom, two);
    const Polynomial r = ring_.Division(AtomKind::kMod, atom, two);
    const Polynomial value = ring_.Subtract(ring_.Multiply(q, ring_.Add(atom, r)), q);
    derivation_.Apply(LemmaId::kEuclid, {atom, two});
    derivation_.Apply(LemmaId::kEvenSquare, {atom, q, r});
    derivation_.Apply(LemmaId::kUniqueQuotient, {ring_.Subtract(square, atom), value, {}, two});
    derivation_.Apply(LemmaId::kEqualProducts, {square, reduced, others});
    const Polynomial zero = ring_.Multiply(ring_.Subtract(square, reduced), others);
    inequalities_.AddFact(zero);
    inequalities_.AddFact(ring_.Times(zero, -1));
    return ring_.Subtract(dividend, ring_.Times(zero, coefficient));
  }
  return std::nullopt;
}

QuotientFinder::Attempt QuotientFinder::GuessFromCoefficients(const Polynomial& dividend, Int128 divisor,
                                                              const DigitBasis& basis) {
  const Polynomial digits = basis.ToDigits(dividend);
  const Polynomial bound = ring_.FromConstant(divisor);
  const auto guess = [&](bool signed_residues) {
    Polynomial quotient;
    for (const auto& [monomial, coefficient] : digits.addends) {
      Int128 whole = FloorOf(coefficient, divisor);
      if (signed_residues && monomial != 0 && coefficient - whole * divisor > divisor / 2) ++whole;
      quotient = ring_.Add(quotient, ring_.FromMonomial(monomial, whole));
    }
    return basis.FromDigits(quotient);
  };
  for (const bool signed_residues : {false, true}) {
    const Polynomial quotient = guess(signed_residues);
    const Polynomial remainder = ring_.Subtract(dividend, ring_.Times(quotient, divisor));
    for (const Int128 step : {Int128{0}, Int128{-1}, Int128{1}}) {
      if (inequalities_.ShowInRange(ring_.Plus(remainder, -step * divisor), bound)) return ring_.Plus(quotient, step);
    }
  }
  return std::nullopt;
}

// Uses (g T + S) floordiv (g c) = T floordiv c if 0 <= S < g.
QuotientFinder::Attempt QuotientFinder::DropSmallAddends(const Polynomial& dividend, Int128 divisor,
                                                         const DigitBasis& basis, int depth) {
  const Polynomial digits = basis.ToDigits(dividend);
  std::set<Int128, std::greater<>> factors;
  for (const auto& [monomial, coefficient] : digits.addends) {
    if (monomial != 0) factors.insert(Gcd(coefficient, divisor));
  }
  for (const Int128 factor : factors) {
    if (factor <= 1 || factor == divisor) continue;
    Polynomial large;
    Polynomial small;
    for (const auto& [monomial, coefficient] : digits.addends) {
      if (monomial == 0 || coefficient % factor == 0) {
        const Int128 whole = FloorOf(coefficient, factor);
        large = ring_.Add(large, ring_.FromMonomial(monomial, whole));
        small = ring_.Add(small, ring_.FromMonomial(monomial, coefficient - whole * factor));
      } else {
        small = ring_.Add(small, ring_.FromMonomial(monomial, coefficient));
      }
    }
    const Polynomial quotient = basis.FromDigits(large);
    // A quotient of this dividend would be joined with the divisor again.
    if (const auto atom = ring_.AsAtom(quotient)) {
      const auto inner = std::ranges::find(quotients_, *atom, &OpaqueQuotient::atom);
      if (inner != quotients_.end() && inner->dividend == dividend) continue;
    }
    if (!inequalities_.ShowInRange(basis.FromDigits(small), ring_.FromConstant(factor))) continue;
    return DivideByNumber(quotient, divisor / factor, depth + 1);
  }
  return std::nullopt;
}

Polynomial QuotientFinder::DivideByPolynomial(const Polynomial& dividend, const Polynomial& divisor, bool may_negate) {
  if (const Attempt cancelled = CancelCommonFactor(dividend, divisor)) return *cancelled;
  for (int round = 0; round < 2; ++round) {
    for (const Chain chain : {Chain::kNone, Chain::kAscending, Chain::kDescending, Chain::kSymbolic}) {
      const DigitBasis basis(derivation_, quotients_, chain);
      if (chain != Chain::kNone && basis.empty()) continue;
      if (const Attempt quotient = LongDivision(dividend, divisor, basis)) return *quotient;
    }
    if (!SplitForDivision(dividend, divisor)) break;
  }
  const auto& [lead, lead_coefficient] = divisor.addends.back();
  Polynomial whole;
  for (const auto& [monomial, coefficient] : dividend.addends) {
    const auto rest = ring_.DivideMonomial(monomial, lead);
    if (rest && coefficient % lead_coefficient == 0) {
      whole = ring_.Add(whole, ring_.FromMonomial(*rest, coefficient / lead_coefficient));
    }
  }
  const Polynomial rest = ring_.Subtract(dividend, ring_.Multiply(whole, divisor));
  if (const Attempt joined = JoinQuotients(rest, divisor)) return ring_.Add(whole, *joined);
  if (may_negate && !rest.IsZero() && rest.addends.back().second < 0) {
    const Polynomial opposite = ring_.Plus(ring_.Subtract(divisor, rest), -1);
    return ring_.Subtract(whole, DivideByPolynomial(opposite, divisor, /*may_negate=*/false));
  }
  return ring_.Add(whole, MakeUnknown(rest, divisor));
}

// Uses (B floordiv s) floordiv t = B floordiv (s t).
QuotientFinder::Attempt QuotientFinder::JoinQuotients(const Polynomial& dividend, const Polynomial& divisor) {
  const auto atom = ring_.AsAtom(dividend);
  const auto inner = atom ? std::ranges::find(quotients_, *atom, &OpaqueQuotient::atom) : quotients_.end();
  if (inner == quotients_.end() || (inner->divisor.IsConstant() && divisor.IsConstant())) return std::nullopt;
  const Polynomial first = inner->divisor;
  const Polynomial product = ring_.Multiply(first, divisor);
  const Polynomial dividend_of_all = inner->dividend;
  if (!inequalities_.ShowNotNegative(ring_.Plus(product, -1))) return std::nullopt;
  Polynomial joined = Divide(dividend_of_all, product);
  // For the rest r, s (r + 1) > B - s t q >= 0 gives r >= 0, and s (r - t) <= B - s t q - s t < 0 gives r < t.
  const Polynomial rest = ring_.Subtract(dividend, ring_.Multiply(divisor, joined));
  derivation_.Apply(LemmaId::kSmallerFactor, {{}, ring_.Plus(rest, 1), first});
  derivation_.Apply(LemmaId::kSmallerFactor, {ring_.Subtract(rest, divisor), {}, first});
  inequalities_.AddFact(rest);
  inequalities_.AddFact(ring_.Plus(ring_.Subtract(divisor, rest), -1));
  return joined;
}

// Uses (G P) floordiv (G t) = P floordiv t for a product G >= 1.
QuotientFinder::Attempt QuotientFinder::CancelCommonFactor(const Polynomial& dividend, const Polynomial& divisor) {
  if (dividend.IsZero()) return Polynomial{};
  Int128 number = 0;
  std::vector<AtomId> common = ring_.monomial(divisor.addends.back().first);
  for (const Polynomial* polynomial : {&dividend, &divisor}) {
    for (const auto& [monomial, coefficient] : polynomial->addends) {
      number = Gcd(number, coefficient);
      std::vector<AtomId> both;
      std::ranges::set_intersection(common, ring_.monomial(monomial), std::back_inserter(both));
      common = std::move(both);
    }
  }
  Polynomial factor = ring_.FromConstant(number);
  for (const AtomId atom : common) factor = ring_.Multiply(factor, ring_.FromAtom(atom));
  if (factor == ring_.FromConstant(1) || !inequalities_.ShowNotNegative(ring_.Plus(factor, -1))) return std::nullopt;
  const auto divide = [&](const Polynomial& polynomial) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      const MonomialId rest = *ring_.DivideMonomial(monomial, factor.addends[0].first);
      result = ring_.Add(result, ring_.FromMonomial(rest, coefficient / number));
    }
    return result;
  };
  const Polynomial reduced = divide(dividend);
  const Polynomial reduced_divisor = divide(divisor);
  if (!inequalities_.ShowNotNegative(ring_.Plus(reduced_divisor, -1))) return std::nullopt;
  Polynomial quotient = Divide(reduced, reduced_divisor);
  const Polynomial remainder = ring_.Subtract(reduced, ring_.Multiply(quotient, reduced_divisor));
  derivation_.Apply(LemmaId::kMonotoneProduct, {{}, remainder, factor});
  derivation_.Apply(LemmaId::kMonotoneProduct, {remainder, ring_.Plus(reduced_divisor, -1), factor});
  return quotient;
}

QuotientFinder::Attempt QuotientFinder::LongDivision(const Polynomial& dividend, const Polynomial& divisor,
                                                     const DigitBasis& basis) {
  const Polynomial in_digits = basis.ToDigits(divisor);
  for (auto lead = in_digits.addends.rbegin(); lead != in_digits.addends.rend(); ++lead) {
    if (lead->first == 0 || lead->second < 1) continue;
    Polynomial rest = basis.ToDigits(dividend);
    Polynomial quotient;
    for (int step = 0; step < 40; ++step) {
      Polynomial part;
      for (auto addend = rest.addends.rbegin(); addend != rest.addends.rend() && part.IsZero(); ++addend) {
        const auto monomial = ring_.DivideMonomial(addend->first, lead->first);
        const Int128 whole = FloorOf(addend->second, lead->second);
        if (monomial && whole != 0) part = ring_.FromMonomial(*monomial, whole);
      }
      if (part.IsZero()) break;
      quotient = ring_.Add(quotient, part);
      rest = ring_.Subtract(rest, ring_.Multiply(part, in_digits));
    }
    quotient = basis.FromDigits(quotient);
    for (const Int128 step : {0, -1, 1}) {
      Polynomial candidate = ring_.Plus(quotient, step);
      if (inequalities_.ShowInRange(ring_.Subtract(dividend, ring_.Multiply(candidate, divisor)), divisor))
        return candidate;
    }
  }
  return std::nullopt;
}

// Makes quotients of atoms that would be multiples of the divisor if its coefficient were smaller: for the dividend 128
// N e2 and the divisor 1024 N, the quotient of e2 by 8. Returns true if there is a new quotient.
bool QuotientFinder::SplitForDivision(const Polynomial& dividend, const Polynomial& divisor) {
  const auto [lead, lead_coefficient] = divisor.addends.back();
  const size_t before = quotients_.size();
  for (const auto& [monomial, coefficient] : dividend.addends) {
    const auto rest = ring_.DivideMonomial(monomial, lead);
    if (!rest || lead_coefficient < 1) continue;
    const std::vector<AtomId> atoms = ring_.monomial(*rest);
    const Int128 number = lead_coefficient / Gcd(coefficient, lead_coefficient);
    if (atoms.size() == 1 && number > 1) Divide(ring_.FromAtom(atoms[0]), ring_.FromConstant(number));
  }
  return quotients_.size() > before;
}

Polynomial QuotientFinder::MakeUnknown(const Polynomial& dividend, const Polynomial& divisor) {
  Polynomial quotient = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const auto atom = ring_.AsAtom(quotient);
  if (!atom) return quotient;
  if (std::ranges::find(quotients_, *atom, &OpaqueQuotient::atom) != quotients_.end()) return canonical_(quotient);
  if (quotients_.size() == kMaxQuotients) ring_.SetOverflow();  // formulas for an index have fewer
  quotients_.push_back({*atom, dividend, divisor});
  derivation_.Apply(LemmaId::kEuclid, {dividend, divisor});
  const Polynomial remainder = ring_.Subtract(dividend, ring_.Multiply(quotient, divisor));
  inequalities_.AddFact(remainder);
  inequalities_.AddFact(ring_.Plus(ring_.Subtract(divisor, remainder), -1));
  DeriveBounds(quotients_.back());
  return quotient;
}

}  // namespace layoutcheck
