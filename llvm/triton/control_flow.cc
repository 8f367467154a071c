// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of a Triton function.
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/triton/function_lowering.h"
#include "layoutcheck/llvm/triton/memory_ops.h"

namespace layoutcheck {

void FunctionLowering::LowerFor(const TtirOp& op) {
  if (op.regions.size() != 1) throw LoweringError{StrCat("a loop without a body, at ", op.place)};
  const std::vector<TtirValue*>& arguments = op.regions[0][0].arguments;
  const std::vector<TtirValue*> yielded = EndOf(op.regions[0]);
  const size_t carried = op.results.size();
  if (op.operands.size() != 3 + carried || arguments.size() != 1 + carried || yielded.size() != carried) {
    throw LoweringError{StrCat("a loop with ", op.operands.size(), " operands, ", arguments.size(), " arguments and ",
                               yielded.size(), " results, at ", op.place)};
  }
  llvm::Value* const first = Scalar(*op.operands[0]);
  llvm::Value* const last = Scalar(*op.operands[1]);
  llvm::Value* const step = Scalar(*op.operands[2]);
  llvm::BasicBlock* const header = NewBlock();
  llvm::BasicBlock* const body = NewBlock();
  llvm::BasicBlock* const behind = NewBlock();
  InsertPoint& before = Keep(Jump(*header));
  Enter(*header);
  InsertPoint here = Here();
  TtirBuilder builder(here.before, op.place);
  // The loop has as many iterations as there are numbers in the range: a counter of 64 bits does not wrap.
  const bool is_unsigned = std::ranges::find(op.words, "unsigned") != op.words.end();
  const auto widened = [&](llvm::Value* value, llvm::Instruction* at) {
    TtirBuilder wide(at, op.place);
    return is_unsigned ? wide.CreateZExt(value, wide.getInt64Ty()) : wide.CreateSExt(value, wide.getInt64Ty());
  };
  llvm::PHINode* const counter = builder.CreatePHI(builder.getInt64Ty(), 2);
  counter->addIncoming(widened(first, before.before), before.before->getParent());
  llvm::Value* const goes_on = builder.CreateICmpSLT(counter, widened(last, before.before));
  llvm::Value* const number = builder.CreateTrunc(counter, first->getType());
  InsertPoint& test = Keep(Branch(goes_on, *body, *behind, op.place));
  values_.SetKnown(*arguments[0], {}, number, scopes_.front());
  for (size_t k = 0; k < carried; ++k) {
    values_.SetMerge(*arguments[k + 1],
                     {.from = {op.operands[3 + k], yielded[k]}, .points = {&before, nullptr}, .block = header});
    values_.SetAlias(*op.results[k], *arguments[k + 1], test);
  }
  ElementScope* const outer = scope_;
  scope_ = &scopes_.emplace_back(ElementScope{.outer = outer});
  Enter(*body);
  LowerRegion(op.regions[0]);
  SeparateIterations(op);
  here = Here();
  llvm::Value* const next = TtirBuilder(here.before, op.place).CreateAdd(counter, widened(step, before.before));
  InsertPoint& latch = Keep(Jump(*header));
  for (size_t k = 0; k < carried; ++k) values_.CloseMerge(*arguments[k + 1], latch);
  counter->addIncoming(next, latch.before->getParent());
  scope_ = outer;
  since_barrier_ = all_;
  Enter(*behind);
}

void FunctionLowering::LowerWhile(const TtirOp& op) {
  if (op.regions.size() != 2) throw LoweringError{StrCat("a loop without a body, at ", op.place)};
  const std::vector<TtirValue*>& arguments = op.regions[0][0].arguments;
  const std::vector<TtirValue*>& inner = op.regions[1][0].arguments;
  const std::vector<TtirValue*> passed = EndOf(op.regions[0]);
  const std::vector<TtirValue*> yielded = EndOf(op.regions[1]);
  const size_t carried = arguments.size();
  if (op.operands.size() != carried || yielded.size() != carried || passed.size() != 1 + inner.size() ||
      op.results.size() != inner.size()) {
    throw LoweringError{StrCat("a loop with other numbers of values, at ", op.place)};
  }
  llvm::BasicBlock* const header = NewBlock();
  llvm::BasicBlock* const body = NewBlock();
  llvm::BasicBlock* const behind = NewBlock();
  ElementScope* const outer = scope_;
  InsertPoint& before = Keep(Jump(*header));
  scope_ = &scopes_.emplace_back(ElementScope{.outer = outer});
  for (size_t k = 0; k < carried; ++k) {
    values_.SetMerge(*arguments[k],
                     {.from = {op.operands[k], yielded[k]}, .points = {&before, nullptr}, .block = header});
  }
  Enter(*header);
  LowerRegion(op.regions[0]);
  llvm::Value* const goes_on = Scalar(*passed[0]);
  InsertPoint& test = Keep(Branch(goes_on, *body, *behind, op.place));
  for (size_t k = 0; k < inner.size(); ++k) {
    values_.SetAlias(*inner[k], *passed[k + 1], test);
    values_.SetAlias(*op.results[k], *passed[k + 1], test);
  }
  scope_ = &scopes_.emplace_back(ElementScope{.outer = scope_});
  Enter(*body);
  LowerRegion(op.regions[1]);
  SeparateIterations(op);
  InsertPoint& latch = Keep(Jump(*header));
  for (size_t k = 0; k < carried; ++k) values_.CloseMerge(*arguments[k], latch);
  scope_ = outer;
  since_barrier_ = all_;
  Enter(*behind);
}

void FunctionLowering::LowerIf(const TtirOp& op) {
  std::array<std::vector<TtirValue*>, 2> yielded;
  for (size_t way = 0; way < std::min(op.regions.size(), yielded.size()); ++way) yielded[way] = EndOf(op.regions[way]);
  const size_t count = op.results.size();
  if (op.operands.size() != 1 || op.regions.empty() || yielded[0].size() != count ||
      (op.regions.size() > 1 && yielded[1].size() != count) || (op.regions.size() == 1 && count > 0)) {
    throw LoweringError{StrCat("a branch with other numbers of values, at ", op.place)};
  }
  llvm::Value* const condition = Scalar(*op.operands[0]);
  std::array<llvm::BasicBlock*, 2> ways{NewBlock(), NewBlock()};
  llvm::BasicBlock* const behind = NewBlock();
  Branch(condition, *ways[0], *ways[1], op.place);
  ElementScope* const outer = scope_;
  std::array<InsertPoint*, 2> ends{};
  for (size_t way = 0; way < ways.size(); ++way) {
    scope_ = &scopes_.emplace_back(ElementScope{.outer = outer});
    since_barrier_ = all_;
    Enter(*ways[way]);
    if (way < op.regions.size()) LowerRegion(op.regions[way]);
    ends[way] = &Keep(Jump(*behind));
  }
  for (size_t k = 0; k < op.results.size(); ++k) {
    values_.SetMerge(*op.results[k], {.from = {yielded[0][k], yielded[1][k]}, .points = ends, .block = behind});
  }
  scope_ = outer;
  since_barrier_ = all_;
  Enter(*behind);
}

void FunctionLowering::LowerJump(const TtirOp& op) {
  const size_t ways = op.successors.size();
  if (!(op.name == "cf.br" && ways == 1) && !(op.name == "cf.cond_br" && ways == 2 && op.operands.size() == 1)) {
    throw LoweringError{StrCat("the operation ", op.name, ", at ", op.place)};
  }
  std::vector<llvm::BasicBlock*> targets;
  for (const TtirSuccessor& successor : op.successors) {
    const auto block = blocks_by_name_.find(successor.block);
    if (block == blocks_by_name_.end() || block->second->arguments.size() != successor.arguments.size()) {
      throw LoweringError{StrCat("a branch to ^", successor.block, ", at ", op.place)};
    }
    targets.push_back(blocks_.at(block->second));
  }
  llvm::Value* const condition = ways == 2 ? Scalar(*op.operands[0]) : nullptr;
  std::vector<std::pair<llvm::PHINode*, llvm::Value*>> passed;
  for (size_t way = 0; way < ways; ++way) {
    const TtirBlock& block = *blocks_by_name_.at(op.successors[way].block);
    for (size_t k = 0; k < block.arguments.size(); ++k) {
      if (block.arguments[k]->type.is_tensor()) continue;
      auto* const phi = llvm::cast<llvm::PHINode>(scopes_.front().known.at({block.arguments[k], {}}).element);
      passed.emplace_back(phi, Scalar(*op.successors[way].arguments[k]));
    }
  }
  llvm::Instruction* const jump = ways == 1 ? Jump(*targets[0]) : Branch(condition, *targets[0], *targets[1], op.place);
  for (const auto& [phi, value] : passed) phi->addIncoming(value, jump->getParent());
}

void FunctionLowering::SeparateIterations(const TtirOp& loop) {
  Accesses accesses;
  for (const auto& region : loop.regions) {
    ForEachOp(region, [&](const TtirOp& op) {
      if (!IsMemoryOp(op)) return;
      (op.name == "tt.load" ? accesses.loaded : accesses.stored).insert(values_.roots().Of(*op.operands[0]));
    });
  }
  const bool may_depend = std::ranges::any_of(
      accesses.stored, [&](const TtirValue* root) { return MayShareMemory(root, accesses.loaded); });
  if (may_depend) TtirBuilder(end_, loop.place).CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
}

}  // namespace layoutcheck
