// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of a layout as statements with certificates, for all values of the layout's names.
#pragma once

#include <vector>
#include "layoutcheck/solver/layout_proof/obligation_builder.h"
#include "layoutcheck/solver/layout_proof/symbolic_laws.h"

namespace layoutcheck {

// Returns the obligations that together make the law for the layout (for a fractal layout, its XLA layout) and all
// values of its names. There is one for arrays without a dimension of size 0 and, for a law about offsets, one per
// dimension that may be 0. An array with a dimension of size 0 has no index. The statements are the same for both
// methods.
std::vector<Obligation> MakeObligations(const SymbolicLayout& layout, SymbolicLawId law,
                                        ProofMethod method = ProofMethod::kDigits);

}  // namespace layoutcheck
