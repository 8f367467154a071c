// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second, independent decision of a concrete layout's laws by isl, a library of integer sets: for tests and
// benchmarks, beside the proofs of this folder.
#ifndef LAYOUTCHECK_SOLVER_TESTING_ISL_DECISION_H_
#define LAYOUTCHECK_SOLVER_TESTING_ISL_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// The map of the linear index in isl's notation, on the indices below `domain`, one size a dimension:
// "{ [i0,i1] -> [(floor((i0)/2))*12 + ...] : 0 <= i0 < 3 and 0 <= i1 < 5 }". The expression is that of BasicTiledIndex.
// Requires a layout whose sizes fit int64.
std::string IslMapText(const TiledLayout& layout, const std::vector<int64_t>& domain);

struct IslDecision {
  bool injective = false;
  bool in_bounds = false;        // all offsets are in 0 to the padded element count
  bool onto_padded_box = false;  // every address belongs to a point of the padded box
};

// What isl finds; nothing where it gives up after max_operations of its own.
std::optional<IslDecision> DecideWithIsl(const TiledLayout& layout, uint64_t max_operations);

// The offset of one element as isl computes it from IslMapText; nothing where that is not exactly one number.
std::optional<int64_t> OffsetByIsl(const TiledLayout& layout, const std::vector<int64_t>& index);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_TESTING_ISL_DECISION_H_
