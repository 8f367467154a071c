// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law local-offsets of arrays with a local layout.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {

// Returns the results that together make the law: no two elements share an offset, and none is below 0. Each is asked
// of all coordinates of the local layout and, where it is not proved, of the elements of the largest array of a device.
// A counterexample has indices of elements in that array, i0, i1, ... and j0, j1, ... The assumptions are over the
// names of the text. Requires a local layout. Errors: those of ProveLayout and ProveStridedFormula.
Expected<std::vector<ProofResult>> ProveLocalOffsets(const SymbolicSharding& sharding,
                                                     const std::vector<std::string>& assumptions,
                                                     const ProveOptions& options);

}  // namespace layoutcheck
