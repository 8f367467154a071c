// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/function_code.h"
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <algorithm>
#include "layoutcheck/llvm/ir/instructions.h"

namespace layoutcheck {

FunctionCode::FunctionCode(const llvm::Function& function)
    : dominators_(const_cast<llvm::Function&>(function)),  // NOLINT: LLVM only reads it
      loops_(dominators_),
      is_interposable_(function.isInterposable()) {
  for (const llvm::Argument& parameter : function.args()) numbers_.emplace(&parameter, numbers_.size());
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    numbers_.emplace(&instruction, numbers_.size());
  }
  for (const llvm::BasicBlock& block : function) {
    std::vector<const llvm::BasicBlock*>& around = loops_around_[&block];
    for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
      around.push_back(loop->getHeader());
    }
    std::ranges::reverse(around);
    blocks_.emplace(&block, std::pair(lines_.size(), block.size()));
    for (const llvm::Instruction& instruction : block) {
      Line& line = lines_.emplace_back(Line{&instruction, numbers_.at(&instruction), PlaceOf(instruction), {}});
      for (const llvm::Use& operand : instruction.operands()) line.operands.push_back(NumberOf(*operand));
    }
  }
}

void ModuleCode::Add(const llvm::Function& function) {
  if (function.isDeclaration() || !functions_.try_emplace(&function, function).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && call->getCalledFunction() != nullptr) Add(*call->getCalledFunction());
  }
}

}  // namespace layoutcheck
