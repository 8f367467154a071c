// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law local-offsets of arrays with a local layout.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {

// Returns the results that together make the law: that no offset is below 0, and that no two coordinates share one, of
// the local layout or, where that is not so, of the elements of the largest array of a device. A counterexample has
// the indices of elements in such an array, i0, i1, ... and j0, j1, ... The assumptions are over the names of the
// array. Requires a local layout. Errors: those of ProveLayout and ProveStridedFormula.
Expected<std::vector<ProofResult>> ProveLocalOffsets(const SymbolicSharding& sharding,
                                                     const std::vector<std::string>& assumptions,
                                                     const ProveOptions& options);

}  // namespace layoutcheck
