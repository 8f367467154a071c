// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacing an atom in a polynomial by what it is equal to.
#ifndef LAYOUTCHECK_SOLVER_REWRITE_REPLACE_ATOM_H_
#define LAYOUTCHECK_SOLVER_REWRITE_REPLACE_ATOM_H_

#include "layoutcheck/solver/certificate/derivation.h"

namespace layoutcheck {

// Whether the certificate gets the lemma instances for what is done, or it is only tried.
enum class Justify : bool { kNo, kYes };

// Whether the polynomial has the atom in one of its monomials; an atom's own dividend and divisor do not count.
bool ContainsAtom(const Ring& ring, const Polynomial& polynomial, AtomId atom);

// The polynomial with `replacement` for the atom, which must not contain it. With kYes the certificate implies that the
// result is equal, if it implies that atom and replacement are.
Polynomial ReplaceAtom(Derivation& derivation, const Polynomial& polynomial, AtomId atom, const Polynomial& replacement,
                       Justify justify);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_REWRITE_REPLACE_ATOM_H_
