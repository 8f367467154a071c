// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of layouts that are decided without Z3: of shape:stride layouts whose sizes are numbers, for every
// coordinate, and of linear layouts, by Gaussian elimination over the field of two elements.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/tiling/tiling_laws.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// Returns those of the laws that `names` has, in the order of `laws`, or all if it is empty. Error: a name of none
// (invalid argument), whose message says by `kind` which laws these are: "of shape:stride layouts".
Expected<std::vector<std::string_view>> ChooseLaws(std::string_view kind, const std::vector<std::string_view>& laws,
                                                   const std::vector<std::string>& names);
// Returns the names of laws, which have a member `name`.
template <class Laws>
std::vector<std::string_view> NamesOf(const Laws& laws) {
  std::vector<std::string_view> names;
  for (const auto& law : laws) names.push_back(law.name);
  return names;
}

using LinearLaw = TilingLaw;

inline constexpr std::string_view kLinearLawDomain = "layouts in bits: linear layouts and attributes of Triton";

// Returns the laws injective, onto and equals.
std::span<const LinearLaw> LinearLaws();

// Decides injective and onto, or those of them with these names, for the layout of a text. The method is "f2-rank":
// the layout is injective if its images are independent, and onto if they span all outputs. A refutation of injective
// names the smallest coordinate i0, i1, ... (one integer per input, the first one fastest) that has the linear index 0
// of j0 = j1 = ... = 0; one of onto the smallest offset without an element. Error: another law (invalid argument).
Expected<std::vector<ProofResult>> ProveLinearLayout(std::string_view text, const LinearLayout& layout,
                                                     const std::vector<std::string>& laws);

// Decides the law equals: two layouts, each of any text of ReadLinearLayout, have the same linear index at every
// coordinate. A refutation names the first coordinate, with the index of `b` as the expected one. Errors: those of
// ReadLinearLayout; other sizes of the inputs (invalid argument).
Expected<ProofResult> ProveLinearLayoutsEqual(std::string_view a, std::string_view b);

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
