// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a layout is not onto its padded box: an offset that no point of the box has.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

struct OntoWitness {
  std::map<std::string, int64_t> names;  // a value for each name of the layout
  int64_t offset = 0;
};

// An offset without a point, for the smallest values of the names that have one: all 1 but at most two of them, and
// those at most 16. Before it is returned, the way back from the offset was followed in numbers and met a digit past
// its size; where the box is small, all its points were enumerated, too. Nothing where no such values were found.
std::optional<OntoWitness> FindOntoWitness(const SymbolicLayout& layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_ONTO_WITNESS_H_
