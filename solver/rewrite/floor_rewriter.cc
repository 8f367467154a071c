#include "layoutcheck/solver/rewrite/floor_rewriter.h"

#include <algorithm>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMaxRewrites = 10000;  // of one polynomial

}  // namespace

FloorRewriter::FloorRewriter(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples)
    : derivation_(derivation), ring_(derivation.ring()), linear_(rlimit), samples_(derivation.ring(), samples) {}

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

void FloorRewriter::SampleConjunction(const std::string& variable, const std::vector<Term>& terms) {
  std::vector<Polynomial> conjuncts;
  for (const Term& term : terms) conjuncts.push_back(derivation_.Normalize(term));
  samples_.DefineConjunction(variable, conjuncts);
}

void FloorRewriter::LearnHypothesis(const TermRelation& relation) {
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
    current = ReplaceAtom(derivation_, current, *next, replacement, Justify::kYes);
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
      derivation_.Apply(division.kind == AtomKind::kFloorDiv ? LemmaId::kEqualQuotients : LemmaId::kEqualRemainders,
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
  if (quotient != floor) derivation_.Apply(LemmaId::kUniqueQuotient, {dividend, quotient, remainder, divisor});
  if (kind == AtomKind::kFloorDiv) return quotient;
  derivation_.Apply(LemmaId::kEuclid, {dividend, divisor});
  if (quotient != floor) {
    derivation_.Apply(LemmaId::kUniqueRemainder, {dividend, quotient, remainder, divisor, floor, ring_.FromAtom(atom)});
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

Term FloorRewriter::ToTerm(const Polynomial& polynomial) {
  Term sum = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms) {
    Term product = Term(static_cast<int64_t>(coefficient));
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    bool first = coefficient == 1;
    for (const AtomId atom : atoms) {
      const Ring::Atom what = ring_.atoms()[atom];
      const Term factor = what.kind == AtomKind::kVariable   ? derivation_.terms().Variable(what.name)
                          : what.kind == AtomKind::kFloorDiv ? FloorDiv(ToTerm(what.dividend), ToTerm(what.divisor))
                                                             : Mod(ToTerm(what.dividend), ToTerm(what.divisor));
      product = first ? factor : product * factor;
      first = false;
    }
    sum = sum.IsConstant() && sum.value().value == 0 ? product : sum + product;
  }
  return sum;
}

std::optional<TermRelation> FloorRewriter::SuggestCaseDistinction(const Polynomial& canonical) {
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
