// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/inequality_prover.h"
#include <algorithm>
#include <utility>

namespace layoutcheck {
namespace {

constexpr size_t kMaxProducts = 400;     // products tried per inequality
constexpr int64_t kMaxQuestions = 5000;  // questions of linear arithmetic per prover

}  // namespace

InequalityProver::InequalityProver(Derivation& derivation, uint64_t rlimit, const std::vector<NamedValues>& samples)
    : derivation_(derivation), ring_(derivation.ring()), linear_(rlimit), samples_(derivation.ring(), samples) {}

Polynomial InequalityProver::DivideOutFactor(const Polynomial& not_negative) {
  Int128 factor = 0;
  for (const auto& [monomial, coefficient] : not_negative.addends) {
    if (monomial != 0) factor = Gcd(factor, coefficient);
  }
  if (factor <= 1) return not_negative;
  Polynomial result;
  for (const auto& [monomial, coefficient] : not_negative.addends) {
    const Int128 divided = FloorOf(coefficient, factor);
    if (divided != 0) result.addends.emplace_back(monomial, divided);
  }
  return result;
}

void InequalityProver::AddFact(const Polynomial& not_negative) {
  const Polynomial fact = DivideOutFactor(not_negative);
  if (fact.IsConstant() || std::ranges::find(facts_, fact) != facts_.end()) return;
  facts_.push_back(fact);
  linear_.Add(fact);
  // The fact atom - constant >= 0 makes the atom >= 0.
  const Polynomial lone = ring_.Subtract(fact, ring_.FromConstant(fact.Constant()));
  if (const auto atom = ring_.AsAtom(lone); atom && fact.Constant() <= 0) not_negative_.insert(*atom);
}

void InequalityProver::AddPartsOfProduct(MonomialId product) {
  constexpr size_t kMaxAtoms = 8;
  const std::vector<AtomId> atoms = ring_.monomial(product);
  const Polynomial one = ring_.FromConstant(1);
  const auto is_positive = [&](AtomId atom) { return ShowNotNegative(ring_.Plus(ring_.FromAtom(atom), -1)); };
  if (atoms.size() > kMaxAtoms || !std::ranges::all_of(atoms, is_positive)) return;
  std::set<MonomialId> seen;
  for (size_t set = 1; set + 1 < size_t{1} << atoms.size(); ++set) {
    Polynomial part = one;
    std::optional<Polynomial> missing;
    for (size_t k = 0; k < atoms.size(); ++k) {
      const Polynomial atom = ring_.FromAtom(atoms[k]);
      if ((set >> k & 1) == 0) {
        missing = atom;
      } else {
        derivation_.Apply(LemmaId::kPositiveProduct, {part, atom});
        part = ring_.Multiply(part, atom);
      }
    }
    if (!seen.insert(part.addends[0].first).second) continue;
    derivation_.Apply(LemmaId::kMonotoneProduct, {one, *missing, part});
    AddFact(ring_.Subtract(ring_.Multiply(*missing, part), part));
  }
}

bool InequalityProver::ShowInRange(const Polynomial& polynomial, const Polynomial& bound) {
  return ShowNotNegative(polynomial) && ShowNotNegative(ring_.Plus(ring_.Subtract(bound, polynomial), -1));
}

bool InequalityProver::ShowNotNegative(const Polynomial& canonical) {
  if (ring_.overflow() || linear_.questions() > kMaxQuestions) return false;
  if (canonical.IsConstant()) return canonical.Constant() >= 0;
  if (samples_.FindNegative(canonical)) return false;
  const Polynomial polynomial = DivideOutFactor(canonical);
  if (linear_.Imply(polynomial)) return true;
  const bool has_products = std::ranges::any_of(
      polynomial.addends, [&](const auto& addend) { return ring_.monomial(addend.first).size() > 1; });
  return (has_products || !wanted_products_.empty()) && ShowByProducts(polynomial);
}

bool InequalityProver::KnownNotNegative(MonomialId monomial) const {
  return std::ranges::all_of(ring_.monomial(monomial), [&](AtomId atom) { return not_negative_.contains(atom); });
}

// Multiplies facts by nonnegative products of atoms, if that gives a product that the polynomial or an earlier result
// has, and asks whether the polynomial is >= 0 with these facts.
bool InequalityProver::ShowByProducts(const Polynomial& polynomial) {
  struct Product {
    Polynomial fact;
    MonomialId factor;
  };
  std::vector<Product> products;
  std::vector<Polynomial> candidates;
  std::set<std::pair<MonomialId, Polynomial>> seen;
  std::set<MonomialId> wanted = wanted_products_;
  std::vector<MonomialId> round(wanted.begin(), wanted.end());
  for (const auto& [monomial, coefficient] : polynomial.addends) {
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
          const bool linear = std::ranges::all_of(
              fact.addends, [&](const auto& addend) { return ring_.monomial(addend.first).size() <= 1; });
          if (!linear || !ContainsAtom(ring_, fact, atoms[k]) || !seen.emplace(factor, fact).second) continue;
          products.push_back({fact, factor});
          candidates.push_back(ring_.Multiply(fact, ring_.FromMonomial(factor, 1)));
          for (const auto& [product, coefficient] : candidates.back().addends) {
            if (ring_.monomial(product).size() > 1 && wanted.insert(product).second) next.push_back(product);
          }
        }
      }
    }
    if (const auto used = linear_.ImplyWith(polynomial, candidates)) {
      for (const size_t k : *used) {
        // Derives 0 <= factor, atom by atom, and from it 0 <= fact * factor.
        Polynomial product;
        for (const AtomId atom : ring_.monomial(products[k].factor)) {
          if (product.IsZero()) {
            product = ring_.FromAtom(atom);
            continue;
          }
          derivation_.Apply(LemmaId::kMonotoneProduct, {{}, product, ring_.FromAtom(atom)});
          product = ring_.Multiply(product, ring_.FromAtom(atom));
        }
        derivation_.Apply(LemmaId::kMonotoneProduct, {{}, products[k].fact, product});
      }
      return true;
    }
    round = std::move(next);
  }
  return false;
}

bool InequalityProver::ShowZero(const Polynomial& canonical) {
  if (canonical.IsZero()) return true;
  if (canonical.IsConstant() || ring_.overflow() || samples_.FindNonzero(canonical)) return false;
  if (linear_.Imply(DivideOutFactor(canonical)) && linear_.Imply(DivideOutFactor(ring_.Times(canonical, -1))))
    return true;
  // N * a + b is zero if a and b are.
  std::set<AtomId> factors;
  for (const auto& [monomial, coefficient] : canonical.addends) {
    const std::vector<AtomId>& atoms = ring_.monomial(monomial);
    if (atoms.size() > 1) factors.insert(atoms.begin(), atoms.end());
  }
  for (const AtomId factor : factors) {
    Polynomial multiple;
    Polynomial rest;
    for (const auto& [monomial, coefficient] : canonical.addends) {
      if (const auto divided = ring_.DivideByAtom(monomial, factor)) {
        multiple = ring_.Add(multiple, ring_.FromMonomial(*divided, coefficient));
      } else {
        rest = ring_.Add(rest, ring_.FromMonomial(monomial, coefficient));
      }
    }
    if (multiple.IsConstant() || !ShowZero(multiple) || !ShowZero(rest)) continue;
    derivation_.Apply(LemmaId::kEqualProducts, {multiple, {}, ring_.FromAtom(factor)});
    return true;
  }
  return ShowNotNegative(canonical) && ShowNotNegative(ring_.Times(canonical, -1));
}

}  // namespace layoutcheck
