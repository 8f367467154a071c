// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a tiled layout for every rank at once, by induction over the dimensions.
//
// D(0), D(1), ... are the dimensions from the most minor one up. S(0) = 1 and S(k+1) = S(k) D(k) are the strides.
// L(0) = 0 and L(k+1) = L(k) + e(k) S(k) is the linear index of the digits e below position k. Each claim is about
// position k: its base is the claim at 0, and its step concludes the claim at k + 1 from the claim at k. Base and step
// are certificates with a few names, which a solver decides. That they imply the claim for every rank is the principle
// of induction over k, which stays outside of the solver.
//
// One tile of m entries acts on each of m dimensions by itself. (Combining dimensions by `*` is a linear index of two
// digits, to which the claims about linear indices apply.) Several tiles are a composition of maps, each of which is
// injective and maps its box into the next one. So the claims hold for every rank, every number of tiles and every
// number of tile entries.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_

#include <memory>
#include <string_view>
#include <vector>

#include "layoutcheck/solver/certificate/certificate.h"

namespace layoutcheck {

// A claim about position k of a list of dimensions of any length, or about one dimension.
struct AnyRankClaim {
  std::string_view name;
  std::string_view statement;
  std::unique_ptr<Certificate> base;  // null if the claim is about one dimension and needs no induction
  std::unique_ptr<Certificate> step;
};

// Returns all claims, each after those that it uses.
std::vector<AnyRankClaim> AnyRankClaims();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ANY_RANK_H_
