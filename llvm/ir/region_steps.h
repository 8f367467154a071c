// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which guarded regions the run of one thread follows, and which it steps over. Used by the interpreter alone.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include "layoutcheck/llvm/ir/guarded_regions.h"
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {

class RegionSteps {
 public:
  explicit RegionSteps(IrMemory& memory) : memory_(memory) {}

  // Makes the run that of the thread, which must outlive it. Before, no region is known.
  void Begin(const KernelThread& thread) { thread_ = &thread; }

  // Called where the run enters the block.
  void Enter(const llvm::BasicBlock& block) {
    if (&block != end_) return;
    end_ = nullptr;
    is_done_ = is_last_;
    memory_.RunRegion(std::nullopt);
  }

  // Returns true if the run may end, because KernelThread::ends_behind_regions says so and the last region asked about
  // is passed.
  bool IsDone() const { return is_done_; }

  // Returns the value of each result of the region that the last branch guards, if the run has stepped over it. The
  // next call returns nothing.
  std::optional<MachineValue> TakeResult() {
    const llvm::BranchInst* const branch = std::exchange(stepped_over_, nullptr);
    if (branch == nullptr) return std::nullopt;
    return Of(*branch)->IsResultStored(*branch) ? MachineValue::Unknown(kResultOfRegion)
                                                : MachineValue::Computed(kResultOfRegion);
  }

  // Counts the region that begins at the branch, if one does. Returns its end if the run steps over it, or else null.
  const llvm::BasicBlock* StepOver(const llvm::BranchInst& branch) {
    const llvm::BasicBlock* const end = EndOf(branch);
    if (end == nullptr) return nullptr;
    const bool is_left_out = IsLeftOut(branch);
    const size_t number = memory_.EnterRegion(Of(branch)->IsResultStored(branch));
    if (is_left_out) {
      if (Of(branch)->MayStore(branch)) memory_.StepOverRegion();
      stepped_over_ = &branch;
      return end;
    }
    end_ = end;
    const std::optional<std::set<size_t>>& asked = thread_->regions;
    is_last_ = FunctionRun::IsOnNames() && thread_->ends_behind_regions && asked && *asked->rbegin() == number;
    memory_.RunRegion(number);
    return nullptr;
  }

 private:
  // Returns the regions of the function of the branch; null if they are not known.
  const GuardedRegions* Of(const llvm::BranchInst& branch) const {
    if (thread_ == nullptr) return nullptr;
    const auto known = thread_->guarded_regions->find(branch.getFunction());
    return known == thread_->guarded_regions->end() ? nullptr : &known->second;
  }

  // Returns the end of the region that begins at the branch; null if none does, or the run is in a region.
  const llvm::BasicBlock* EndOf(const llvm::BranchInst& branch) const {
    const GuardedRegions* const regions = Of(branch);
    return regions == nullptr || end_ != nullptr ? nullptr : regions->EndOf(branch);
  }

  // Returns true if the run steps over the region that begins at the branch.
  bool IsLeftOut(const llvm::BranchInst& branch) {
    if (!FunctionRun::IsOnNames()) return false;
    const bool is_result_stored = Of(branch)->IsResultStored(branch);
    const std::optional<std::set<size_t>>& asked = thread_->regions;
    const bool is_asked = asked && asked->contains(memory_.NextRegion(is_result_stored));
    if (is_result_stored) return thread_->steps_over_results && !is_asked;
    const auto interval = memory_.barriers().interval().number();
    const bool is_elsewhere = thread_->regions_interval && interval && *interval != *thread_->regions_interval;
    return is_elsewhere || (asked && !is_asked);
  }

  IrMemory& memory_;
  const KernelThread* thread_ = nullptr;
  const llvm::BasicBlock* end_ = nullptr;           // the end of the region that the run is in, or null
  bool is_last_ = false;                            // the region that the run is in is the last one asked about
  bool is_done_ = false;                            // IsDone()
  const llvm::BranchInst* stepped_over_ = nullptr;  // the last branch, if the run stepped over its region
};

}  // namespace layoutcheck
