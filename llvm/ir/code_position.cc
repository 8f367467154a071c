// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/code_position.h"
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <algorithm>
#include "layoutcheck/llvm/ir/function_code.h"

namespace layoutcheck {

void CodePosition::BeginCall(const llvm::Function& function) {
  if (code_ != nullptr) calls_.push_back({&code_->At(function), instruction_, {}});
}

void CodePosition::EndCall() {
  if (code_ == nullptr) return;
  instruction_ = calls_.back().caller;
  calls_.pop_back();
}

void CodePosition::EnterBlock(const llvm::BasicBlock& block, const llvm::BasicBlock* before) {
  if (code_ == nullptr) return;
  Call& call = calls_.back();
  const auto& around = call.code->LoopsAround(block);
  if (around.empty() || around.back() != &block) return;  // no header
  const auto is_of_block = [&](const llvm::BasicBlock* header) { return header == &block; };
  const bool is_next = before != nullptr && std::ranges::any_of(call.code->LoopsAround(*before), is_of_block);
  int64_t& iteration = call.iterations[&block];
  iteration = is_next ? iteration + 1 : 0;
}

std::vector<int64_t> CodePosition::Now() const {
  std::vector<int64_t> numbers;
  numbers.reserve(4 * calls_.size());  // enough for three loops around each call
  for (size_t k = 0; k < calls_.size(); ++k) {
    Append(calls_[k], k + 1 < calls_.size() ? *calls_[k + 1].caller : *instruction_, numbers);
  }
  return numbers;
}

void CodePosition::Append(const Call& call, const llvm::Instruction& instruction, std::vector<int64_t>& numbers) {
  numbers.push_back(static_cast<int64_t>(*call.code->NumberOf(instruction)));
  for (const llvm::BasicBlock* const header : call.code->LoopsAround(*instruction.getParent())) {
    numbers.push_back(call.iterations.at(header));
  }
}

}  // namespace layoutcheck
