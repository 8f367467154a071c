// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs of the laws of a layout's linear index: for every shape, every tile size, every index.
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

// Proves or refutes the laws for the layout that the text says, in the notations of symbolic_layout.h, or of
// strided_laws.h, which says what is proved there. One result for
// each law, in the order of SymbolicLaws(). A law is proved where, for each of its obligations, Z3 finds that the
// certificate implies it, that the certificate's normal forms are those of what the code computes, and that the lemmas
// used hold; and the certificate is true for a sample. A refutation was evaluated in numbers. Errors: those of
// ParseSymbolicLayout; a law that is none (invalid argument); a directory or a program that cannot be used
// (unavailable).
Expected<std::vector<ProofResult>> ProveLayout(std::string_view layout_text, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});
// The same for a layout that was read, or has no text.
Expected<std::vector<ProofResult>> ProveLayout(const SymbolicLayout& layout, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_PROVE_H_
