// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that an index formula is right for every shape, every tile size and every index.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {

// Proves or refutes that the formula has its expected value at every point of the question. Steps: a search for a
// counterexample; a proof by canonical forms per path (method "canonical-form"); Z3 on the other paths, for a proof
// (method "z3") or a counterexample; evaluation at every point if there are at most 2^20 (method "enumeration"); a
// longer search. A counterexample (method "witness") is minimized, evaluated in numbers and, for a layout, confirmed by
// the reference. Arithmetic is that of unbounded integers. A formula is wrong at a point at which it has no value
// (division by zero, a shift out of range). Errors: those of MakeFormulaQuestion; assumptions that exclude every point
// (invalid argument); a directory or program that cannot be used (unavailable).
Expected<ProofResult> ProveFormula(const FormulaRequest& request, const ProveOptions& options = {});

// Proves or refutes that no part of the formula, computed as in C, overflows the integer, and every shift is by less
// than its width in bits, for every shape whose padded elements (those of its tiles, without tail padding) take at most
// as many bytes as the largest integer: 2^31 - 1, 2^32 - 1 or 2^63 - 1. A uint32 that wraps counts as overflow. A
// counterexample has the smallest shape found and names the part: `expected` is its value, `actual` that value in two's
// complement. Without a formula in the request, uses the layout's own (LayoutFormula). Errors: those of ProveFormula;
// no layout (invalid argument).
Expected<ProofResult> ProveNoOverflow(const FormulaRequest& request, const MachineInteger& integer,
                                      const ProveOptions& options = {});

// Proves or refutes the goal in the steps of ProveFormula. `claim` has the lines of its certificate that say what it is
// about; none if there is no such certificate. Several goals about one domain may share `samples`: the first one, to
// which they are empty, searches it for a counterexample and writes points of it there, and the others try these points
// alone. The paths of a proof are written to `paths`, if it is given; a proof without paths writes none. Errors: an
// assumption that is a function (invalid argument).
Expected<ProofResult> ProveGoal(FormulaGoal& goal, const ProveOptions& options, const ClaimLines& claim = {},
                                std::vector<NamedValues>* samples = nullptr,
                                std::vector<FormulaPathResult>* paths = nullptr);

// The certificate of a claim about a formula has its paths, each with the outcomes of its conditions and the steps that
// show them and the claim (docs/certificates.md, "Claims about formulas").

// Returns the lines of the claim that the request's formula is equal to the layout's index or to the other formula, or
// of another law about it ("injective", "in-bounds"), or none if the format has no such claim.
ClaimLines ClaimLinesOf(const FormulaRequest& request, std::string_view law = "formula");

// Returns the lines of the claim that no part of the request's formula overflows, or none if the format has no such
// claim. With `is_own`, the formula is the layout's own.
ClaimLines NoOverflowClaimLines(const FormulaRequest& request, bool is_own, const MachineInteger& integer);

// Returns true if the question's layout is fractal and checkers read it.
bool HasReadFractal(const FormulaQuestion& question);

// Returns the claim, about the XLA layout in place of a fractal one whose tag no checker reads.
ClaimLines ReadableClaim(const FormulaQuestion& question, const ClaimLines& claim);

// Returns the certificate of a claim that was proved on these paths, which are all, or why there is none. `rlimit` is
// Z3's budget per question, in its units of work.
std::expected<std::string, std::string> FormulaCertificate(std::string_view law, const ClaimLines& claim,
                                                           const std::vector<FormulaPathResult>& paths,
                                                           uint64_t rlimit);

// Returns the certificate of a claim that was decided at every point of its domain.
std::string EnumerationCertificate(std::string_view law, const ClaimLines& claim);

}  // namespace layoutcheck
