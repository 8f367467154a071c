// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The statement that a fractal layout of CATLASS is the XLA layout of its tag.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_FRACTAL_OBLIGATIONS_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_FRACTAL_OBLIGATIONS_H_

#include "layoutcheck/solver/layout_proof/obligation_list.h"

namespace layoutcheck {

// Adds that both give every element the same offset, in allocations of one size. Requires list.layout().fractal.
void AddFractalEquality(ObligationList& list);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_FRACTAL_OBLIGATIONS_H_
