// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides the laws of a concrete layout by isl, a library of integer sets. Tests and benchmarks compare its decisions
// with the proofs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Returns the map of the linear index in isl's notation, on the indices below `domain`, which has one size per
// dimension: "{ [i0,i1] -> [(floor((i0)/2))*12 + ...] : 0 <= i0 < 3 and 0 <= i1 < 5 }". The expression is that of
// BasicTiledIndex. Requires a layout whose sizes fit int64.
std::string IslMapText(const TiledLayout& layout, const std::vector<int64_t>& domain);

struct IslDecision {
  bool injective = false;
  bool in_bounds = false;        // 0 <= offset < padded elements, for all elements
  bool onto_padded_box = false;  // every offset belongs to a point of the padded box
};

// Returns the decisions of isl, or nothing if it gives up after max_operations of its own operations.
std::optional<IslDecision> DecideWithIsl(const TiledLayout& layout, uint64_t max_operations);

// Returns the offset of one element as isl computes it from IslMapText, or nothing if that is not exactly one number.
std::optional<int64_t> OffsetByIsl(const TiledLayout& layout, const std::vector<int64_t>& index);

}  // namespace layoutcheck
