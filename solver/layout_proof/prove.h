// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the laws of a layout's linear index for every shape, every tile size and every index.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_PROVE_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_PROVE_H_

#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// Proves or refutes the laws with these names, or all if `laws` is empty, for the layout in one of the notations of
// symbolic_layout.h or strided_laws.h. Returns one result per law, in the order of SymbolicLaws() or StridedLaws(). A
// law of a tiled layout is proved if each of its obligations has a certificate that WhyNotConfirmed confirms. A
// refutation was evaluated in numbers. Errors: those of ParseSymbolicLayout and ProveStridedLayout; a name of no law
// (invalid argument); a directory or a program that cannot be used (unavailable).
Expected<std::vector<ProofResult>> ProveLayout(std::string_view layout_text, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});
// Does the same for a parsed layout.
Expected<std::vector<ProofResult>> ProveLayout(const SymbolicLayout& layout, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_PROVE_H_
