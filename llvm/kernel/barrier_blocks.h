// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code behind a barrier, which only threads that skip the barrier reach without it.
#pragma once

#include <set>

namespace llvm {
class BasicBlock;
}  // namespace llvm

namespace layoutcheck {

// Returns true if a thread that has entered the blocks has gone past the barrier, which is in another block of their
// function: one of them branches or accesses memory, lies on every way from the barrier to the end of the function, and
// does not lead to the barrier. A thread that returns before the barrier enters no such block.
bool ArePastBarrier(const std::set<const llvm::BasicBlock*>& entered, const llvm::BasicBlock& barrier);

}  // namespace layoutcheck
