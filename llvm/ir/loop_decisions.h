// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends runs on expressions in which a branch ends a loop that a name bounds, and no closed form of the loop was found.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include "layoutcheck/llvm/ir/guarded_regions.h"
#include "layoutcheck/llvm/ir/loop_follower.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class Instruction;
class Value;
}  // namespace llvm

namespace layoutcheck {

class LoopDecisions {
 public:
  // Adds decisions of the run that a comparison has made.
  void AddCompared(size_t decisions) { compared_ += decisions; }
  // Called before each branch. Throws FunctionUnknown if comparisons before this branch have decided as often as a loop
  // needs that goes on. `value_of` gives the value of an operand.
  void CountBranch(const llvm::BranchInst& branch,
                   const std::function<MachineValue(const llvm::Value& operand)>& value_of);

 private:
  size_t compared_ = 0;                                              // decisions of comparisons
  size_t counted_ = 0;                                               // those of them up to the last branch
  std::unordered_map<const llvm::Instruction*, size_t> decided_at_;  // number of times that a branch was a decision
};

// Returns where a branch on a value that is not followed leads, if it is a choice (GuardedRegions): to its body, or if
// it has none to its end, after LeaveChoice(). Returns null if it is none, or if a variable has no value yet. `regions`
// are those of the module.
const llvm::BasicBlock* EnterChoice(const llvm::BranchInst& branch, const ModuleRegions& regions, const Locals& locals,
                                    IrMemory& memory);

// Makes the variables of the choice unknown. Requires that EnterChoice() was called and did not return null.
void LeaveChoice(const llvm::BranchInst& branch, const ModuleRegions& regions, const Locals& locals, IrMemory& memory);

}  // namespace layoutcheck
