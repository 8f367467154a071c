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

// Returns a formula that has the value of the term for all values of its variables, or nothing if it would be longer
// than a formula may be.
std::optional<std::string> TermText(const TermContext& terms, const Term& term, const CommonBits& common = {});

// Returns "i0 * N + i1 < 2147483648", or nothing as above.
std::optional<std::string> RelationText(const TermContext& terms, const TermRelation& relation,
                                        const CommonBits& common = {});

}  // namespace layoutcheck
