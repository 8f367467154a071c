// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces atoms in polynomials by polynomials that they are equal to.
#pragma once

#include <utility>
#include "layoutcheck/solver/certificate/derivation.h"

namespace layoutcheck {

// kYes records the lemma instances that justify a replacement; kNo only computes it.
enum class Justify : bool { kNo, kYes };

// Returns true if a monomial of the polynomial has the atom. Dividends and divisors of atoms do not count.
bool ContainsAtom(const Ring& ring, const Polynomial& polynomial, AtomId atom);

// Returns polynomials q and r with polynomial == q * atom + r, such that no addend of r has the atom.
std::pair<Polynomial, Polynomial> SplitByAtom(Ring& ring, const Polynomial& polynomial, AtomId atom);

// Returns the polynomial with `replacement` in place of the atom. Requires that the replacement does not contain the
// atom. With kYes, the derivation implies that the result is equal to the polynomial if it implies atom == replacement.
Polynomial ReplaceAtom(Derivation& derivation, const Polynomial& polynomial, AtomId atom, const Polynomial& replacement,
                       Justify justify);

}  // namespace layoutcheck
