// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ir/code_parts.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <algorithm>
#include <utility>
#include "layoutcheck/llvm/ir/instructions.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/thread_registers.h"
#include "layoutcheck/llvm/source/gpu_functions.h"

namespace layoutcheck {
namespace {

// Returns true if an operand is a variable that the threads of a block share.
bool UsesSharedMemory(const llvm::Value& value) {
  const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  if (global != nullptr) return global->getAddressSpace() == kSharedSpace;
  const auto* const user = llvm::dyn_cast<llvm::User>(&value);
  const bool is_looked_at =
      user != nullptr && (llvm::isa<llvm::Instruction>(user) || llvm::isa<llvm::ConstantExpr>(user));
  return is_looked_at && std::ranges::any_of(user->operands(), [](const llvm::Use& operand) {
           const bool is_constant = llvm::isa<llvm::Constant>(operand);
           return is_constant && UsesSharedMemory(*operand.get());
         });
}

void AddLiteral(uint64_t value, CodeParts& parts) {
  constexpr uint64_t kLargest = 4096;
  if (value >= 2 && value <= kLargest) parts.literals.insert(static_cast<int64_t>(value));
}

void AddLiterals(const llvm::Instruction& instruction, CodeParts& parts) {
  if (const auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    const llvm::Type* type = place->getSourceElementType();
    while (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      AddLiteral(array->getNumElements(), parts);
      type = array->getElementType();
    }
    return;
  }
  if (!instruction.isBinaryOp() && !llvm::isa<llvm::ICmpInst>(instruction)) return;
  for (const llvm::Use& operand : instruction.operands()) {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(operand);
    if (number == nullptr || number->getBitWidth() > 64) continue;
    const bool is_shift = instruction.isShift() && number->getZExtValue() < 16;
    AddLiteral(is_shift ? uint64_t{1} << number->getZExtValue() : number->getZExtValue(), parts);
    // A remainder by a power of two may be written as a mask: x & 31 is x mod 32.
    const bool is_mask = instruction.getOpcode() == llvm::Instruction::And && number->getValue().isMask();
    if (is_mask) AddLiteral(number->getZExtValue() + 1, parts);
  }
}

// Return true if the threads of a block, or threads of a warp, wait for each other in a call of the function.
bool IsBlockBarrier(const llvm::Function& callee) {
  const llvm::Intrinsic::ID id = callee.getIntrinsicID();
  return id == llvm::Intrinsic::nvvm_barrier0 || id == llvm::Intrinsic::amdgcn_s_barrier;
}
bool IsWarpBarrier(const llvm::Function& callee) {
  if (callee.isIntrinsic()) return callee.getIntrinsicID() == llvm::Intrinsic::nvvm_bar_warp_sync;
  if (!callee.isDeclaration()) return false;
  const std::string name = SourceName(callee);
  return name == kWarpBarrier || name == kTileBarrier;
}

}  // namespace

void AddParts(const llvm::Function& function, CodeParts& parts) {
  if (!parts.functions.insert(&function).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    AddLiterals(instruction, parts);
    parts.has_shared_memory = parts.has_shared_memory || UsesSharedMemory(instruction);
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr) continue;
    parts.has_warp_barrier = parts.has_warp_barrier || IsWarpBarrier(*call->getCalledFunction());
    parts.has_barrier = parts.has_barrier || parts.has_warp_barrier || IsBlockBarrier(*call->getCalledFunction());
    for (std::string& name : RegistersOf(*call)) parts.registers.insert(std::move(name));
    AddParts(*call->getCalledFunction(), parts);
  }
}

}  // namespace layoutcheck
