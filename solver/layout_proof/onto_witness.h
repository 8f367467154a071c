// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds counterexamples to onto-padded-box: offsets that no point of the padded box has.
#pragma once

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

// Returns an offset without a point, for the smallest values of the names that have one, or nothing. Tries values that
// are 1 except for at most two, which are at most 16. Confirms in numbers that the offset has a digit one past its size
// and, for a small box, that no point has the offset.
std::optional<OntoWitness> FindOntoWitness(const SymbolicLayout& layout);

}  // namespace layoutcheck
