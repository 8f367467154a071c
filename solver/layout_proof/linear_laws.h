// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a linear layout. They are decided by Gaussian elimination over the field of two elements, without Z3.
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

}  // namespace layoutcheck
