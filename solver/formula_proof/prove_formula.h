// Whether an index formula is right: for every shape, every tile size, every index.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/formula_proof/machine_integer.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {

// The law that results about formulas are reported under.
inline constexpr const char* kFormulaLaw = "formula";

// Proves or refutes that the formula has, at every point of the question, the value that it is to be equal to. What is
// done, in order: a search for a counterexample; a proof by canonical forms, path by path ("canonical-form"); Z3 on the
// paths that are left, for a proof ("z3") or a counterexample; a longer search. A counterexample ("witness") is
// minimized, evaluated in numbers and, for a layout, confirmed by the reference. Arithmetic is that of the integers; a
// formula without a value at a point (division by zero, a shift out of range) is wrong there. Errors: those of
// MakeFormulaQuestion; assumptions that leave no point (invalid argument); a directory or a program that cannot be used
// (unavailable).
Expected<ProofResult> ProveFormula(const FormulaRequest& request, const ProveOptions& options = {});

// The same for a question that is made already; its functions may not be empty. With `integer` the question is that of
// ProveNoOverflow below. `layout_text` is what the result says that it is about.
Expected<ProofResult> ProveQuestion(const FormulaQuestion& question, std::string_view layout_text,
                                    const MachineInteger* integer, const ProveOptions& options);

// The law that results about overflow are reported under.
inline constexpr const char* kOverflowLaw = "no-overflow";

// Proves that no part of the formula overflows the integer, as C computes it, and every shift is below its width, for
// every shape whose padded elements (those of its tiles, without tail padding) take at most as many bytes as the
// integer counts: 2^31 - 1, 2^32 - 1 or 2^63 - 1. Or refutes it with the smallest shape found, and names the part:
// `expected` is its value and `actual` what is left of it in two's complement. A result of uint32 below 0 or above its
// range counts. The formula is the layout's own index (LayoutFormula) where the request's is empty. Errors: as
// ProveFormula; no layout (invalid argument).
Expected<ProofResult> ProveNoOverflow(const FormulaRequest& request, const MachineInteger& integer,
                                      const ProveOptions& options = {});

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_PROVE_FORMULA_H_
