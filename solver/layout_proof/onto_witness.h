// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds counterexamples to onto-padded-box: offsets that no point of the padded box has.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

struct OntoWitness {
  std::map<std::string, int64_t> names;  // value of each name of the layout
  int64_t offset = 0;
};

// Returns an offset without a point, for the smallest values of the names for which there is one, or nothing. It tries
// values that are 1 except for at most two of them, which are at most 16. Before it returns, it confirms in numbers
// that the digits of the offset include one past its size and, if the box is small, that no point of the box has the
// offset.
std::optional<OntoWitness> FindOntoWitness(const SymbolicLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_
