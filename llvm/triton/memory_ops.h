// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of TTIR that access memory, and the arguments of the function through which they do.
#pragma once

#include <map>
#include <set>
#include <vector>
#include "layoutcheck/llvm/ttir/ttir.h"

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

// Returns the operands of the operation that ends the region, scf.yield or scf.condition; none if it is not printed,
// because nothing is passed on.
std::vector<TtirValue*> EndOf(const std::vector<TtirBlock>& region);

// Arguments of a function through which memory is accessed, with null for one that is not known.
using Roots = std::set<const TtirValue*>;

// Returns true if an access through `root` may be to memory that is accessed through one of the others. Different
// arguments point to different memory.
inline bool MayShareMemory(const TtirValue* root, const Roots& others) {
  return root == nullptr ? !others.empty() : others.contains(root) || others.contains(nullptr);
}

// For each pointer of a function, the argument that it is computed of.
class PointerRoots {
 public:
  explicit PointerRoots(const TtirFunction& function);

  // Returns the argument, or null if it is not known.
  const TtirValue* Of(const TtirValue& pointer) const;

 private:
  std::map<const TtirValue*, const TtirValue*> roots_;  // of arguments of the function and of values passed on
};

}  // namespace layoutcheck
