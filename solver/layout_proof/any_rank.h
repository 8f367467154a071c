// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a tiled layout for every rank at once, by induction over the dimensions.
//
// Write the dimensions from the most minor one up, D(0), D(1), ...; S(0) = 1, S(k+1) = S(k) D(k) are the strides and
// L(0) = 0, L(k+1) = L(k) + e(k) S(k) the linear index of the digits e below position k. Each claim below is about
// position k; its base is the claim at 0, its step concludes the claim at k + 1 from the claim at k. Base and step are
// certificates of a few names, which a solver decides; that they give the claim for every rank is the principle of
// induction over k, which stays outside of the solver.
//
// One tile of m entries acts on each of m dimensions by itself (combining, by `*`, is a linear index of two digits, and
// claims about linear indices are about it, too), and several tiles one after the other are a composition of maps, each
// of which is injective and maps its box into the next one. So the claims hold for every rank, every number of tiles
// and every number of their entries.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_

#include <memory>
#include <string_view>
#include <vector>

#include "layoutcheck/solver/certificate/certificate.h"

namespace layoutcheck {

// A claim about position k of a list of dimensions of any length, or about one dimension of it (no base then).
struct AnyRankClaim {
  std::string_view name;
  std::string_view statement;
  std::unique_ptr<Certificate> base;  // null for a claim that is no induction
  std::unique_ptr<Certificate> step;
};

// All claims, each after those that it uses.
std::vector<AnyRankClaim> AnyRankClaims();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_
