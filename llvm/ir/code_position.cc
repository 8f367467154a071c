// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/code_position.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <algorithm>

namespace layoutcheck {

CodeNumbers::CodeNumbers(const llvm::Function& function) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));  // NOLINT: LLVM only reads it
  const llvm::LoopInfo loops(dominators);
  for (const llvm::BasicBlock& block : function) {
    std::vector<const llvm::BasicBlock*>& around = loops_[&block];
    for (const llvm::Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
      around.push_back(loop->getHeader());
    }
    std::ranges::reverse(around);
    for (const llvm::Instruction& instruction : block) {
      numbers_.emplace(&instruction, static_cast<int64_t>(numbers_.size()));
    }
  }
}

void CodePosition::BeginCall(const llvm::Function& function) {
  if (numbers_ != nullptr) calls_.push_back({&numbers_->at(&function), instruction_, {}});
}

void CodePosition::EndCall() {
  if (numbers_ == nullptr) return;
  instruction_ = calls_.back().caller;
  calls_.pop_back();
}

void CodePosition::EnterBlock(const llvm::BasicBlock& block, const llvm::BasicBlock* before) {
  if (numbers_ == nullptr) return;
  Call& call = calls_.back();
  const auto& around = call.numbers->LoopsAround(block);
  if (around.empty() || around.back() != &block) return;  // no header
  const auto is_of_block = [&](const llvm::BasicBlock* header) { return header == &block; };
  const bool is_next = before != nullptr && std::ranges::any_of(call.numbers->LoopsAround(*before), is_of_block);
  int64_t& iteration = call.iterations[&block];
  iteration = is_next ? iteration + 1 : 0;
}

std::vector<int64_t> CodePosition::Now() const {
  std::vector<int64_t> numbers;
  for (size_t k = 0; k < calls_.size(); ++k) {
    Append(calls_[k], k + 1 < calls_.size() ? *calls_[k + 1].caller : *instruction_, numbers);
  }
  return numbers;
}

void CodePosition::Append(const Call& call, const llvm::Instruction& instruction, std::vector<int64_t>& numbers) {
  numbers.push_back(call.numbers->NumberOf(instruction));
  for (const llvm::BasicBlock* const header : call.numbers->LoopsAround(*instruction.getParent())) {
    numbers.push_back(call.iterations.at(header));
  }
}

}  // namespace layoutcheck
