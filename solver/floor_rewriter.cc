#include "layoutcheck/solver/floor_rewriter.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "layoutcheck/core/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMaxQuotientDepth = 12;  // of quotients of quotients that are joined
constexpr Int128 kMaxDivisor = Int128{1} << 62;
constexpr size_t kMaxProducts = 400;     // that are tried for one inequality
constexpr size_t kMaxQuotients = 150;    // that are not worked out
constexpr int64_t kMaxQuestions = 5000;  // of linear arithmetic
constexpr int kMaxRewrites = 10000;      // of one polynomial
using Chain = DigitBasis::Chain;

Int128 FloorOf(Int128 a, Int128 b) { return FloorDiv(WideInteger(a), WideInteger(b)).value; }
Int128 RemainderOf(Int128 a, Int128 b) { return Mod(WideInteger(a), WideInteger(b)).value; }

Int128 Gcd(Int128 a, Int128 b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

}  // namespace

FloorRewriter::FloorRewriter(Certificate& certificate, uint64_t rlimit, const std::vector<NamedValues>& samples)
    : certificate_(certificate), ring_(certificate.ring()), linear_(rlimit), samples_(certificate.ring(), samples) {}

Polynomial FloorRewriter::Plus(const Polynomial& polynomial, Int128 constant) {
  return ring_.Add(polynomial, ring_.FromConstant(constant));
}
Polynomial FloorRewriter::Times(const Polynomial& polynomial, Int128 factor) {
  return ring_.Multiply(polynomial, ring_.FromConstant(factor));
}

// What is >= 0 if and only if the polynomial is: a common factor of all coefficients but the constant is divided away.
Polynomial FloorRewriter::Normalized(const Polynomial& not_negative) {
  Int128 factor = 0;
  for (const auto& [monomial, coefficient] : not_negative.terms) {
    if (monomial != 0) factor = Gcd(factor, coefficient);
  }
  if (factor <= 1) return not_negative;
  Polynomial result;
  for (const auto& [monomial, coefficient] : not_negative.terms) {
    const Int128 divided = FloorOf(coefficient, factor);
    if (divided != 0) result.terms.emplace_back(monomial, divided);
  }
  return result;
}

void FloorRewriter::AddFact(const Polynomial& not_negative) {
  const Polynomial fact = Normalized(not_negative);
  if (fact.IsConstant() || std::ranges::find(facts_, fact) != facts_.end()) return;
  facts_.push_back(fact);
  linear_.Add(fact);
  // atom - constant >= 0
  const Polynomial lone = ring_.Subtract(fact, ring_.FromConstant(fact.Constant()));
  if (const auto atom = ring_.AsAtom(lone); atom && fact.Constant() <= 0) not_negative_.insert(*atom);
}

void FloorRewriter::Assume(const TermRelation& relation) {
  certificate_.AddHypothesis(relation);
  const Polynomial left = Canonical(relation.left);
  const Polynomial right = Canonical(relation.right);
  Polynomial difference = ring_.Subtract(right, left);
  for (const auto& [monomial, coefficient] : difference.terms) {
    if (ring_.monomial(monomial).size() > 1) wanted_.insert(monomial);
  }
  if (relation.kind == TermRelation::Kind::kEqual) {
    samples_.KeepZero(difference);
    AddFact(difference);
    AddFact(Times(difference, -1));
    Solve(difference);
    return;
  }
  if (relation.kind == TermRelation::Kind::kLess) difference = Plus(difference, -1);
  samples_.KeepNotNegative(difference);
  difference = Normalized(difference);
  AddFact(difference);
  // With what was known, it may be an equation.
  if (ShowNotNegative(Times(difference, -1))) Solve(difference);
}

// Takes the equation for a rule that replaces one of its atoms.
void FloorRewriter::Solve(const Polynomial& zero) {
  const Polynomial equation = Normalized(zero);
  std::optional<AtomId> best;
  Int128 best_coefficient = 0;
  const auto is_variable = [&](AtomId atom) { return ring_.atoms()[atom].kind == AtomKind::kVariable; };
  for (const auto& [monomial, coefficient] : equation.terms) {
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    if ((coefficient != 1 && coefficient != -1) || atoms.size() != 1) continue;
    const Polynomial rest = ring_.Subtract(equation, ring_.FromMonomial(monomial, coefficient));
    if (ContainsAtom(ring_, rest, atoms[0])) continue;
    // The newest variable, or the newest quotient where there is no variable.
    if (!best || std::pair(is_variable(atoms[0]), atoms[0]) > std::pair(is_variable(*best), *best)) {
      best = atoms[0];
      best_coefficient = coefficient;
    }
  }
  if (!best) return;
  const Polynomial rest = ring_.Subtract(equation, Times(ring_.FromAtom(*best), best_coefficient));
  rules_[*best] = Times(rest, best_coefficient == 1 ? -1 : 1);
  canonical_atoms_.clear();
  worked_out_.clear();
  const std::vector<Polynomial> facts = facts_;
  for (const Polynomial& fact : facts) AddFact(Canonical(fact));
}

Polynomial FloorRewriter::Canonical(const Polynomial& polynomial) {
  Polynomial current = polynomial;
  for (int k = 0; k < kMaxRewrites && !ring_.overflow(); ++k) {
    std::optional<AtomId> next;
    for (const auto& [monomial, coefficient] : current.terms) {
      const std::vector<AtomId> atoms = ring_.monomial(monomial);
      for (const AtomId atom : atoms) {
        if (CanonicalAtom(atom) != ring_.FromAtom(atom)) next = next ? std::min(*next, atom) : atom;
      }
    }
    if (!next) return current;
    const Polynomial replacement = CanonicalAtom(*next);
    if (ContainsAtom(ring_, replacement, *next)) break;
    current = ReplaceAtom(certificate_, current, *next, replacement, Justify::kYes);
  }
  if (failure_.empty()) failure_ = "a term could not be brought into canonical form";
  return current;
}

Polynomial FloorRewriter::CanonicalAtom(AtomId atom) {
  if (const auto known = canonical_atoms_.find(atom); known != canonical_atoms_.end()) return known->second;
  const Polynomial self = ring_.FromAtom(atom);
  // An equation may have made a variable a multiple of its own quotient.
  if (!in_progress_.insert(atom).second) return self;
  Polynomial result = self;
  if (const auto rule = rules_.find(atom); rule != rules_.end()) {
    const Polynomial replacement = rule->second;
    result = Canonical(replacement);
  } else if (ring_.atoms()[atom].kind != AtomKind::kVariable) {
    const Ring::Atom division = ring_.atoms()[atom];
    const Polynomial dividend = Canonical(division.dividend);
    const Polynomial divisor = Canonical(division.divisor);
    if (dividend == division.dividend && divisor == division.divisor) {
      result = CanonicalDivision(division.kind, atom, dividend, divisor);
    } else {
      certificate_.Apply(division.kind == AtomKind::kFloorDiv ? LemmaId::kEqualQuotients : LemmaId::kEqualRemainders,
                         {division.dividend, dividend, division.divisor, divisor});
      result = Canonical(ring_.Division(division.kind, dividend, divisor));
    }
  }
  in_progress_.erase(atom);
  canonical_atoms_.insert_or_assign(atom, result);
  return result;
}

Polynomial FloorRewriter::CanonicalDivision(AtomKind kind, AtomId atom, const Polynomial& dividend,
                                            const Polynomial& divisor) {
  if (!ShowNotNegative(Plus(divisor, -1))) {
    if (failure_.empty()) failure_ = StrCat("the divisor ", ring_.ToString(divisor), " was not shown to be at least 1");
    return ring_.FromAtom(atom);
  }
  const Polynomial quotient = Quotient(dividend, divisor);
  const Polynomial floor = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const Polynomial remainder = ring_.Subtract(dividend, ring_.Multiply(quotient, divisor));
  if (quotient != floor) certificate_.Apply(LemmaId::kUniqueQuotient, {dividend, quotient, remainder, divisor});
  if (kind == AtomKind::kFloorDiv) return quotient;
  certificate_.Apply(LemmaId::kEuclid, {dividend, divisor});
  if (quotient != floor) {
    certificate_.Apply(LemmaId::kUniqueRemainder,
                       {dividend, quotient, remainder, divisor, floor, ring_.FromAtom(atom)});
  }
  return Canonical(remainder);
}

Polynomial FloorRewriter::Quotient(const Polynomial& dividend, const Polynomial& divisor) {
  const auto key = std::pair(dividend, divisor);
  if (const auto known = worked_out_.find(key); known != worked_out_.end()) return known->second;
  Polynomial result = divisor.IsConstant() ? QuotientByNumber(dividend, divisor.Constant(), 0)
                                           : QuotientByPolynomial(dividend, divisor, /*may_negate=*/true);
  worked_out_.insert_or_assign(key, result);
  return result;
}

Polynomial FloorRewriter::QuotientByNumber(const Polynomial& dividend, Int128 divisor, int depth) {
  if (dividend.IsConstant()) return ring_.FromConstant(FloorOf(dividend.Constant(), divisor));
  if (divisor == 1) return dividend;
  for (const Chain chain : {Chain::kAscending, Chain::kDescending, Chain::kNone}) {
    const DigitBasis basis(certificate_, quotients_, chain);
    if (chain != Chain::kNone && basis.empty()) continue;
    if (const Attempt guess = GuessByCoefficients(dividend, divisor, basis)) return *guess;
  }
  if (depth < kMaxQuotientDepth) {
    for (const Chain chain : {Chain::kNone, Chain::kAscending, Chain::kDescending}) {
      const DigitBasis basis(certificate_, quotients_, chain);
      if (chain != Chain::kNone && basis.empty()) continue;
      if (const Attempt guess = DropSmallTerms(dividend, divisor, basis, depth)) return *guess;
    }
  }
  // Multiples of the divisor leave the dividend.
  Polynomial whole;
  Polynomial rest;
  for (const auto& [monomial, coefficient] : dividend.terms) {
    whole = ring_.Add(whole, ring_.FromMonomial(monomial, FloorOf(coefficient, divisor)));
    rest = ring_.Add(rest, ring_.FromMonomial(monomial, RemainderOf(coefficient, divisor)));
  }
  if (depth < kMaxQuotientDepth) {
    // (B floordiv a + r) floordiv c = (B + a r) floordiv (a c)
    for (auto term = rest.terms.rbegin(); term != rest.terms.rend(); ++term) {
      const std::vector<AtomId>& atoms = ring_.monomial(term->first);
      if (term->second != 1 || atoms.size() != 1) continue;
      const auto inner = std::ranges::find(quotients_, atoms[0], &OpaqueQuotient::atom);
      if (inner == quotients_.end() || !inner->divisor.IsConstant()) continue;
      const Int128 inner_divisor = inner->divisor.Constant();
      if (inner_divisor > kMaxDivisor / divisor) continue;
      const Polynomial others = ring_.Subtract(rest, ring_.FromAtom(atoms[0]));
      const Polynomial joined = ring_.Add(inner->dividend, Times(others, inner_divisor));
      return ring_.Add(whole, QuotientByNumber(Canonical(joined), inner_divisor * divisor, depth + 1));
    }
    if (const Attempt joined = JoinQuotients(rest, ring_.FromConstant(divisor))) return ring_.Add(whole, *joined);
    // -(P floordiv c) = (-P + c - 1) floordiv c, of which the one with the smaller first coefficient is canonical.
    const auto first = std::ranges::find_if(rest.terms, [](const auto& term) { return term.first != 0; });
    if (first != rest.terms.end() && first->second > divisor - first->second) {
      const Polynomial opposite = Plus(Times(rest, -1), divisor - 1);
      return ring_.Subtract(whole, QuotientByNumber(opposite, divisor, depth + 1));
    }
  }
  return ring_.Add(whole, NewQuotient(rest, ring_.FromConstant(divisor)));
}

FloorRewriter::Attempt FloorRewriter::GuessByCoefficients(const Polynomial& dividend, Int128 divisor,
                                                          const DigitBasis& basis) {
  const Polynomial digits = basis.ToDigits(dividend);
  const Polynomial bound = ring_.FromConstant(divisor);
  const auto guess = [&](bool signed_residues) {
    Polynomial quotient;
    for (const auto& [monomial, coefficient] : digits.terms) {
      Int128 whole = FloorOf(coefficient, divisor);
      if (signed_residues && monomial != 0 && coefficient - whole * divisor > divisor / 2) ++whole;
      quotient = ring_.Add(quotient, ring_.FromMonomial(monomial, whole));
    }
    return basis.FromDigits(quotient);
  };
  for (const bool signed_residues : {false, true}) {
    const Polynomial quotient = guess(signed_residues);
    const Polynomial remainder = ring_.Subtract(dividend, Times(quotient, divisor));
    for (const Int128 step : {Int128{0}, Int128{-1}, Int128{1}}) {
      if (InRange(Plus(remainder, -step * divisor), bound)) return Plus(quotient, step);
    }
  }
  return std::nullopt;
}

// (g T + S) floordiv (g c) = T floordiv c where 0 <= S < g.
FloorRewriter::Attempt FloorRewriter::DropSmallTerms(const Polynomial& dividend, Int128 divisor,
                                                     const DigitBasis& basis, int depth) {
  const Polynomial digits = basis.ToDigits(dividend);
  std::set<Int128, std::greater<>> factors;
  for (const auto& [monomial, coefficient] : digits.terms) {
    if (monomial != 0) factors.insert(Gcd(coefficient, divisor));
  }
  for (const Int128 factor : factors) {
    if (factor <= 1 || factor == divisor) continue;
    Polynomial large;
    Polynomial small;
    for (const auto& [monomial, coefficient] : digits.terms) {
      if (monomial == 0 || coefficient % factor == 0) {
        const Int128 whole = FloorOf(coefficient, factor);
        large = ring_.Add(large, ring_.FromMonomial(monomial, whole));
        small = ring_.Add(small, ring_.FromMonomial(monomial, coefficient - whole * factor));
      } else {
        small = ring_.Add(small, ring_.FromMonomial(monomial, coefficient));
      }
    }
    if (!InRange(basis.FromDigits(small), ring_.FromConstant(factor))) continue;
    return QuotientByNumber(basis.FromDigits(large), divisor / factor, depth + 1);
  }
  return std::nullopt;
}

Polynomial FloorRewriter::QuotientByPolynomial(const Polynomial& dividend, const Polynomial& divisor, bool may_negate) {
  if (const Attempt cancelled = CancelCommonFactor(dividend, divisor)) return *cancelled;
  for (int round = 0; round < 2; ++round) {
    for (const Chain chain : {Chain::kNone, Chain::kAscending, Chain::kDescending, Chain::kSymbolic}) {
      const DigitBasis basis(certificate_, quotients_, chain);
      if (chain != Chain::kNone && basis.empty()) continue;
      if (const Attempt quotient = LongDivision(dividend, divisor, basis)) return *quotient;
    }
    if (!SplitForDivision(dividend, divisor)) break;
  }
  // Multiples of the divisor leave the dividend.
  const auto& [lead, lead_coefficient] = divisor.terms.back();
  Polynomial whole;
  for (const auto& [monomial, coefficient] : dividend.terms) {
    const auto rest = ring_.DivideMonomial(monomial, lead);
    if (rest && coefficient % lead_coefficient == 0) {
      whole = ring_.Add(whole, ring_.FromMonomial(*rest, coefficient / lead_coefficient));
    }
  }
  const Polynomial rest = ring_.Subtract(dividend, ring_.Multiply(whole, divisor));
  if (const Attempt joined = JoinQuotients(rest, divisor)) return ring_.Add(whole, *joined);
  if (may_negate && !rest.IsZero() && rest.terms.back().second < 0) {
    const Polynomial opposite = Plus(ring_.Subtract(divisor, rest), -1);
    return ring_.Subtract(whole, QuotientByPolynomial(opposite, divisor, /*may_negate=*/false));
  }
  return ring_.Add(whole, NewQuotient(rest, divisor));
}

// (B floordiv s) floordiv t = B floordiv (s t)
FloorRewriter::Attempt FloorRewriter::JoinQuotients(const Polynomial& dividend, const Polynomial& divisor) {
  const auto atom = ring_.AsAtom(dividend);
  const auto inner = atom ? std::ranges::find(quotients_, *atom, &OpaqueQuotient::atom) : quotients_.end();
  if (inner == quotients_.end() || (inner->divisor.IsConstant() && divisor.IsConstant())) return std::nullopt;
  const Polynomial first = inner->divisor;
  const Polynomial product = ring_.Multiply(first, divisor);
  const Polynomial dividend_of_all = inner->dividend;
  if (!ShowNotNegative(Plus(product, -1))) return std::nullopt;
  const Polynomial joined = Quotient(dividend_of_all, product);
  // s (r + 1) > B - s t q >= 0 makes the rest r >= 0, and s (r - t) <= B - s t q - s t < 0 makes it r < t.
  const Polynomial rest = ring_.Subtract(dividend, ring_.Multiply(divisor, joined));
  certificate_.Apply(LemmaId::kMonotoneProduct, {Plus(rest, 1), {}, first});
  certificate_.Apply(LemmaId::kMonotoneProduct, {{}, ring_.Subtract(rest, divisor), first});
  AddFact(rest);
  AddFact(Plus(ring_.Subtract(divisor, rest), -1));
  return joined;
}

// (G P) floordiv (G t) = P floordiv t for a product G >= 1.
FloorRewriter::Attempt FloorRewriter::CancelCommonFactor(const Polynomial& dividend, const Polynomial& divisor) {
  if (dividend.IsZero()) return Polynomial{};
  Int128 number = 0;
  std::vector<AtomId> common = ring_.monomial(divisor.terms.back().first);
  for (const Polynomial* polynomial : {&dividend, &divisor}) {
    for (const auto& [monomial, coefficient] : polynomial->terms) {
      number = Gcd(number, coefficient);
      std::vector<AtomId> both;
      std::ranges::set_intersection(common, ring_.monomial(monomial), std::back_inserter(both));
      common = std::move(both);
    }
  }
  Polynomial factor = ring_.FromConstant(number);
  for (const AtomId atom : common) factor = ring_.Multiply(factor, ring_.FromAtom(atom));
  if (factor == ring_.FromConstant(1) || !ShowNotNegative(Plus(factor, -1))) return std::nullopt;
  const auto divide = [&](const Polynomial& polynomial) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : polynomial.terms) {
      const MonomialId rest = *ring_.DivideMonomial(monomial, factor.terms[0].first);
      result = ring_.Add(result, ring_.FromMonomial(rest, coefficient / number));
    }
    return result;
  };
  const Polynomial reduced = divide(dividend);
  const Polynomial reduced_divisor = divide(divisor);
  if (!ShowNotNegative(Plus(reduced_divisor, -1))) return std::nullopt;
  const Polynomial quotient = Quotient(reduced, reduced_divisor);
  const Polynomial remainder = ring_.Subtract(reduced, ring_.Multiply(quotient, reduced_divisor));
  certificate_.Apply(LemmaId::kMonotoneProduct, {{}, remainder, factor});
  certificate_.Apply(LemmaId::kMonotoneProduct, {remainder, Plus(reduced_divisor, -1), factor});
  return quotient;
}

FloorRewriter::Attempt FloorRewriter::LongDivision(const Polynomial& dividend, const Polynomial& divisor,
                                                   const DigitBasis& basis) {
  const Polynomial in_digits = basis.ToDigits(divisor);
  for (auto lead = in_digits.terms.rbegin(); lead != in_digits.terms.rend(); ++lead) {
    if (lead->first == 0 || lead->second < 1) continue;
    Polynomial rest = basis.ToDigits(dividend);
    Polynomial quotient;
    for (int step = 0; step < 40; ++step) {
      Polynomial part;
      for (auto term = rest.terms.rbegin(); term != rest.terms.rend() && part.IsZero(); ++term) {
        const auto monomial = ring_.DivideMonomial(term->first, lead->first);
        const Int128 whole = FloorOf(term->second, lead->second);
        if (monomial && whole != 0) part = ring_.FromMonomial(*monomial, whole);
      }
      if (part.IsZero()) break;
      quotient = ring_.Add(quotient, part);
      rest = ring_.Subtract(rest, ring_.Multiply(part, in_digits));
    }
    quotient = basis.FromDigits(quotient);
    for (const Int128 step : {0, -1, 1}) {
      const Polynomial candidate = Plus(quotient, step);
      if (InRange(ring_.Subtract(dividend, ring_.Multiply(candidate, divisor)), divisor)) return candidate;
    }
  }
  return std::nullopt;
}

// Divides the atoms that the divisor would divide if its number were smaller: e2 of 128 N e2, by 8, for 1024 N.
bool FloorRewriter::SplitForDivision(const Polynomial& dividend, const Polynomial& divisor) {
  const auto [lead, lead_coefficient] = divisor.terms.back();
  const size_t before = quotients_.size();
  for (const auto& [monomial, coefficient] : dividend.terms) {
    const auto rest = ring_.DivideMonomial(monomial, lead);
    if (!rest || lead_coefficient < 1) continue;
    const std::vector<AtomId> atoms = ring_.monomial(*rest);
    const Int128 number = lead_coefficient / Gcd(coefficient, lead_coefficient);
    if (atoms.size() == 1 && number > 1) Quotient(ring_.FromAtom(atoms[0]), ring_.FromConstant(number));
  }
  return quotients_.size() > before;
}

Polynomial FloorRewriter::NewQuotient(const Polynomial& dividend, const Polynomial& divisor) {
  const Polynomial quotient = ring_.Division(AtomKind::kFloorDiv, dividend, divisor);
  const auto atom = ring_.AsAtom(quotient);
  if (!atom) return quotient;
  if (std::ranges::find(quotients_, *atom, &OpaqueQuotient::atom) != quotients_.end()) return CanonicalAtom(*atom);
  if (quotients_.size() == kMaxQuotients) ring_.SetOverflow();  // no formula for an index has as many
  quotients_.push_back({*atom, dividend, divisor});
  certificate_.Apply(LemmaId::kEuclid, {dividend, divisor});
  const Polynomial remainder = ring_.Subtract(dividend, ring_.Multiply(quotient, divisor));
  AddFact(remainder);
  AddFact(Plus(ring_.Subtract(divisor, remainder), -1));
  DeriveBounds(quotients_.back());
  return quotient;
}

// What holds of a quotient q = P floordiv t: q >= 0, q >= 1, and q < r for another quotient r by the same divisor.
void FloorRewriter::DeriveBounds(OpaqueQuotient quotient) {
  const Polynomial q = ring_.FromAtom(quotient.atom);
  const bool number = quotient.divisor.IsConstant();
  // From t r > P follows r > q, and from P >= t r follows q >= r. By a number, linear arithmetic finds that.
  const auto above = [&](const Polynomial& r, const OpaqueQuotient& than) {
    const Polynomial p = ring_.FromAtom(than.atom);
    if (number) {
      if (ShowNotNegative(Plus(ring_.Subtract(r, p), -1))) AddFact(Plus(ring_.Subtract(r, p), -1));
    } else if (ShowNotNegative(Plus(ring_.Subtract(ring_.Multiply(r, than.divisor), than.dividend), -1))) {
      certificate_.Apply(LemmaId::kMonotoneProduct, {r, p, than.divisor});
      AddFact(Plus(ring_.Subtract(r, p), -1));
    }
  };
  const auto at_least = [&](Int128 r) {
    if (number) {
      if (!ShowNotNegative(Plus(q, -r))) return false;
    } else {
      if (!ShowNotNegative(ring_.Subtract(quotient.dividend, Times(quotient.divisor, r)))) return false;
      certificate_.Apply(LemmaId::kMonotoneProduct, {Plus(q, 1), ring_.FromConstant(r), quotient.divisor});
    }
    AddFact(Plus(q, -r));
    return true;
  };
  if (at_least(0)) at_least(1);
  for (size_t k = 0; k + 1 < quotients_.size(); ++k) {
    const OpaqueQuotient other = quotients_[k];
    if (other.divisor != quotient.divisor) continue;
    above(ring_.FromAtom(other.atom), quotient);
    above(q, other);
  }
}

bool FloorRewriter::InRange(const Polynomial& polynomial, const Polynomial& bound) {
  return ShowNotNegative(polynomial) && ShowNotNegative(Plus(ring_.Subtract(bound, polynomial), -1));
}

bool FloorRewriter::Show(const TermRelation& relation) {
  const Polynomial left = Canonical(relation.left);
  const Polynomial difference = ring_.Subtract(Canonical(relation.right), left);
  switch (relation.kind) {
    case TermRelation::Kind::kEqual: return ShowZero(difference);
    case TermRelation::Kind::kLess: return ShowNotNegative(Plus(difference, -1));
    case TermRelation::Kind::kLessEqual: return ShowNotNegative(difference);
  }
  return false;
}

bool FloorRewriter::ShowNotNegative(const Polynomial& canonical) {
  if (ring_.overflow() || linear_.questions() > kMaxQuestions) return false;
  if (canonical.IsConstant()) return canonical.Constant() >= 0;
  if (samples_.FindNegative(canonical)) return false;
  const Polynomial polynomial = Normalized(canonical);
  if (linear_.Imply(polynomial)) return true;
  const bool has_products =
      std::ranges::any_of(polynomial.terms, [&](const auto& term) { return ring_.monomial(term.first).size() > 1; });
  return (has_products || !wanted_.empty()) && ShowByProducts(polynomial);
}

bool FloorRewriter::KnownNotNegative(MonomialId monomial) const {
  return std::ranges::all_of(ring_.monomial(monomial), [&](AtomId atom) { return not_negative_.contains(atom); });
}

// Facts times products that are >= 0, as far as they have a product of atoms that the polynomial has, or that such a
// product brings in.
bool FloorRewriter::ShowByProducts(const Polynomial& polynomial) {
  struct Product {
    Polynomial fact;
    MonomialId factor;
  };
  std::vector<Product> products;
  std::vector<Polynomial> candidates;
  std::set<std::pair<MonomialId, Polynomial>> seen;
  std::set<MonomialId> wanted = wanted_;
  std::vector<MonomialId> round(wanted.begin(), wanted.end());
  for (const auto& [monomial, coefficient] : polynomial.terms) {
    if (ring_.monomial(monomial).size() > 1 && wanted.insert(monomial).second) round.push_back(monomial);
  }
  for (int rounds = 0; rounds < 3 && !round.empty(); ++rounds) {
    std::vector<MonomialId> next;
    for (const MonomialId monomial : round) {
      const std::vector<AtomId> atoms = ring_.monomial(monomial);
      for (size_t k = 0; k < atoms.size(); ++k) {
        if (k > 0 && atoms[k] == atoms[k - 1]) continue;
        const MonomialId factor = *ring_.DivideByAtom(monomial, atoms[k]);
        if (!KnownNotNegative(factor)) continue;
        for (const Polynomial& fact : facts_) {
          if (candidates.size() >= kMaxProducts) break;
          const bool linear =
              std::ranges::all_of(fact.terms, [&](const auto& term) { return ring_.monomial(term.first).size() <= 1; });
          if (!linear || !ContainsAtom(ring_, fact, atoms[k]) || !seen.emplace(factor, fact).second) continue;
          products.push_back({fact, factor});
          candidates.push_back(ring_.Multiply(fact, ring_.FromMonomial(factor, 1)));
          for (const auto& [product, coefficient] : candidates.back().terms) {
            if (ring_.monomial(product).size() > 1 && wanted.insert(product).second) next.push_back(product);
          }
        }
      }
    }
    if (const auto used = linear_.ImplyWith(polynomial, candidates)) {
      for (const size_t k : *used) {
        // 0 <= factor, atom by atom, and with it 0 <= fact * factor.
        Polynomial product;
        for (const AtomId atom : ring_.monomial(products[k].factor)) {
          if (product.IsZero()) {
            product = ring_.FromAtom(atom);
            continue;
          }
          certificate_.Apply(LemmaId::kMonotoneProduct, {{}, product, ring_.FromAtom(atom)});
          product = ring_.Multiply(product, ring_.FromAtom(atom));
        }
        certificate_.Apply(LemmaId::kMonotoneProduct, {{}, products[k].fact, product});
      }
      return true;
    }
    round = std::move(next);
  }
  return false;
}

bool FloorRewriter::ShowZero(const Polynomial& canonical) {
  if (canonical.IsZero()) return true;
  if (canonical.IsConstant() || ring_.overflow() || samples_.FindNonzero(canonical)) return false;
  if (linear_.Imply(Normalized(canonical)) && linear_.Imply(Normalized(Times(canonical, -1)))) return true;
  // N * a + b, of which a and b are zero.
  std::set<AtomId> factors;
  for (const auto& [monomial, coefficient] : canonical.terms) {
    const std::vector<AtomId>& atoms = ring_.monomial(monomial);
    if (atoms.size() > 1) factors.insert(atoms.begin(), atoms.end());
  }
  for (const AtomId factor : factors) {
    Polynomial multiple;
    Polynomial rest;
    for (const auto& [monomial, coefficient] : canonical.terms) {
      if (const auto divided = ring_.DivideByAtom(monomial, factor)) {
        multiple = ring_.Add(multiple, ring_.FromMonomial(*divided, coefficient));
      } else {
        rest = ring_.Add(rest, ring_.FromMonomial(monomial, coefficient));
      }
    }
    if (multiple.IsConstant() || !ShowZero(multiple) || !ShowZero(rest)) continue;
    certificate_.Apply(LemmaId::kEqualProducts, {multiple, {}, ring_.FromAtom(factor)});
    return true;
  }
  return ShowNotNegative(canonical) && ShowNotNegative(Times(canonical, -1));
}

Term FloorRewriter::ToTerm(const Polynomial& polynomial) {
  Term sum = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms) {
    Term product = Term(static_cast<int64_t>(coefficient));
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    bool first = coefficient == 1;
    for (const AtomId atom : atoms) {
      const Ring::Atom what = ring_.atoms()[atom];
      const Term factor = what.kind == AtomKind::kVariable   ? certificate_.terms().Variable(what.name)
                          : what.kind == AtomKind::kFloorDiv ? FloorDiv(ToTerm(what.dividend), ToTerm(what.divisor))
                                                             : Mod(ToTerm(what.dividend), ToTerm(what.divisor));
      product = first ? factor : product * factor;
      first = false;
    }
    sum = sum.IsConstant() && sum.value().value == 0 ? product : sum + product;
  }
  return sum;
}

std::optional<TermRelation> FloorRewriter::SuggestSplit(const Polynomial& canonical) {
  const auto undecided = [&](const Polynomial& not_negative) {
    return !ShowNotNegative(not_negative) && !ShowNotNegative(Plus(Times(not_negative, -1), -1));
  };
  for (size_t k = quotients_.size(); k-- > 0;) {
    const OpaqueQuotient quotient = quotients_[k];
    if (!ContainsAtom(ring_, canonical, quotient.atom)) continue;
    // A quotient that takes one of few values.
    const Polynomial q = ring_.FromAtom(quotient.atom);
    for (const Int128 limit : {0, 1, 2, -1}) {
      const Polynomial above = Plus(q, -limit - 1);  // q > limit
      if (!undecided(above)) continue;
      if (!ShowNotNegative(Plus(q, 2 - limit)) || !ShowNotNegative(Plus(Times(q, -1), limit + 2))) continue;
      return LessEqual(ToTerm(q), Term(static_cast<int64_t>(limit)));
    }
    // Two quotients that differ by little.
    for (size_t other = 0; other < quotients_.size(); ++other) {
      if (other == k || quotients_[other].divisor != quotient.divisor) continue;
      const Polynomial difference = ring_.Subtract(q, ring_.FromAtom(quotients_[other].atom));
      if (!undecided(Times(difference, -1))) continue;
      if (!ShowNotNegative(Plus(difference, 1)) || !ShowNotNegative(Plus(Times(difference, -1), 1))) continue;
      return LessEqual(ToTerm(q), ToTerm(ring_.FromAtom(quotients_[other].atom)));
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
