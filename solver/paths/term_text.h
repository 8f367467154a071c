// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints terms in the notation of core/formula.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// Variables that stand for the bits that several terms have in common, with these terms.
using CommonBits = std::map<std::string, std::vector<Term>>;
// Variables that stand for two to the power of a term, with this term.
using PowerExponents = std::map<std::string, Term>;

// The variables of a path that stand for values of other terms.
struct DefinedVariables {
  CommonBits common_bits = {};
  PowerExponents powers = {};
};

// Returns a formula with the term's value for all values of its variables, or nothing if it is too long for a formula.
std::optional<std::string> TermText(const TermContext& terms, const Term& term, const DefinedVariables& defined = {});

// Returns "i0 * N + i1 < 2147483648", or nothing as above.
std::optional<std::string> RelationText(const TermContext& terms, const TermRelation& relation,
                                        const DefinedVariables& defined = {});

}  // namespace layoutcheck
