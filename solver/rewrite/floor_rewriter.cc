// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/floor_rewriter.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMaxRewrites = 10000;  // per polynomial

}  // namespace

FloorRewriter::FloorRewriter(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples)
    : derivation_(derivation),
      ring_(derivation.ring()),
      inequalities_(derivation, rlimit, samples),
      quotients_(derivation, inequalities_, [this](const Polynomial& polynomial) { return Canonical(polynomial); }) {}

void FloorRewriter::SampleConjunction(const std::string& variable, const std::vector<Term>& terms) {
  std::vector<Polynomial> conjuncts;
  for (const Term& term : terms) conjuncts.push_back(derivation_.Normalize(term));
  inequalities_.samples().DefineConjunction(variable, conjuncts);
}

void FloorRewriter::LearnHypothesis(const TermRelation& relation) {
  const Polynomial left = Canonical(relation.left);
  const Polynomial right = Canonical(relation.right);
  Polynomial difference = ring_.Subtract(right, left);
  for (const auto& [monomial, coefficient] : difference.addends) {
    if (ring_.monomial(monomial).size() > 1) inequalities_.AddWantedProduct(monomial);
  }
  if (relation.kind == TermRelation::Kind::kEqual) {
    inequalities_.samples().KeepZero(difference);
    inequalities_.AddFact(difference);
    inequalities_.AddFact(ring_.Times(difference, -1));
    Solve(difference);
    return;
  }
  if (relation.kind == TermRelation::Kind::kLess) difference = ring_.Plus(difference, -1);
  inequalities_.samples().KeepNotNegative(difference);
  difference = inequalities_.DivideOutFactor(difference);
  inequalities_.AddFact(difference);
  // A product that is larger than an index is positive, and so are its factors.
  for (const auto& [monomial, coefficient] : difference.addends) {
    if (coefficient > 0) inequalities_.AddFactorsOfPositive(monomial);
  }
  // An upper bound of a sum of products of sizes bounds each of them.
  const bool bounds_a_sum =
      difference.Constant() > 0 && std::ranges::all_of(difference.addends, [](const auto& addend) {
        return addend.first == 0 || addend.second < 0;
      });
  for (const auto& [monomial, coefficient] : difference.addends) {
    if (bounds_a_sum && monomial != 0) inequalities_.AddPartsOfProduct(monomial);
  }
  // Together with known facts, the inequality may be an equation.
  if (inequalities_.ShowNotNegative(ring_.Times(difference, -1))) Solve(difference);
}

void FloorRewriter::LearnRoundedBound(const Term& bound) {
  const Polynomial whole = Canonical(bound);
  for (const OpaqueQuotient& quotient : quotients_.unknowns()) {
    const Int128 divisor = quotient.divisor.IsConstant() ? quotient.divisor.Constant() : 0;
    const bool divides =
        divisor > 1 && std::ranges::all_of(whole.addends, [&](const auto& a) { return a.second % divisor == 0; });
    if (!divides || !inequalities_.ShowNotNegative(ring_.Plus(ring_.Subtract(whole, quotient.dividend), -1))) continue;
    // c q <= P < c B. The division by c rounds.
    const Polynomial multiple = ring_.Times(ring_.FromAtom(quotient.atom), divisor);
    inequalities_.AddFact(ring_.Plus(ring_.Subtract(whole, multiple), -1));
  }
}

// Makes the equation a rule that replaces one of its atoms.
void FloorRewriter::Solve(const Polynomial& zero) {
  const Polynomial equation = inequalities_.DivideOutFactor(zero);
  std::optional<AtomId> best;
  Int128 best_coefficient = 0;
  const auto is_variable = [&](AtomId atom) { return ring_.atoms()[atom].kind == AtomKind::kVariable; };
  for (const auto& [monomial, coefficient] : equation.addends) {
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    if ((coefficient != 1 && coefficient != -1) || atoms.size() != 1) continue;
    const Polynomial rest = ring_.Subtract(equation, ring_.FromMonomial(monomial, coefficient));
    if (ContainsAtom(ring_, rest, atoms[0])) continue;
    // The newest variable is replaced or, if there is none, the newest quotient.
    if (!best || std::pair(is_variable(atoms[0]), atoms[0]) > std::pair(is_variable(*best), *best)) {
      best = atoms[0];
      best_coefficient = coefficient;
    }
  }
  if (!best) return;
  const Polynomial rest = ring_.Subtract(equation, ring_.Times(ring_.FromAtom(*best), best_coefficient));
  rules_[*best] = ring_.Times(rest, best_coefficient == 1 ? -1 : 1);
  canonical_atoms_.clear();
  quotients_.ForgetResults();
  const std::vector<Polynomial> facts = inequalities_.facts();
  for (const Polynomial& fact : facts) inequalities_.AddFact(Canonical(fact));
}

bool FloorRewriter::Show(const TermRelation& relation) {
  const Polynomial left = Canonical(relation.left);
  const Polynomial difference = ring_.Subtract(Canonical(relation.right), left);
  if (relation.kind == TermRelation::Kind::kEqual) return inequalities_.ShowZero(difference);
  const bool is_strict = relation.kind == TermRelation::Kind::kLess;
  return inequalities_.ShowNotNegative(is_strict ? ring_.Plus(difference, -1) : difference);
}

Polynomial FloorRewriter::Canonical(const Polynomial& polynomial) {
  Polynomial current = polynomial;
  for (int k = 0; k < kMaxRewrites && !ring_.overflow(); ++k) {
    std::optional<AtomId> next;
    for (const auto& [monomial, coefficient] : current.addends) {
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
  if (failure_.empty()) failure_ = "an expression could not be brought into canonical form";
  return current;
}

Polynomial FloorRewriter::CanonicalAtom(AtomId atom) {
  if (const auto known = canonical_atoms_.find(atom); known != canonical_atoms_.end()) return known->second;
  Polynomial self = ring_.FromAtom(atom);
  // A rule may lead back to the atom, because an equation may make a variable a multiple of its own quotient.
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
  if (!inequalities_.ShowNotNegative(ring_.Plus(divisor, -1))) {
    if (failure_.empty()) failure_ = StrCat("the divisor ", ring_.ToString(divisor), " was not shown to be at least 1");
    return ring_.FromAtom(atom);
  }
  Polynomial quotient = quotients_.Divide(dividend, divisor);
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

Term FloorRewriter::ToTerm(const Polynomial& polynomial) {
  Term sum = 0;
  auto ordered = polynomial.addends;
  if (!ordered.empty() && ordered.front().first == 0) std::ranges::rotate(ordered, ordered.begin() + 1);
  std::ranges::stable_partition(ordered, [](const auto& addend) { return addend.second > 0 && addend.first != 0; });
  for (const auto& [monomial, coefficient] : ordered) {
    const bool subtract = coefficient < 0 && monomial != 0;
    const Int128 factor = subtract ? -coefficient : coefficient;
    std::optional<Term> product;
    if (factor != 1 || monomial == 0) product = Term(WideInteger(factor));
    for (const AtomId number : std::vector<AtomId>(ring_.monomial(monomial))) {
      const Ring::Atom atom = ring_.atoms()[number];
      const Term value = atom.kind == AtomKind::kVariable   ? derivation_.terms().Variable(atom.name)
                         : atom.kind == AtomKind::kFloorDiv ? FloorDiv(ToTerm(atom.dividend), ToTerm(atom.divisor))
                                                            : Mod(ToTerm(atom.dividend), ToTerm(atom.divisor));
      product = product ? value * *product : value;
    }
    const bool is_first = sum.IsConstant() && sum.value().value == 0;
    sum = subtract ? sum - *product : is_first ? *product : sum + *product;
  }
  return sum;
}

std::optional<TermRelation> FloorRewriter::SuggestCaseDistinction(const Polynomial& canonical) {
  const auto shows = [&](const Polynomial& not_negative) { return inequalities_.ShowNotNegative(not_negative); };
  // Returns true if the number is between -spread and spread, and neither known to be at most 0 nor to be above.
  const auto is_open = [&](const Polynomial& number, Int128 spread) {
    const Polynomial opposite = ring_.Times(number, -1);
    return !shows(ring_.Plus(number, -1)) && !shows(opposite) && shows(ring_.Plus(number, spread)) &&
           shows(ring_.Plus(opposite, spread));
  };
  const std::vector<OpaqueQuotient>& unknowns = quotients_.unknowns();
  for (size_t k = unknowns.size(); k-- > 0;) {
    const OpaqueQuotient quotient = unknowns[k];
    if (!ContainsAtom(ring_, canonical, quotient.atom)) continue;
    // The first candidates are quotients that take one of few values, the others pairs that differ by at most 1.
    const Polynomial q = ring_.FromAtom(quotient.atom);
    for (const Int128 limit : {0, 1, 2, -1}) {
      if (is_open(ring_.Plus(q, -limit), 2)) return LessEqual(ToTerm(q), Term(static_cast<int64_t>(limit)));
    }
    for (size_t other = 0; other < unknowns.size(); ++other) {
      if (other == k || unknowns[other].divisor != quotient.divisor) continue;
      const Polynomial r = ring_.FromAtom(unknowns[other].atom);
      if (is_open(ring_.Subtract(q, r), 1)) return LessEqual(ToTerm(q), ToTerm(r));
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
