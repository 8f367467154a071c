// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a shape:stride layout whose sizes are numbers. They are decided for every coordinate, without Z3.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/tiling/tiling_laws.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

using StridedLaw = TilingLaw;

inline constexpr std::string_view kStridedLawDomain =
    "shape:stride layouts of known sizes, whose allocation ends at the largest offset";

// Returns the laws injective, in-bounds, onto and inverse.
std::span<const StridedLaw> StridedLaws();

// Decides the laws with these names, or all if `laws` is empty, for "((4,2),(4,3)):((4,16),(1,32))" or a composed
// layout. Returns one result per law, in the order of StridedLaws(). Methods:
//   dominating-strides  each stride is larger than all that smaller ones add up to, so offsets are mixed-radix digits
//   reach               in the order of growing strides, each is at most 1 more than the offset that those before reach
//   signs               no offset is negative, because no stride is or because a swizzle has none
//   no coordinate       the layout has no coordinate
//   enumeration         all coordinates were visited; there are at most 2^20
//   witness             a counterexample was found
// A refutation names the smallest coordinate, in colexicographic order, that breaks the law together with an earlier
// one: i0, i1, ... (one integer per mode), and j0, j1, ... for the other. With more than 2^20 coordinates, only those
// with two or three nonzero integers are searched. A refutation of onto names the smallest offset without an element.
// Errors: those of ParseComposedLayout and RangeOfOffsets; an unknown law (invalid argument).
Expected<std::vector<ProofResult>> ProveStridedLayout(std::string_view text, const std::vector<std::string>& laws);

}  // namespace layoutcheck
