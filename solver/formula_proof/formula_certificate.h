// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The certificate of a claim about a formula: its paths, each with the outcomes of its conditions and the steps that
// show them and the claim (docs/certificates.md, section 5).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/solver/formula_proof/formula_path.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/paths/machine_integer.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {

// Returns the lines of the claim that the request's formula is equal to the layout's index or to the other formula, or
// of another law about it ("injective", "in-bounds"), or none if the format has no such claim.
ClaimLines ClaimLinesOf(const FormulaRequest& request, std::string_view law = "formula");

// Returns the lines of the claim that no part of the request's formula overflows, or none if the format has no such
// claim. With `is_own`, the formula is the layout's own.
ClaimLines NoOverflowClaimLines(const FormulaRequest& request, bool is_own, const MachineInteger& integer);

// Returns the certificate of a claim that was proved on these paths, which are all, or why there is none. `rlimit` is
// Z3's budget per question, in its units of work.
std::expected<std::string, std::string> FormulaCertificate(std::string_view law, const ClaimLines& claim,
                                                           const std::vector<FormulaPathResult>& paths,
                                                           uint64_t rlimit);

// Returns the certificate of a claim that was decided at every point of its domain.
std::string EnumerationCertificate(std::string_view law, const ClaimLines& claim);

}  // namespace layoutcheck
