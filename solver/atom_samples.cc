#include "layoutcheck/solver/atom_samples.h"

#include <algorithm>

namespace layoutcheck {
namespace {

WideInteger Evaluate(const Ring& ring, const std::vector<WideInteger>& atoms, const Polynomial& polynomial) {
  WideInteger sum = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms) {
    WideInteger product = coefficient;
    for (const AtomId atom : ring.monomial(monomial)) product = product * atoms[atom];
    sum = sum + product;
  }
  return sum;
}

}  // namespace

AtomSamples::AtomSamples(const Ring& ring, const std::vector<NamedValues>& points) : ring_(ring) {
  for (const NamedValues& names : points) points_.push_back({&names, {}});
}

// Arguments of a quotient have smaller numbers than it has: no recursion.
WideInteger AtomSamples::Value(Point& point, const Polynomial& polynomial) {
  for (size_t k = point.atoms.size(); k < ring_.atoms().size(); ++k) {
    const Ring::Atom& atom = ring_.atoms()[k];
    if (atom.kind == AtomKind::kVariable) {
      const auto value = point.names->find(atom.name);
      point.atoms.push_back(value == point.names->end() ? WideInteger(0, true) : WideInteger(value->second));
      continue;
    }
    const WideInteger dividend = Evaluate(ring_, point.atoms, atom.dividend);
    const WideInteger divisor = Evaluate(ring_, point.atoms, atom.divisor);
    point.atoms.push_back(atom.kind == AtomKind::kFloorDiv ? FloorDiv(dividend, divisor) : Mod(dividend, divisor));
  }
  return Evaluate(ring_, point.atoms, polynomial);
}

void AtomSamples::KeepNotNegative(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return value.overflow || value.value < 0;
  });
}

void AtomSamples::KeepZero(const Polynomial& polynomial) {
  std::erase_if(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return value.overflow || value.value != 0;
  });
}

bool AtomSamples::FindNegative(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return !value.overflow && value.value < 0;
  });
}

bool AtomSamples::FindNonzero(const Polynomial& polynomial) {
  return std::ranges::any_of(points_, [&](Point& point) {
    const WideInteger value = Value(point, polynomial);
    return !value.overflow && value.value != 0;
  });
}

}  // namespace layoutcheck
