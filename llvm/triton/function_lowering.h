// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The LLVM IR of one Triton function: blocks, loops, branches and accesses to memory.
#pragma once

#include <llvm/IR/Function.h>
#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/triton/element_values.h"
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

class FunctionLowering {
 public:
  // Lowers the function into the module. Errors (unsupported): an operation whose effects are not known, with its
  // place.
  static Expected<void> Lower(const TtirFunction& function, llvm::Module& module);

 private:
  // The arguments of the function through which memory is loaded and stored.
  struct Accesses {
    Roots loaded;
    Roots stored;
  };

  FunctionLowering(const TtirFunction& source, llvm::Function& function);

  void LowerBlocks();
  void LowerOp(const TtirOp& op);
  void LowerFor(const TtirOp& op);
  void LowerWhile(const TtirOp& op);
  void LowerIf(const TtirOp& op);
  void LowerLoad(const TtirOp& op);
  // Lowers a store or an atomic operation.
  void LowerStore(const TtirOp& op);
  void LowerJump(const TtirOp& op);
  // Puts a barrier before an operation on memory through this pointer, if it loads what an earlier one may have stored,
  // or stores where an earlier one may have loaded.
  void Separate(const TtirValue& pointer, bool is_store);
  // Puts a barrier at the end of a loop's body, if the next iteration may load what this one stores.
  void SeparateIterations(const TtirOp& loop);
  // Returns the place for code at the end of the current block.
  InsertPoint Here() { return {.before = end_, .scope = scope_}; }
  // Returns the place before the end of a block, where elements may be needed later.
  InsertPoint& Keep(llvm::Instruction* end) {
    return points_.emplace_back(InsertPoint{.before = end, .scope = scope_, .time = values_.Tick()});
  }
  llvm::Value* Scalar(const TtirValue& value);
  // Begins a block: what follows is lowered before its end.
  void Enter(llvm::BasicBlock& block);
  llvm::BasicBlock* NewBlock() { return llvm::BasicBlock::Create(function_.getContext(), "", &function_); }
  // End the current block. They return the instruction that ends it.
  llvm::Instruction* Jump(llvm::BasicBlock& to);
  llvm::Instruction* Branch(llvm::Value* condition, llvm::BasicBlock& then, llvm::BasicBlock& other,
                            const std::string& place);
  void LowerRegion(const std::vector<TtirBlock>& region);

  const TtirFunction& source_;
  llvm::Function& function_;
  std::deque<ElementScope> scopes_;  // that of the function is the first
  std::deque<InsertPoint> points_;   // ends of blocks at which elements may be needed later
  ElementScope* scope_ = nullptr;
  llvm::Instruction* end_ = nullptr;  // the end of the current block, which jumps nowhere yet
  ElementValues values_;
  size_t last_program_ = 0;  // last direction of which the function reads a number of programs
  std::map<std::string, const TtirBlock*> blocks_by_name_;
  std::map<const TtirBlock*, llvm::BasicBlock*> blocks_;
  Accesses since_barrier_;  // that may have been made since the last barrier
  Accesses all_;            // of the operations that are lowered
};

}  // namespace layoutcheck
