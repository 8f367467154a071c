// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/barrier_blocks.h"
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <algorithm>

namespace layoutcheck {
namespace {

bool IsLocal(const llvm::Value& pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer)); }

// Returns true if the block branches, or accesses other memory than local variables. One that a `return` in a loop
// passes, at the ends of variables, does neither.
bool DoesSomething(const llvm::BasicBlock& block) {
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch != nullptr && branch->isConditional()) return true;
  return std::ranges::any_of(block, [](const llvm::Instruction& instruction) {
    if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction)) return !IsLocal(*pointer);
    return instruction.mayReadOrWriteMemory() && !instruction.isLifetimeStartOrEnd() &&
           !instruction.isDebugOrPseudoInst();
  });
}

}  // namespace

bool ArePastBarrier(const std::set<const llvm::BasicBlock*>& entered, const llvm::BasicBlock& barrier) {
  auto& function = const_cast<llvm::Function&>(*barrier.getParent());  // NOLINT: LLVM only reads it
  const llvm::PostDominatorTree ends(function);
  return std::ranges::any_of(entered, [&](const llvm::BasicBlock* block) {
    return block != &barrier && DoesSomething(*block) && ends.dominates(block, &barrier) &&
           !llvm::isPotentiallyReachable(block, &barrier);
  });
}

}  // namespace layoutcheck
