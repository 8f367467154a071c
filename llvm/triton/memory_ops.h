// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of TTIR by what they do beside computing values.
#pragma once

#include <vector>
#include "layoutcheck/llvm/triton/ttir.h"

namespace layoutcheck {

// Returns true for a load, a store and an atomic operation. Their first operand is a pointer or a tensor of pointers.
inline bool IsMemoryOp(const TtirOp& op) {
  const bool is_known =
      op.name == "tt.load" || op.name == "tt.store" || op.name == "tt.atomic_rmw" || op.name == "tt.atomic_cas";
  return is_known && !op.operands.empty() && op.operands[0]->type.is_pointer;
}

// Calls visit(op) for each operation, also for those in regions.
template <class Visit>
void ForEachOp(const std::vector<TtirBlock>& blocks, const Visit& visit) {
  for (const TtirBlock& block : blocks) {
    for (const auto& op : block.ops) {
      visit(*op);
      for (const auto& region : op->regions) ForEachOp(region, visit);
    }
  }
}

}  // namespace layoutcheck
