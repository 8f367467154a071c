// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/inequality_prover.h"
#include <algorithm>
#include <utility>

namespace layoutcheck {
namespace {

constexpr size_t kMaxTriedProducts = 400;        // products tried per inequality
constexpr size_t kMaxFoundProducts = 4000;       // products found per round, of which some are tried
constexpr int64_t kMaxQuestionsOfProver = 5000;  // questions of linear arithmetic per prover

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
  derivation_.Suggest(fact);
  linear_.Add(fact);
  // The fact atom - constant >= 0 makes the atom >= 0.
  const Polynomial lone = ring_.Subtract(fact, ring_.FromConstant(fact.Constant()));
  if (const auto atom = ring_.AsAtom(lone); atom && fact.Constant() <= 0) not_negative_.insert(*atom);
}

void InequalityProver::AddPartsOfProduct(MonomialId product) {
  constexpr size_t kMaxAtoms = 8;
  const std::vector<AtomId> atoms = ring_.monomial(product);
  if (atoms.size() > kMaxAtoms) return;
  // Sizes that `*` combines are a product in the dividend of a quotient, whose bounds need the parts of that product.
  for (const AtomId atom : atoms) {
    for (const auto& [monomial, coefficient] : Polynomial(ring_.atoms()[atom].dividend).addends) {
      if (ring_.monomial(monomial).size() > 1) AddPartsOfProduct(monomial);
    }
  }
  const Polynomial one = ring_.FromConstant(1);
  Polynomial kept = one;             // the product of the atoms that may be 0, so that each part has them
  std::vector<Polynomial> left_out;  // atoms that are at least 1
  for (const AtomId number : atoms) {
    const Polynomial atom = ring_.FromAtom(number);
    if (ShowNotNegative(ring_.Plus(atom, -1))) {
      left_out.push_back(atom);
    } else if (ShowNotNegative(atom)) {
      kept = MultiplyNotNegative(kept, atom);
    } else {
      return;
    }
  }
  const Polynomial whole = ring_.FromMonomial(product, 1);
  for (size_t set = 0; set < size_t{1} << left_out.size(); ++set) {
    Polynomial part = kept;
    std::optional<Polynomial> missing;
    for (size_t k = 0; k < left_out.size(); ++k) {
      if ((set >> k & 1) == 0) {
        missing = left_out[k];
      } else {
        part = MultiplyNotNegative(part, left_out[k]);
      }
    }
    // Each part is at most the next larger one. For the search, each is at most the product: its questions stay small.
    if (missing) derivation_.Apply(LemmaId::kMonotoneProduct, {one, *missing, part});
    AddFact(missing ? ring_.Subtract(whole, part) : whole);
  }
}

void InequalityProver::AddFactorsOfPositive(MonomialId product) {
  const std::vector<AtomId> atoms = ring_.monomial(product);
  if (atoms.size() < 2 || !KnownNotNegative(product) || positive_products_.contains(product) ||
      !ShowNotNegative(ring_.Plus(ring_.FromMonomial(product, 1), -1))) {
    return;
  }
  positive_products_.insert(product);
  for (size_t k = 0; k < atoms.size(); ++k) {
    // 0 others < atom others
    Polynomial others = ring_.FromConstant(1);
    for (size_t other = 0; other < atoms.size(); ++other) {
      if (other != k) others = MultiplyNotNegative(others, ring_.FromAtom(atoms[other]));
    }
    const Polynomial atom = ring_.FromAtom(atoms[k]);
    derivation_.Apply(LemmaId::kSmallerFactor, {{}, atom, others});
    AddFact(ring_.Plus(atom, -1));
  }
}

Polynomial InequalityProver::MultiplyNotNegative(const Polynomial& product, const Polynomial& atom) {
  if (!product.IsConstant()) derivation_.Apply(LemmaId::kMonotoneProduct, {{}, product, atom});
  return ring_.Multiply(product, atom);
}

bool InequalityProver::ShowInRange(const Polynomial& polynomial, const Polynomial& bound) {
  return ShowNotNegative(polynomial) && ShowNotNegative(ring_.Plus(ring_.Subtract(bound, polynomial), -1));
}

bool InequalityProver::ShowNotNegative(const Polynomial& canonical) {
  if (ring_.overflow() || linear_.questions() > kMaxQuestionsOfProver) return false;
  if (canonical.IsConstant()) return canonical.Constant() >= 0;
  if (samples_.FindNegative(canonical)) return false;
  const Polynomial polynomial = DivideOutFactor(canonical);
  if (shown_.contains(polynomial)) return true;
  const size_t known = facts_.size() + wanted_products_.size();
  const auto not_shown = not_shown_.find(polynomial);
  if (not_shown != not_shown_.end() && not_shown->second == known) return false;
  if (!ShowAfresh(polynomial)) {
    not_shown_.insert_or_assign(polynomial, known);
    return false;
  }
  shown_.insert(polynomial);
  return true;
}

bool InequalityProver::ShowAfresh(const Polynomial& polynomial) {
  if (linear_.Imply(polynomial)) return true;
  size_t degree = 0;
  for (const auto& addend : polynomial.addends) degree = std::max(degree, ring_.monomial(addend.first).size());
  if (degree <= 1 && wanted_products_.empty()) return false;
  if (ShowByProducts(polynomial, 1)) return true;
  // Products of products are many: they are for the sizes of several tiles.
  return degree > 2 && ShowByProducts(polynomial, 2);
}

bool InequalityProver::KnownNotNegative(MonomialId monomial) const {
  return std::ranges::all_of(ring_.monomial(monomial), [&](AtomId atom) { return not_negative_.contains(atom); });
}

// Returns products of facts and of products of atoms >= 0 that have one of the `sought` products as an addend. `seen`
// holds the pairs of factors and facts that were found before.
std::vector<InequalityProver::Product> InequalityProver::FindProducts(std::span<const MonomialId> sought, size_t degree,
                                                                      const std::set<MonomialId>& wanted,
                                                                      std::set<std::pair<MonomialId, size_t>>& seen) {
  std::vector<Product> found;
  for (const MonomialId monomial : sought) {
    const std::vector<AtomId> atoms = ring_.monomial(monomial);
    for (size_t k = 0; k < atoms.size(); ++k) {
      if (k > 0 && atoms[k] == atoms[k - 1]) continue;
      const MonomialId factor = *ring_.DivideByAtom(monomial, atoms[k]);
      if (!KnownNotNegative(factor)) continue;
      for (size_t number = 0; number < facts_.size() && found.size() < kMaxFoundProducts; ++number) {
        const Polynomial& fact = facts_[number];
        const bool is_low = std::ranges::all_of(
            fact.addends, [&](const auto& addend) { return ring_.monomial(addend.first).size() <= degree; });
        if (!is_low || !ContainsAtom(ring_, fact, atoms[k]) || !seen.emplace(factor, number).second) continue;
        Product& product =
            found.emplace_back(Product{number, factor, ring_.Multiply(fact, ring_.FromMonomial(factor, 1))});
        for (const auto& [addend, coefficient] : product.value.addends) {
          if (ring_.monomial(addend).size() > 1 && !wanted.contains(addend)) ++product.unwanted;
        }
      }
    }
  }
  // Candidates that bring no new products are the likeliest to be needed.
  std::ranges::stable_sort(found, {}, &Product::unwanted);
  return found;
}

// Multiplies facts by nonnegative products of atoms, if that gives a product that the polynomial or an earlier result
// has, and asks whether the polynomial is >= 0 with these facts.
bool InequalityProver::ShowByProducts(const Polynomial& polynomial, size_t degree) {
  std::vector<Product> products;
  std::vector<Polynomial> candidates;
  std::set<std::pair<MonomialId, size_t>> seen;
  std::set<MonomialId> wanted = wanted_products_;
  std::vector<MonomialId> round(wanted.begin(), wanted.end());
  std::vector<size_t> ends;  // number of candidates after each round
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    if (ring_.monomial(monomial).size() > 1 && wanted.insert(monomial).second) round.push_back(monomial);
  }
  for (int rounds = 0; rounds < 3 && !round.empty(); ++rounds) {
    std::vector<Product> found = FindProducts(round, degree, wanted, seen);
    std::vector<MonomialId> next;
    for (Product& product : found) {
      if (candidates.size() == kMaxTriedProducts) break;
      for (const auto& [addend, coefficient] : product.value.addends) {
        if (ring_.monomial(addend).size() > 1 && wanted.insert(addend).second) next.push_back(addend);
      }
      candidates.push_back(product.value);
      products.push_back(std::move(product));
    }
    if (candidates.size() > (ends.empty() ? 0 : ends.back())) ends.push_back(candidates.size());
    round = std::move(next);
  }
  if (candidates.empty() || linear_.IsOpenWith(polynomial, candidates)) return false;
  for (const size_t end : ends) {
    const auto used = linear_.ImplyWith(polynomial, std::span(candidates).first(end));
    if (!used) continue;
    for (const size_t k : *used) {
      // Derives 0 <= factor, atom by atom, and from it 0 <= fact * factor.
      Polynomial product = ring_.FromConstant(1);
      for (const AtomId atom : ring_.monomial(products[k].factor)) {
        product = MultiplyNotNegative(product, ring_.FromAtom(atom));
      }
      derivation_.Apply(LemmaId::kMonotoneProduct, {{}, facts_[products[k].fact], product});
    }
    return true;
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
    const auto [multiple, rest] = SplitByAtom(ring_, canonical, factor);
    if (multiple.IsConstant() || !ShowZero(multiple) || !ShowZero(rest)) continue;
    derivation_.Apply(LemmaId::kEqualProducts, {multiple, {}, ring_.FromAtom(factor)});
    return true;
  }
  return ShowNotNegative(canonical) && ShowNotNegative(ring_.Times(canonical, -1));
}

AtomSamples::AtomSamples(const Ring& ring, const std::vector<NamedValues>& points) : ring_(ring) {
  for (const NamedValues& names : points) points_.push_back({names, {}});
}

std::optional<Int128> AtomSamples::Value(Point& point, const Polynomial& polynomial) const {
  const WideInteger value = ring_.ValueAt(point.names, point.atoms, polynomial);
  return value.overflow ? std::nullopt : std::optional(value.value);
}

void AtomSamples::DefineConjunction(const std::string& variable, const std::vector<Polynomial>& conjuncts) {
  std::erase_if(points_, [&](Point& point) {
    int64_t common = -1;
    for (const Polynomial& conjunct : conjuncts) {
      const std::optional<Int128> value = Value(point, conjunct);
      if (!value || *value != static_cast<int64_t>(*value)) return true;
      common &= static_cast<int64_t>(*value);
    }
    point.names[variable] = common;
    return false;
  });
}

void AtomSamples::DefinePower(const std::string& variable, const Polynomial& exponent) {
  std::erase_if(points_, [&](Point& point) {
    const Int128 value = Value(point, exponent).value_or(-1);
    if (value < 0 || value > 62) return true;
    point.names[variable] = int64_t{1} << static_cast<int>(value);
    return false;
  });
}

void AtomSamples::DefineCount(const std::string& variable) {
  constexpr size_t kManyPoints = 100;
  constexpr int64_t kLarge = int64_t{1} << 20;
  if (points_.size() <= kManyPoints) {
    const std::vector<Point> copies = points_;
    points_.insert(points_.end(), copies.begin(), copies.end());
  }
  for (size_t k = 0; k < points_.size(); ++k) {
    points_[k].names[variable] = k < points_.size() / 2 ? static_cast<int64_t>(k % 4) : kLarge;
  }
}

std::vector<NamedValues> AtomSamples::all() const {
  std::vector<NamedValues> points;
  for (const Point& point : points_) points.push_back(point.names);
  return points;
}

void AtomSamples::KeepNotNegative(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) { return Value(point, polynomial).value_or(-1) < 0; });
}

void AtomSamples::KeepZero(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) { return Value(point, polynomial) != Int128{0}; });
}

bool AtomSamples::FindNegative(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) { return Value(point, polynomial).value_or(0) < 0; });
}

bool AtomSamples::FindNonzero(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) { return Value(point, polynomial).value_or(0) != 0; });
}

}  // namespace layoutcheck
