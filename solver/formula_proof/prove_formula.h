// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that an index formula is right: for every shape, every tile size and every index.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/formula_proof/formula_goal.h"

namespace layoutcheck {

// Proves or refutes that the formula has its expected value at every point of the question. The steps are, in order: a
// search for a counterexample; a proof by canonical forms, path by path (method "canonical-form"); Z3 on the paths that
// are left, for a proof (method "z3") or a counterexample; a longer search. A counterexample (method "witness") is
// minimized, evaluated in numbers and, for a layout, confirmed by the reference. Arithmetic is that of unbounded
// integers; a formula without a value at a point (division by zero, a shift out of range) is wrong there. Errors: those
// of MakeFormulaQuestion; assumptions that leave no point (invalid argument); a directory or program that cannot be
// used (unavailable).
Expected<ProofResult> ProveFormula(const FormulaRequest& request, const ProveOptions& options = {});

// Proves or refutes that no part of the formula overflows the integer, as C computes it, and every shift is below its
// width, for every shape whose padded elements (those of its tiles, without tail padding) take at most as many bytes as
// the largest integer counts: 2^31 - 1, 2^32 - 1 or 2^63 - 1. A counterexample has the smallest shape found and names
// the part: `expected` is its value and `actual` what is left of it in two's complement. A uint32 below 0 or above its
// range counts as overflow. The formula is the layout's own index (LayoutFormula) if the request has none. Errors:
// those of ProveFormula; no layout (invalid argument).
Expected<ProofResult> ProveNoOverflow(const FormulaRequest& request, const MachineInteger& integer,
                                      const ProveOptions& options = {});

// Proves or refutes the goal, in the same steps.
Expected<ProofResult> ProveGoal(FormulaGoal& goal, const ProveOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_
