// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, polynomials, formulas and layouts of a certificate as terms of Coq, over the definitions of proofs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/formulas/formula.h"
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// Returns the name as an identifier: the atom !1 is atom_1, and a name of the user gets a _ at its end if Coq or the
// proof has it already. Different names have different identifiers.
std::string CoqName(std::string_view name);
std::string CoqSize(const Size& size);
// Returns the polynomial with the identifiers of its names.
std::string CoqPolynomial(std::string_view text);
// Returns "[A; B]".
std::string CoqList(const std::vector<std::string>& items);
// Returns the words, each behind a blank.
std::string CoqWords(const std::vector<std::string>& words);
// Returns "forall N M : Z,", or nothing if there are no variables.
std::string CoqForAll(const std::vector<std::string>& variables);

// Terms for the names of a formula that are no identifiers: those that stand for an index or a
// dimension, such as i0 and d0.
using CoqNames = std::map<std::string, std::string, std::less<>>;

// Returns a formula as a term of the type `expr` of proofs/Formula.v.
std::string CoqFormula(const Formula& formula, const CoqNames& names);

struct CoqLayout {
  std::string term;   // of the type `layout` of proofs/Layout.v
  std::string sizes;  // the list of its dimensions
};
CoqLayout CoqLayoutOf(const Layout& layout);
// Returns the fractal layout as a term of the type `fractal` of proofs/Fractal.v, in parentheses. Requires that the
// layout is one.
std::string CoqFractal(const Layout& layout);

// The parts of a claim and of its certificate that CoqProof uses.
struct CoqClaim {
  size_t facts = 0;     // number of hypotheses about the domain
  size_t formulas = 0;  // number of formulas
  // The line of each path from which on the formulas have equal values at two points, or 0 if it has none. Empty unless
  // the claim is of the law injective.
  std::span<const int64_t> late_lines = {};
};

// Returns the paths of an accepted certificate, from the present line to the next sequent or `end`, as calls of the
// tactics of proofs/Steps.v, or which line has none.
std::expected<std::string, std::string> CoqProof(Lines& lines, const CoqClaim& claim);

}  // namespace layoutcheck::verify
