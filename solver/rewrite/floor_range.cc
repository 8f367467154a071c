// Showing what is known of a polynomial's range.
#include <algorithm>
#include <array>
#include <utility>

#include "layoutcheck/solver/rewrite/floor_rewriter.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxProducts = 400;     // that are tried for one inequality
constexpr int64_t kMaxQuestions = 5000;  // of linear arithmetic

}  // namespace

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
    derivation_.Apply(LemmaId::kEqualProducts, {multiple, {}, ring_.FromAtom(factor)});
    return true;
  }
  return ShowNotNegative(canonical) && ShowNotNegative(Times(canonical, -1));
}

}  // namespace layoutcheck
