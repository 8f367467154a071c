// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/replace_atom.h"
#include <algorithm>

namespace layoutcheck {

bool ContainsAtom(const Ring& ring, const Polynomial& polynomial, AtomId atom) {
  return std::ranges::any_of(polynomial.addends, [&](const auto& addend) {
    return std::ranges::binary_search(ring.monomial(addend.first), atom);
  });
}

std::pair<Polynomial, Polynomial> SplitByAtom(Ring& ring, const Polynomial& polynomial, AtomId atom) {
  Polynomial multiple;
  Polynomial rest;
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    if (const auto divided = ring.DivideByAtom(monomial, atom)) {
      multiple = ring.Add(multiple, ring.FromMonomial(*divided, coefficient));
    } else {
      rest = ring.Add(rest, ring.FromMonomial(monomial, coefficient));
    }
  }
  return {std::move(multiple), std::move(rest)};
}

Polynomial ReplaceAtom(Derivation& derivation, const Polynomial& polynomial, AtomId atom, const Polynomial& replacement,
                       Justify justify) {
  Ring& ring = derivation.ring();
  Polynomial current = polynomial;
  while (true) {
    const auto addend = std::ranges::find_if(current.addends, [&](const auto& other) {
      return std::ranges::binary_search(ring.monomial(other.first), atom);
    });
    if (addend == current.addends.end() || ring.overflow()) return current;
    const auto [monomial, coefficient] = *addend;
    const Polynomial rest = ring.FromMonomial(*ring.DivideByAtom(monomial, atom), 1);
    if (justify == Justify::kYes && !rest.IsConstant()) {
      derivation.Apply(LemmaId::kEqualProducts, {ring.FromAtom(atom), replacement, rest});
    }
    const Polynomial difference = ring.Subtract(ring.Multiply(replacement, rest), ring.FromMonomial(monomial, 1));
    current = ring.Add(current, ring.Multiply(ring.FromConstant(coefficient), difference));
  }
}

}  // namespace layoutcheck
