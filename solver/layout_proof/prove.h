// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the laws of a layout's linear index for every shape, every tile size and every index.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// Proves or refutes the laws with these names, or all if `laws` is empty, for a layout in a notation of
// symbolic_layout.h or numeric_laws.h. Returns one result per law, in the order of SymbolicLaws(),
// StridedLaws() or LinearLaws(). A tiled layout's law is proved if WhyNotConfirmed confirms the certificate of each
// obligation. Refutations were evaluated in numbers. Errors: those of ParseSymbolicLayout and ProveStridedLayout; an
// unknown law (invalid argument); a directory or program that cannot be used (unavailable).
Expected<std::vector<ProofResult>> ProveLayout(std::string_view layout_text, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});
// Decides if two layouts in bits have equal linear indices, as ProveLinearLayoutsEqual(), with the same errors.
Expected<ProofResult> ProveLayoutsEqual(std::string_view a, std::string_view b, const ProveOptions& options = {});
// Proves or refutes laws of a parsed layout in the same way.
Expected<std::vector<ProofResult>> ProveLayout(const SymbolicLayout& layout, const std::vector<std::string>& laws = {},
                                               const ProveOptions& options = {});

}  // namespace layoutcheck
